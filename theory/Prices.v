(** One-way gossip in any network: how much the nodes can know together (docs/theorems.md, Theorem 5).

    At least half of the nodes, p of n, do not call in the first round, so that each of their items is known to
    its own node alone after it; and at least p are not called in the last round, so that they know all these
    items before it.  A price [g t x] says what it is worth to know x of the p items after t of the M - 2 rounds
    between.  If no call and no waiting raises what all nodes are worth together, and p nodes that know all p
    items are worth more than the nodes are at first, then M rounds do not suffice. *)

From Coq Require Import List Bool Arith Lia Permutation.
From Schedsolve Require Import Definitions Replay Variables ItemsFormula.
Import ListNotations.
Local Open Scope bool_scope.

Definition price (g : list (list nat)) (t x : nat) : nat := nth x (nth t g []) 0.

Definition half (n : nat) : nat := n - n / 2.

Definition prices_hold (n : nat) (g : list (list nat)) (between : nat) : bool :=
  let p := half n in
  let counts := seq 0 (S p) in
  forallb (fun t =>
    forallb (fun a => price g (S t) a <=? price g t a) counts
    &&& forallb (fun a => price g (S t) a <=? price g (S t) (S a)) (seq 0 p)
    &&& forallb (fun a => forallb (fun b =>
      price g (S t) a + price g (S t) (Nat.min p (a + b)) <=? price g t a + price g t b) counts) counts)
    (seq 0 between)
  &&& (p * price g 0 1 + (n - p) * price g 0 0 <? p * price g between p).

Definition prices_refute (G : network) (M : nat) (g : list (list nat)) : bool :=
  (2 <=? M) &&& prices_hold (size G) g (M - 2).

(** ** Sums *)

Definition sum (f : nat -> nat) (l : list nat) : nat := fold_right (fun v s => f v + s) 0 l.

Lemma sum_app f l k : sum f (l ++ k) = sum f l + sum f k.
Proof. induction l as [|v l IH]; simpl; lia. Qed.

Lemma sum_permuted f l k : Permutation l k -> sum f l = sum f k.
Proof. intros P. induction P; simpl; lia. Qed.

Lemma sum_le f h l : (forall v, In v l -> f v <= h v) -> sum f l <= sum h l.
Proof.
  induction l as [|v l IH]; simpl; intros H; [lia|].
  specialize (IH (fun u Hu => H u (or_intror Hu))). specialize (H v (or_introl eq_refl)). lia.
Qed.

Lemma sum_constant f c l : (forall v, In v l -> f v = c) -> sum f l = length l * c.
Proof.
  induction l as [|v l IH]; simpl; intros H; [lia|].
  rewrite (H v) by now left. rewrite IH; [lia|]. intros u Hu. apply H. now right.
Qed.

(** A list without the nodes of another. *)
Definition without (k l : list nat) : list nat := filter (fun v => negb (one_of k v)) l.

Lemma split_off k l : NoDup k -> NoDup l -> incl k l -> Permutation l (k ++ without k l).
Proof.
  intros Dk Dl I. apply NoDup_Permutation; [exact Dl| |].
  - apply NoDup_app_intro; [exact Dk|now apply NoDup_filter|].
    intros x Hx H. apply filter_In in H. destruct H as [_ H]. apply one_of_spec in Hx. now rewrite Hx in H.
  - intros x. rewrite in_app_iff. unfold without. rewrite filter_In. split.
    + intros H. destruct (one_of k x) eqn:E; [left; now apply one_of_spec|right; auto].
    + intros [H|[H _]]; auto.
Qed.

Lemma without_length k l : NoDup l -> length l <= length k + length (without k l).
Proof.
  intros D. set (w := filter (one_of k) l).
  assert (A : length w <= length k).
  { apply NoDup_incl_length; [now apply NoDup_filter|]. intros v H. apply filter_In in H.
    now apply one_of_spec. }
  assert (B : length l = length w + length (without k l)); [|lia].
  unfold w, without. clear. induction l as [|v l IH]; simpl; [reflexivity|].
  destruct (one_of k v); simpl; lia.
Qed.

