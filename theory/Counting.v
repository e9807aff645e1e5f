(** Lower bounds by counting and by distance. *)

From Coq Require Import List Bool Arith Lia.
From Schedsolve Require Import Definitions Replay Variables ItemsFormula Theorems.
Import ListNotations.
Local Open Scope bool_scope.

(** ** Doubling: at most twice as many nodes are informed after a round as before it *)

(** Whom a node tells something in a round; itself where there is nobody. *)
Definition listener (m : mode) (r : round) (u : node) : node :=
  match find (told m r u) (ends r) with Some v => v | None => u end.

Lemma listener_spec m G r u v : legal_round m G r -> tells m r u v -> listener m r u = v.
Proof.
  intros L T. unfold listener. destruct (find _ _) as [w|] eqn:F.
  - apply find_some in F. destruct F as [_ F]. apply told_spec in F. now apply (one_listener m G r u).
  - exfalso. assert (H : told m r u v = true) by now apply told_spec.
    rewrite (find_none _ _ F) in H; [discriminate|].
    destruct T as [T|[_ T]]; apply ends_of in T; tauto.
Qed.

(** Some list of so many nodes has all that know the item. *)
Definition at_most (k : nat) (K : knowledge) (i : item) : Prop :=
  exists l, length l <= k /\ forall v, K v i -> In v l.

Lemma doubles m G s i : legal m G s -> forall K k, at_most k K i -> at_most (2 ^ length s * k) (after m s K) i.
Proof.
  induction s as [|r s IH]; simpl; intros L K k [l [Len H]].
  - exists l. split; [lia|exact H].
  - assert (Lr : legal_round m G r) by (apply L; now left).
    replace ((2 ^ length s + (2 ^ length s + 0)) * k) with (2 ^ length s * (2 * k)) by lia.
    apply IH; [intros q Hq; apply L; now right|].
    exists (l ++ map (listener m r) l). split; [rewrite app_length, map_length; lia|].
    intros v [Kv|[u [T Ku]]]; apply in_or_app; [left; auto|right].
    apply in_map_iff. exists u. split; [now apply (listener_spec m G)|auto].
Qed.

Definition doubling_refutes (G : network) (T : task) (i : item) (M : nat) : bool :=
  let nodes := seq 0 (size G) in
  let first := filter (fun v => start T v i) nodes in
  let last := filter (fun v => start T v i ||| goal T v i) nodes in
  (i <? items T) &&& (2 ^ M * length first <? length last).

Lemma after_ext m s : forall K L : knowledge, (forall v i, K v i <-> L v i) ->
  forall v i, after m s K v i <-> after m s L v i.
Proof.
  induction s as [|r s IH]; simpl; intros K L H v i; [apply H|]. apply IH.
  intros w k. unfold after_round. rewrite H.
  split; (intros [A|[u [T A]]]; [now left|right; exists u; split; [exact T|now apply H]]).
Qed.

(** Nodes outside of the network hear and say nothing. *)
Lemma after_inside m G s i : legal m G s -> forall K v, v < size G ->
  (after m s K v i <-> after m s (fun u j => u < size G /\ K u j) v i).
Proof.
  induction s as [|r s IH]; simpl; intros L K v Hv; [tauto|].
  assert (Lr : legal_round m G r) by (apply L; now left).
  assert (Ls : legal m G s) by (intros q Hq; apply L; now right).
  rewrite (IH Ls (after_round m r K)) by exact Hv.
  rewrite (IH Ls (after_round m r (fun u j => u < size G /\ K u j))) by exact Hv.
  assert (E : forall w j, (w < size G /\ after_round m r K w j) <->
    (w < size G /\ after_round m r (fun u j => u < size G /\ K u j) w j)).
  { intros w j. unfold after_round. split; intros [Hw [H|[u [T H]]]]; (split; [exact Hw|]); try tauto.
    - right. exists u. split; [exact T|]. destruct (legal_tells _ _ _ _ _ Lr T) as [[? _] _]. auto.
    - right. exists u. tauto. }
  now apply after_ext.
Qed.

Theorem doubling_refuted m G T i M : doubling_refutes G T i M = true -> ~ suffices m G T M.
Proof.
  unfold doubling_refutes. cbv zeta. rewrite !and_true, !Nat.ltb_lt. intros [Hi C] [s [E [L S]]].
  set (K := fun u j => u < size G /\ start T u j = true).
  destruct (doubles m G s i L K (length (filter (fun v => start T v i) (seq 0 (size G))))) as [l [Len Hl]].
  { exists (filter (fun v => start T v i) (seq 0 (size G))). split; [lia|].
    intros v [Hv Sv]. apply filter_In. split; [apply in_seq; lia|exact Sv]. }
  assert (I : incl (filter (fun v => start T v i ||| goal T v i) (seq 0 (size G))) l).
  { intros v Hv. apply filter_In in Hv. destruct Hv as [Hv Gv]. apply in_seq in Hv. apply Hl.
    unfold K. apply (after_inside m G s i L (fun u j => start T u j = true)); [lia|].
    apply or_true in Gv. destruct Gv as [Gv|Gv]; [|apply S; auto; lia].
    clear - Gv. assert (B : forall s (K : knowledge) v, K v i -> after m s K v i).
    { clear. induction s as [|r s IH]; simpl; intros K v H; [exact H|]. apply IH. now left. }
    now apply B. }
  apply NoDup_incl_length in I; [|apply NoDup_filter, seq_NoDup]. rewrite E in Len. lia.
Qed.

(** ** Odd order: in a two-way gossip among an odd number of nodes somebody is idle in the last round *)

Definition odd_order_refutes (G : network) (M : nat) : bool :=
  Nat.odd (size G) &&& (1 <? size G) &&& (2 ^ (M - 1) <? size G).

Lemma knows_few m G s v : legal m G s -> forall (K : knowledge) k,
  (forall u, exists l : list item, length l <= k /\ forall i, K u i -> In i l) ->
  exists l : list item, length l <= 2 ^ length s * k /\ forall i, after m s K v i -> In i l.
Proof.
  induction s as [|r s IH]; simpl; intros L K k H.
  - destruct (H v) as [l [A B]]. exists l. split; [lia|exact B].
  - assert (Lr : legal_round m G r) by (apply L; now left).
    replace ((2 ^ length s + (2 ^ length s + 0)) * k) with (2 ^ length s * (2 * k)) by lia.
    apply IH; [intros q Hq; apply L; now right|]. intros w.
    destruct (H w) as [l [A B]].
    destruct (find (fun u => told m r u w) (ends r)) as [u|] eqn:F.
    + apply find_some in F. destruct F as [_ F]. apply told_spec in F.
      destruct (H u) as [k2 [C D]]. exists (l ++ k2). split; [rewrite app_length; lia|].
      intros i [Ki|[x [T Ki]]]; apply in_or_app; [left; auto|right].
      assert (x = u) by (apply (one_speaker m G r x u w); auto). subst x. auto.
    + exists l. split; [lia|]. intros i [Ki|[x [T Ki]]]; [auto|]. exfalso.
      assert (X : told m r x w = true) by now apply told_spec.
      rewrite (find_none _ _ F x) in X; [discriminate|].
      destruct T as [T|[_ T]]; apply ends_of in T; tauto.
Qed.

Lemma ends_even r : Nat.even (length (ends r)) = true.
Proof. unfold ends. induction r as [|c r IH]; simpl; [reflexivity|exact IH]. Qed.

Theorem odd_order_refuted G M : odd_order_refutes G M = true -> ~ gossip telephone G M.
Proof.
  unfold odd_order_refutes. rewrite !and_true, !Nat.ltb_lt. intros [[Odd Many] Few] [s [E [L S]]].
  assert (Known : forall k q w, legal telephone G q -> length q <= k ->
    (forall i, i < size G -> after telephone q (fun v i => (v =? i) = true) w i) -> size G <= 2 ^ k).
  { intros k q w Lq Hq A.
    destruct (knows_few telephone G q w Lq (fun v i => (v =? i) = true) 1) as [l [B C]].
    { intros u. exists [u]. split; [reflexivity|]. intros i H. apply Nat.eqb_eq in H. now left. }
    assert (I : incl (seq 0 (size G)) l) by (intros i Hi; apply in_seq in Hi; apply C, A; lia).
    apply NoDup_incl_length in I; [|apply seq_NoDup]. rewrite seq_length in I.
    assert (2 ^ length q <= 2 ^ k) by (apply Nat.pow_le_mono_r; lia). unfold item, node in *. lia. }
  destruct (rev s) as [|r q] eqn:R.
  - assert (s = []) by (rewrite <- (rev_involutive s), R; reflexivity). subst s.
    assert (B : size G <= 2 ^ 0).
    { apply (Known 0 [] 0); [exact L|reflexivity|]. intros i Hi. apply S; auto; lia. }
    simpl in B. lia.
  - assert (Es : s = rev q ++ [r]) by (rewrite <- (rev_involutive s), R; reflexivity).
    assert (Lr : legal_round telephone G r) by (apply L; rewrite Es; apply in_or_app; right; now left).
    assert (Lq : legal telephone G (rev q)) by (intros x Hx; apply L; rewrite Es; apply in_or_app; now left).
    assert (Idle : exists w, w < size G /\ ~ In w (ends r)).
    { destruct (forallb (fun w => one_of (ends r) w) (seq 0 (size G))) eqn:F.
      - exfalso. rewrite forallb_forall in F.
        assert (I : incl (seq 0 (size G)) (ends r)) by (intros w Hw; now apply one_of_spec, F).
        assert (J : incl (ends r) (seq 0 (size G))).
        { intros w Hw. unfold ends in Hw. apply in_flat_map in Hw. destruct Hw as [[x y] [Hc Hw]].
          destruct (legal_inside telephone G s r L) with (u := x) (v := y) as [Hx Hy]; auto.
          { rewrite Es. apply in_or_app. right. now left. }
          apply in_seq. simpl in Hw. destruct Hw as [<-|[<-|[]]]; lia. }
        apply NoDup_incl_length in I; [|apply seq_NoDup].
        apply NoDup_incl_length in J; [|apply Lr]. rewrite seq_length in *.
        assert (X : length (ends r) = size G) by (unfold node in *; lia).
        pose proof (ends_even r) as Ev. rewrite X in Ev. rewrite <- Nat.negb_even, Ev in Odd. discriminate.
      - assert (B : exists w, In w (seq 0 (size G)) /\ one_of (ends r) w = false).
        { clear - F. induction (seq 0 (size G)) as [|x l IH]; simpl in F; [discriminate|].
          apply andb_false_iff in F. destruct F as [F|F]; [exists x; simpl; auto|].
          destruct (IH F) as [w [? ?]]. exists w. simpl. auto. }
        destruct B as [w [Hw B]]. apply in_seq in Hw. exists w. split; [lia|].
        intros H. apply one_of_spec in H. congruence. }
    destruct Idle as [w [Hw Nw]].
    assert (B : size G <= 2 ^ (M - 1)).
    { apply (Known (M - 1) (rev q) w Lq).
      - rewrite Es, app_length in E. simpl in E. lia.
      - intros i Hi. specialize (S w i Hw Hi eq_refl). simpl in S. rewrite Es, after_last in S.
        destruct S as [S|[u [T _]]]; [exact S|]. exfalso. apply Nw.
        destruct T as [T|[_ T]]; apply ends_of in T; tauto. }
    lia.