Lemma NoDup_front (l k : list nat) : NoDup (l ++ k) -> NoDup l.
Proof.
  induction l as [|v l IH]; simpl; intros D; [constructor|]. inversion D as [|? ? N D']; subst.
  constructor; [|now apply IH]. intros H. apply N. apply in_or_app. now left.
Qed.

(** ** What the nodes are worth *)

Section Worth.
Variables (G : network) (s : schedule) (g : list (list nat)).
Let n := size G.
Let p := half n.
Let K (t v i : nat) : bool := says telegraph G (gossip_task G) s (Held t v i).
Hypothesis L : solves telegraph G (gossip_task G) s.
Variable between : nat.
Hypothesis rounds : length s = S (S between).
Hypothesis prices : prices_hold n g between = true.

Lemma round_at t : t < length s -> legal_round telegraph G (nth t s []).
Proof. intros H. apply L. now apply nth_In. Qed.

Lemma K_next t v i : t < length s -> v < n ->
  (K (S t) v i = true <-> K t v i = true \/ exists u, In (u, v) (nth t s []) /\ K t u i = true).
Proof.
  intros H Hv. unfold K. rewrite !says_held by assumption.
  rewrite (knows_next telegraph (gossip_task G) (length s) (length s) s eq_refl (le_n _) t v i H).
  apply or_iff_compat_l. split.
  - intros [u [[T|[? _]] Ku]]; [|discriminate]. exists u. split; [exact T|].
    apply says_held; [exact L| |exact Ku].
    now destruct (proj1 (round_at t H) u v T) as [[? _] _].
  - intros [u [T Ku]]. exists u. split; [now left|]. apply says_held in Ku; [exact Ku|exact L|].
    now destruct (proj1 (round_at t H) u v T) as [[? _] _].
Qed.

(** How many of some items a node knows. *)
Definition count (O : list nat) (t v : nat) : nat := length (filter (K t v) O).

Lemma count_most O t v : count O t v <= length O.
Proof. unfold count. induction O as [|i O IH]; simpl; [lia|]. destruct (K t v i); simpl; lia. Qed.

Lemma count_same O t u v : (forall i, In i O -> K (S t) v i = K t u i) -> count O (S t) v = count O t u.
Proof. intros H. unfold count. f_equal. apply filter_ext_in. exact H. Qed.

Lemma count_sum O t u v : (forall i, In i O -> K (S t) v i = true -> K t v i = true \/ K t u i = true) ->
  count O (S t) v <= count O t u + count O t v.
Proof.
  intros H. unfold count. induction O as [|i O IH]; simpl; [lia|].
  specialize (IH (fun j Hj => H j (or_intror Hj))). specialize (H i (or_introl eq_refl)).
  destruct (K (S t) v i), (K t u i), (K t v i); simpl; try lia; destruct H; try reflexivity; discriminate.
Qed.

Definition worth (O : list nat) (t : nat) : nat := sum (fun v => price g t (count O (S t) v)) (seq 0 n).

Lemma prices_at t : t < between ->
  (forall a, a <= p -> price g (S t) a <= price g t a) /\
  (forall a b, a <= b -> b <= p -> price g (S t) a <= price g (S t) b) /\
  (forall a b, a <= p -> b <= p ->
    price g (S t) a + price g (S t) (Nat.min p (a + b)) <= price g t a + price g t b).
Proof.
  intros H. unfold prices_hold in prices. cbv zeta in prices. rewrite and_true in prices.
  destruct prices as [P _]. rewrite forallb_forall in P.
  specialize (P t ltac:(apply in_seq; lia)). rewrite !and_true, !forallb_forall in P.
  destruct P as [[P1 P2] P3]. fold p in P1, P2, P3. split; [|split].
  - intros a Ha. apply Nat.leb_le, P1. apply in_seq. lia.
  - intros a b Hab Hb. induction Hab as [|b Hab IH]; [lia|].
    specialize (P2 b ltac:(apply in_seq; lia)). apply Nat.leb_le in P2. lia.
  - intros a b Ha Hb. specialize (P3 a ltac:(apply in_seq; lia)). rewrite forallb_forall in P3.
    apply Nat.leb_le, P3. apply in_seq. lia.
Qed.

Lemma sum_ends f r : sum f (ends r) = fold_right (fun c k => f (fst c) + f (snd c) + k) 0 r.
Proof. unfold ends. induction r as [|[u v] r IH]; simpl; [reflexivity|]. lia. Qed.

Lemma worth_falls O t : length O = p -> t < between -> worth O (S t) <= worth O t.
Proof.
  intros Len H. destruct (prices_at t H) as [Wait [Mono Calls]].
  assert (Ht : S t < length s) by lia. pose proof (round_at (S t) Ht) as [Arcs D].
  set (r := nth (S t) s []) in *.
  assert (I : incl (ends r) (seq 0 n)).
  { intros v Hv. unfold ends in Hv. apply in_flat_map in Hv. destruct Hv as [[x y] [Hc Hv]].
    destruct (Arcs x y Hc) as [[Hx [Hy _]] _]. apply in_seq. simpl in Hv. unfold n.
    destruct Hv as [<-|[<-|[]]]; lia. }
  assert (Most : forall q v, count O q v <= p) by (intros; rewrite <- Len; apply count_most).
  unfold worth. rewrite !(sum_permuted _ _ _ (split_off (ends r) (seq 0 n) D (seq_NoDup _ _) I)), !sum_app.
  apply Nat.add_le_mono.
  - rewrite !sum_ends.
    assert (Each : forall u v, In (u, v) r ->
      price g (S t) (count O (S (S t)) u) + price g (S t) (count O (S (S t)) v) <=
      price g t (count O (S t) u) + price g t (count O (S t) v)).
    { intros u v Hc. destruct (Arcs u v Hc) as [[Hu [Hv [Nuv _]]] _].
      assert (Cu : count O (S (S t)) u = count O (S t) u).
      { apply count_same. intros i _. apply eq_iff_true. rewrite (K_next (S t) u i Ht Hu).
        split; [intros [A|[w [B _]]]; [exact A|]|auto]. exfalso. now apply (hears_only r u v w D). }
      assert (Cv : count O (S (S t)) v <= Nat.min p (count O (S t) u + count O (S t) v)).
      { apply Nat.min_glb; [apply Most|]. apply count_sum. intros i _ A. apply K_next in A; auto.
        destruct A as [A|[w [B C]]]; [now left|right].
        assert (w = u) by (apply (one_speaker telegraph G r w u v); [split; assumption|now left|now left]).
        now subst w. }
      rewrite Cu. pose proof (Mono _ _ Cv (Nat.le_min_l _ _)).
      pose proof (Calls (count O (S t) u) (count O (S t) v) (Most _ _) (Most _ _)). lia. }
    clear - Each. induction r as [|[u v] r IH]; simpl; [lia|].
    specialize (IH (fun a b Hc => Each a b (or_intror Hc))). specialize (Each u v (or_introl eq_refl)). lia.
  - apply sum_le. intros v Hv. unfold without in Hv. apply filter_In in Hv. destruct Hv as [Hv Idle].
    apply in_seq in Hv.
    assert (E : count O (S (S t)) v = count O (S t) v).
    { apply count_same. intros i _. apply eq_iff_true. rewrite (K_next (S t) v i Ht) by (unfold n in *; lia).
      split; [intros [A|[w [B _]]]; [exact A|]|auto]. exfalso. apply ends_of in B. destruct B as [_ B].
      apply one_of_spec in B. fold r in B. rewrite B in Idle. discriminate. }
    rewrite E. apply Wait, Most.
Qed.

Lemma worth_least O t : length O = p -> t <= between -> worth O t <= worth O 0.
Proof.
  intros Len H. induction t as [|t IH]; [lia|].
  assert (worth O (S t) <= worth O t) by (apply worth_falls; [exact Len|lia]). lia.
Qed.

Lemma few_calls t : t < length s -> 2 * length (nth t s []) <= n.
Proof.
  intros H. pose proof (round_at t H) as [Arcs D].
  assert (E : length (ends (nth t s [])) = 2 * length (nth t s [])).
  { unfold ends. clear. induction (nth t s []) as [|c r IH]; simpl; lia. }
  rewrite <- E. rewrite <- (seq_length n 0). apply NoDup_incl_length; [exact D|].
  intros v Hv. unfold ends in Hv. apply in_flat_map in Hv. destruct Hv as [[x y] [Hc Hv]].
  destruct (Arcs x y Hc) as [[Hx [Hy _]] _]. apply in_seq. simpl in Hv. unfold n.
  destruct Hv as [<-|[<-|[]]]; lia.
Qed.

(** p nodes outside of a list that is as long as a round. *)
Lemma enough l : 2 * length l <= n -> exists O, length O = p /\ NoDup O /\
  forall v, In v O -> v < n /\ ~ In v l.
Proof.
  intros H. exists (firstn p (without l (seq 0 n))).
  pose proof (without_length l (seq 0 n) (seq_NoDup _ _)) as W. rewrite seq_length in W.
  assert (B : length l <= n / 2) by (apply Nat.div_le_lower_bound; lia).
  assert (D : NoDup (without l (seq 0 n))) by apply NoDup_filter, seq_NoDup.
  split; [apply firstn_length_le; unfold p, half; lia|]. split.
  - rewrite <- (firstn_skipn p) in D. now apply NoDup_front in D.
  - intros v Hv. assert (Hv' : In v (without l (seq 0 n))).
    { rewrite <- (firstn_skipn p). apply in_or_app. now left. }
    unfold without in Hv'. apply filter_In in Hv'. destruct Hv' as [A B']. apply in_seq in A.
    split; [lia|]. intros C. apply one_of_spec in C. now rewrite C in B'.
Qed.

Lemma K_start v i : v < n -> (K 0 v i = true <-> v = i).
Proof. intros Hv. unfold K. rewrite says_held by assumption. apply Nat.eqb_eq. Qed.

Theorem too_dear : False.
Proof.
  assert (First : 0 < length s) by lia. assert (Last : S between < length s) by lia.
  destruct (enough (map fst (nth 0 s []))) as [O [LenO [DO HO]]].
  { rewrite map_length. now apply few_calls. }
  destruct (enough (map snd (nth (S between) s []))) as [D [LenD [DD HD]]].
  { rewrite map_length. now apply few_calls. }
  assert (Start : worth O 0 = p * price g 0 1 + (n - p) * price g 0 0).
  { assert (IO : incl O (seq 0 n)) by (intros v Hv; apply in_seq; destruct (HO v Hv); lia).
    assert (Own : forall v i, v < n -> In i O -> (K 1 v i = true <-> v = i)).
    { intros v i Hv Hi. rewrite (K_next 0 v i First Hv). split.
      - intros [A|[u [B A]]]; [now apply K_start in A|]. destruct (HO i Hi) as [_ N]. exfalso.
        assert (Hu : u < n) by now destruct (proj1 (round_at 0 First) u v B) as [[? _] _].
        apply K_start in A; [|exact Hu]. subst u. apply N. apply in_map_iff. now exists (i, v).
      - intros ->. left. now apply K_start. }
    unfold worth. rewrite (sum_permuted _ _ _ (split_off O (seq 0 n) DO (seq_NoDup _ _) IO)), sum_app.
    assert (Len : length (without O (seq 0 n)) = n - p).
    { pose proof (Permutation_length (split_off O (seq 0 n) DO (seq_NoDup _ _) IO)) as E.
      rewrite app_length, seq_length in E. lia. }
    rewrite (sum_constant _ (price g 0 1) O), (sum_constant _ (price g 0 0) (without O (seq 0 n))).
    - now rewrite LenO, Len.
    - intros v Hv. apply filter_In in Hv. destruct Hv as [A B]. apply in_seq in A. f_equal. unfold count.
      assert (Z : forall i, In i O -> K 1 v i = false).
      { intros i Hi. destruct (K 1 v i) eqn:E; [|reflexivity]. apply Own in E; [|lia|exact Hi]. subst i.
        apply one_of_spec in Hi. now rewrite Hi in B. }
      clear - Z. induction O as [|i O IH]; simpl; [reflexivity|]. rewrite Z by now left.
      apply IH. intros j Hj. apply Z. now right.
    - intros v Hv. f_equal. destruct (HO v Hv) as [Hn _]. unfold count.
      assert (E : filter (K 1 v) O = filter (Nat.eqb v) O).
      { apply filter_ext_in. intros i Hi. apply eq_iff_true. rewrite Nat.eqb_eq. now apply Own. }
      rewrite E. clear - DO Hv. induction DO as [|i O N DO IH]; [destruct Hv|]. simpl.
      destruct (Nat.eqb_spec v i) as [->|Ne].
      + simpl. f_equal. destruct (filter (Nat.eqb i) O) as [|j k] eqn:F; [reflexivity|]. exfalso.
        assert (J : In j (filter (Nat.eqb i) O)) by (rewrite F; now left). apply filter_In in J.
        destruct J as [J1 J2]. apply Nat.eqb_eq in J2. now subst j.
      + apply IH. destruct Hv as [->|Hv]; [congruence|exact Hv]. }
  assert (End : p * price g between p <= worth O between).
  { assert (ID : incl D (seq 0 n)) by (intros v Hv; apply in_seq; destruct (HD v Hv); lia).
    unfold worth. rewrite (sum_permuted _ _ _ (split_off D (seq 0 n) DD (seq_NoDup _ _) ID)), sum_app.
    rewrite (sum_constant _ (price g between p) D), LenD; [lia|].
    intros v Hv. destruct (HD v Hv) as [Hn N]. f_equal. rewrite <- LenO. unfold count.
    assert (All : forall i, In i O -> K (S between) v i = true).
    { intros i Hi. destruct (HO i Hi) as [Hi' _].
      assert (A : K (S (S between)) v i = true).
      { unfold K. apply says_held; [exact L|exact Hn|]. unfold knows. rewrite <- rounds, firstn_all.
        now apply L. }
      apply K_next in A; [|exact Last|exact Hn]. destruct A as [A|[u [B _]]]; [exact A|]. exfalso.
      apply N. apply in_map_iff. now exists (u, v). }
    clear - All. induction O as [|i O IH]; simpl; [reflexivity|]. rewrite All by now left. simpl. f_equal.
    apply IH. intros j Hj. apply All. now right. }
  pose proof (worth_least O between LenO (le_n _)) as W.
  unfold prices_hold in prices. cbv zeta in prices. rewrite and_true in prices.
  destruct prices as [_ P]. apply Nat.ltb_lt in P. fold p in P. lia.
Qed.

End Worth.

Theorem prices_refuted G M g : prices_refute G M g = true -> ~ gossip telegraph G M.
Proof.
  unfold prices_refute. rewrite and_true, Nat.leb_le. intros [H P] [s [E S]].
  apply (too_dear G s g S (M - 2)); [lia|exact P].
Qed.