Qed.

(** ** Distance: an item crosses one arc a round

    [d] says for every node at least how far it is from the nodes that know the item first. *)

Definition distance_refutes (G : network) (T : task) (i : item) (d : list nat) (M : nat) : bool :=
  (i <? items T)
  &&& forallb (fun v => if start T v i then nth v d 0 =? 0 else true) (seq 0 (size G))
  &&& forallb (fun p => nth (snd p) d 0 <=? S (nth (fst p) d 0)) (callable telegraph G)
  &&& existsb (fun v => goal T v i &&& (M <? nth v d 0)) (seq 0 (size G)).

(** A node does not know an item before the round that is its distance: the distance windows. *)
Theorem distance_window m G s i (d : node -> nat) : legal m G s -> forall (K : knowledge) t,
  (forall v, v < size G -> K v i -> d v <= t) ->
  (forall u v, arc G u v -> d v <= S (d u)) ->
  forall v, v < size G -> after m s K v i -> d v <= length s + t.
Proof.
  induction s as [|r s IH]; simpl; intros L K t H A v Hv Kv; [now apply H|].
  assert (Lr : legal_round m G r) by (apply L; now left).
  replace (S (length s + t)) with (length s + S t) by lia.
  apply (IH ltac:(intros q Hq; apply L; now right) (after_round m r K)); auto.
  clear v Hv Kv. intros v Hv [Kv|[u [T Ku]]].
  - specialize (H v Hv Kv). lia.
  - destruct (legal_tells _ _ _ _ _ Lr T) as [Ar _]. specialize (A u v Ar).
    assert (d u <= t) by (apply H; [apply Ar|exact Ku]). lia.
Qed.

Theorem distance_refuted m G T i d M : distance_refutes G T i d M = true -> ~ suffices m G T M.
Proof.
  unfold distance_refutes. rewrite !and_true, !forallb_forall, existsb_exists.
  intros [[[Hi H0] HA] [v [Hv Gv]]] [s [E [L S]]]. rewrite and_true, Nat.ltb_lt in Gv.
  apply in_seq in Hv. apply Nat.ltb_lt in Hi. destruct Gv as [Gv Far].
  assert (B : nth v d 0 <= length s + 0); [|lia].
  apply (distance_window m G s i (fun u => nth u d 0) L (fun u j => start T u j = true)); [| |lia|].
  - intros u Hu Su. specialize (H0 u ltac:(apply in_seq; lia)). rewrite Su in H0.
    apply Nat.eqb_eq in H0. lia.
  - intros u w Ar. apply Nat.leb_le. apply (HA (u, w)). apply callable_spec.
    split; [split; [exact Ar|discriminate]|discriminate].
  - apply S; auto; lia.
Qed.

(** From the best node: one bound for each. *)
Theorem best_refuted_by G (P : node -> nat -> Prop) (refutes : node -> bool) M :
  (forall v, refutes v = true -> ~ P v M) ->
  forallb refutes (seq 0 (size G)) = true -> ~ from_best G P M.
Proof.
  intros H F [v [Hv Pv]]. rewrite forallb_forall in F. apply (H v); [|exact Pv].
  apply F. apply in_seq. lia.
Qed.
