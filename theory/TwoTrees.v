(** Lemma C of docs/conjecture-31.md: what a broadcast in 3T - 1 rounds pays.  The numbers of its steps are kept. *)

From Coq Require Import List Bool Arith QArith Lia Lqa.
From Schedsolve Require Import Definitions Replay LinearCost Amounts Spreading CostBounds.
Import ListNotations.
Local Open Scope nat_scope.
Local Open Scope bool_scope.

(** ** Averages *)

Lemma crowded {A} (f : A -> node) W : forall l, NoDup W ->
  (forall w, In w W -> 2 <= length (filter (fun x => f x =? w) l)) -> 2 * length W <= length l.
Proof.
  induction W as [|w W IH]; intros l N H; [simpl; lia|]. inversion N as [|? ? Out N']; subst.
  assert (Parts : length l = length (filter (fun x => f x =? w) l) + length (filter (fun x => negb (f x =? w)) l)).
  { clear. induction l as [|x l IH]; [reflexivity|]. simpl. destruct (f x =? w); simpl; lia. }
  pose proof (H w (or_introl eq_refl)). specialize (IH (filter (fun x => negb (f x =? w)) l) N').
  enough (2 * length W <= length (filter (fun x => negb (f x =? w)) l)) by (simpl; lia). apply IH.
  intros u U. apply Nat.le_trans with (1 := H u (or_intror U)). clear - Out U.
  induction l as [|x l IH]; [simpl; lia|]. simpl. destruct (f x =? w) eqn:E; simpl.
  - destruct (f x =? u) eqn:E'; [|exact IH]. apply Nat.eqb_eq in E, E'. congruence.
  - destruct (f x =? u); simpl; lia.
Qed.

(** Where few messages come to many nodes, one of these gets one at most. *)
Lemma served_once {A} (f : A -> node) l W : NoDup W -> length l < 2 * length W ->
  exists w, In w W /\ forall x y, In x l -> In y l -> f x = w -> f y = w -> x = y.
Proof.
  intros N L. destruct (existsb (fun w => length (filter (fun x => f x =? w) l) <=? 1) W) eqn:E.
  - apply existsb_exists in E. destruct E as [w [I C]]. exists w. split; [exact I|]. apply Nat.leb_le in C.
    intros x y X Y Fx Fy.
    assert (X' : In x (filter (fun x => f x =? w) l)) by (apply filter_In; now rewrite Nat.eqb_eq).
    assert (Y' : In y (filter (fun x => f x =? w) l)) by (apply filter_In; now rewrite Nat.eqb_eq).
    destruct (filter (fun x => f x =? w) l) as [|a [|b m]]; simpl in *; [tauto| |lia].
    destruct X' as [<-|[]], Y' as [<-|[]]. reflexivity.
  - enough (2 * length W <= length l) by lia. apply (crowded f); [exact N|]. intros w I.
    destruct (le_lt_dec 2 (length (filter (fun x => f x =? w) l))) as [G|G]; [exact G|exfalso].
    enough (existsb (fun w => length (filter (fun x => f x =? w) l) <=? 1) W = true) by congruence.
    apply existsb_exists. exists w. split; [exact I|]. apply Nat.leb_le. lia.
Qed.

Lemma total_above {A} (f : A -> Q) c l : (forall a, In a l -> c < f a)%Q -> l <> [] ->
  (times (length l) c < total (map f l))%Q.
Proof.
  destruct l as [|a l]; intros H N; [congruence|]. simpl length. rewrite times_next.
  change (c + times (length l) c < f a + total (map f l))%Q.
  apply Qplus_lt_le_compat; [apply H; now left|]. apply total_least. intros b I. apply Qlt_le_weak, H. now right.
Qed.

Lemma one_below_average {A} (f : A -> Q) c m l : (0 <= c)%Q -> 1 <= m -> m <= length l ->
  (total (map f l) <= times m c)%Q -> exists a, In a l /\ (f a <= c)%Q.
Proof.
  intros C M L H. destruct (existsb (fun a => Qle_bool (f a) c) l) eqn:E.
  - apply existsb_exists in E. destruct E as [a [I G]]. exists a. split; [exact I|]. now apply Qle_bool_iff.
  - exfalso. assert (G : (times (length l) c < total (map f l))%Q).
    { apply total_above; [|intros ->; simpl in L; lia]. intros a I. apply Qnot_le_lt. intros B.
      enough (existsb (fun a => Qle_bool (f a) c) l = true) by congruence. apply existsb_exists.
      exists a. split; [exact I|]. now apply Qle_bool_iff. }
    pose proof (times_more m (length l) c C L). lra.
Qed.

(** Sizes that are added up by holders, or by packets. *)
Lemma counted_twice sizes {A} (b : A -> nat -> bool) l :
  (total (map (fun a => measure sizes (b a)) l) ==
   total (map (fun p => times (length (filter (fun a => b a p) l)) (nth p sizes 0)) (seq 0 (length sizes))))%Q.
Proof.
  induction l as [|a l IH].
  - simpl. symmetry. induction (seq 0 (length sizes)) as [|p m IH]; [reflexivity|].
    change (times 0 (nth p sizes 0) + total (map (fun p => times 0 (nth p sizes 0)) m) == 0)%Q.
    rewrite IH, times_none. reflexivity.
  - change (measure sizes (b a) + total (map (fun a => measure sizes (b a)) l) ==
      total (map (fun p => times (length (filter (fun a => b a p) (a :: l))) (nth p sizes 0)) (seq 0 (length sizes))))%Q.
    rewrite IH. unfold measure at 1. rewrite <- total_plus. clear IH.
    induction (seq 0 (length sizes)) as [|p m IH]; [reflexivity|].
    apply Qplus_comp; [|exact IH]. simpl filter. destruct (b a p); simpl length; [now rewrite times_next|ring].
Qed.

Section Protocol.
Variables (k T R : nat) (sizes : list Q) (s : protocol).
Hypothesis ports : 1 <= k.
Let n := (k + 1) ^ T.
Let d := length sizes.
Hypothesis sizes_nonneg : forall q, In q sizes -> (0 <= q)%Q.
Hypothesis obeyed : forall t, round_obeys k n d (nth t s []) (fun v p => known s t v p = true).
Hypothesis complete : forall v p, v < n -> p < d -> known s R v p = true.
Hypothesis dimension : 1 <= T.

Let paid := paid sizes s.
Let spent := spent sizes s.
Let few := (k + 1) ^ (T - 1).

Lemma few_and_others : n = few + k * few.
Proof. unfold n, few. replace T with (S (T - 1)) at 1 by lia. rewrite Nat.pow_succ_r'. lia. Qed.

Lemma few_some : 1 <= few.
Proof. unfold few. pose proof (Nat.pow_nonzero (k + 1) (T - 1)). lia. Qed.

(** ** Step 3 *)

Lemma late_half t m P : unsent k T sizes s t P -> t + (T - 1) + 1 + m = R ->
  (measure sizes P <= paid (t + (T - 1)) + times k (spent (t + (T - 1) + 1) m))%Q.
Proof.
  intros U E. set (e := t + (T - 1)).
  assert (C : count n sizes s P e <= few).
  { pose proof (count_unsent k T sizes s ports t P U). pose proof (count_later k n sizes s obeyed P t (T - 1)).
    fold n in H. fold e few in H0. nia. }
  pose proof (few_telling k n sizes s obeyed P e) as F. pose proof few_and_others. pose proof few_some.
  set (W := filter (fun v => negb (informed sizes s P e v)) (seq 0 n)).
  assert (L : n = count n sizes s P e + length W).
  { unfold count, W. rewrite <- (seq_length n 0) at 1. generalize (seq 0 n). intros l. clear.
    induction l as [|v l IH]; [reflexivity|]. simpl. destruct (informed sizes s P e v); simpl; lia. }
  destruct (served_once receiver (telling sizes s P e) W) as [w [I One]].
  - apply NoDup_filter, seq_NoDup.
  - nia.
  - apply filter_In in I. destruct I as [V N]. apply in_seq in V. apply negb_true_iff in N.
    pose proof (one_message_held k T sizes s sizes_nonneg obeyed e P w N One) as A.
    pose proof (must_be_held k T R sizes s sizes_nonneg obeyed complete (S e) m P w) as B.
    replace (e + 1) with (S e) by lia. fold n in B. specialize (B ltac:(lia) ltac:(lia)).
    unfold paid, spent. lra.
Qed.

(** ** Step 4 *)

(** The nodes to which paths in time lead from those of l, in m rounds from t on. *)
Fixpoint ahead (l : list node) (t m : nat) : list node :=
  match m with
  | 0 => l
  | S m => ahead l t m ++
      map receiver (filter (fun x => one_of (ahead l t m) (sender x)) (nth (t + m) s []))
  end.

Lemma ahead_few l t m : length (ahead l t m) <= (k + 1) ^ m * length l.
Proof.
  induction m as [|m IH]; simpl ahead; [simpl; lia|]. rewrite app_length, map_length, Nat.pow_succ_r'.
  pose proof (few_from k n sizes s obeyed (t + m) (ahead l t m)). nia.
Qed.

Lemma comes_from l l' t m p : (forall v, v < n -> known s t v p = true -> In v l \/ In v l') ->
  forall v, v < n -> known s (t + m) v p = true -> In v (ahead l t m) \/ In v (ahead l' t m).
Proof.
  intros H. induction m as [|m IH]; intros v V K; [rewrite Nat.add_0_r in K; now apply H|].
  rewrite Nat.add_succ_r in K. simpl. rewrite !in_app_iff. apply known_next in K.
  destruct K as [K|[x [X [E Q]]]]; [destruct (IH v V K); tauto|].
  destruct (ends_inside k n sizes s obeyed (t + m) x X) as [B _].
  destruct (sender_knows k n sizes s obeyed (t + m) x p X Q) as [_ K].
  assert (To : forall l, In (sender x) (ahead l t m) ->
    In v (map receiver (filter (fun x => one_of (ahead l t m) (sender x)) (nth (t + m) s [])))).
  { intros l0 I. apply in_map_iff. exists x. split; [exact E|]. apply filter_In. split; [exact X|].
    now apply one_of_spec. }
  destruct (IH (sender x) B K) as [I|I]; apply To in I; tauto.
Qed.

(** Packets that the source first sends in round t, or later, are few after that round, and not many more T - 1
    rounds later where no path in time leads from the source. *)
Lemma copies t p : out n s t p = false ->
  length (filter (fun v => known s (S t + (T - 1)) v p)
    (filter (fun v => negb (one_of (ahead [0] (S t) (T - 1)) v)) (seq 0 n)))
  <= few * length (filter (fun x => one_of (brought x) p) (sent_by s t 0)).
Proof.
  intros O. set (l := map receiver (filter (fun x => one_of (brought x) p) (sent_by s t 0))).
  apply Nat.le_trans with (few * length l); [|unfold l; rewrite map_length; lia].
  apply Nat.le_trans with (2 := ahead_few l (S t) (T - 1)). apply NoDup_incl_length.
  - apply NoDup_filter, NoDup_filter, seq_NoDup.
  - intros v I. apply filter_In in I. destruct I as [I K]. apply filter_In in I. destruct I as [V N].
    apply in_seq in V. apply negb_true_iff in N.
    assert (Src : forall u, u < n -> known s t u p = true -> u = 0).
    { intros u L B. destruct (Nat.eq_dec u 0) as [Z|Z]; [exact Z|].
      enough (out n s t p = true) by congruence. apply out_spec. exists u. now split. }
    destruct (comes_from [0] l (S t) (T - 1) p) with (v := v) as [H|H]; [|lia|exact K| |exact H].
    + intros u L B. apply known_next in B. destruct B as [B|[x [X [E Q]]]]; [left; left; symmetry; now apply Src|right].
      apply in_map_iff. exists x. split; [exact E|]. apply filter_In. rewrite one_of_spec. split; [|exact Q].
      apply filter_In. split; [exact X|]. apply Nat.eqb_eq.
      destruct (ends_inside k n sizes s obeyed t x X) as [B _].
      destruct (sender_knows k n sizes s obeyed t x p X Q) as [_ B']. now apply Src.
    + apply one_of_spec in H. congruence.
Qed.

Lemma early_half t m P : unsent k T sizes s 0 P -> S t + (T - 1) + m = R ->
  (measure sizes P <= times k (spent 0 t) + paid t + times k (spent (S t + (T - 1)) m))%Q.
Proof.
  intros U E. set (F := left_over k T s t P). set (e := S t + (T - 1)).
  set (W := filter (fun v => negb (one_of (ahead [0] (S t) (T - 1)) v)) (seq 0 n)).
  assert (Many : k * few <= length W).
  { pose proof (ahead_few [0] (S t) (T - 1)) as A. fold few in A. simpl length in A. pose proof few_and_others.
    assert (n <= length (ahead [0] (S t) (T - 1)) + length W); [|lia].
    unfold W. rewrite <- app_length, <- (seq_length n 0) at 1. apply NoDup_incl_length; [apply seq_NoDup|].
    intros v V. apply in_app_iff. destruct (one_of (ahead [0] (S t) (T - 1)) v) eqn:B.
    - left. now apply one_of_spec.
    - right. apply filter_In. now rewrite B. }
  assert (Sum : (total (map (fun v => held sizes s F e v) W) <= times (k * few) (paid t))%Q).
  { unfold held. rewrite (counted_twice sizes (fun v p => F p &&& known s e v p)).
    apply Qle_trans with (times few (total (map (fun x =>
      measure sizes (fun p => F p &&& one_of (brought x) p)) (sent_by s t 0)))).
    - rewrite (counted_twice sizes (fun x p => F p &&& one_of (brought x) p)).
      assert (Times : forall f l, (times few (total (map f l)) == total (map (fun p : nat => times few (f p)) l))%Q).
      { intros f l. induction l as [|p l IH]; [unfold times; simpl; ring|].
        change (times few (f p + total (map f l)) == times few (f p) + total (map (fun p => times few (f p)) l))%Q.
        now rewrite times_plus, IH. }
      rewrite Times. apply total_le. intros p D. apply in_seq in D.
      assert (Z : (0 <= nth p sizes 0)%Q) by now apply weight_nonneg.
      destruct (F p) eqn:B.
      + unfold times at 2. unfold times at 2. rewrite Qmult_assoc, <- inject_Z_mult, <- Nat2Z.inj_mul.
        fold (times (few * length (filter (fun x => one_of (brought x) p) (sent_by s t 0))) (nth p sizes 0)%Q).
        apply times_more; [exact Z|]. apply copies. apply and_true in B. destruct B as [_ B].
        now apply negb_true_iff in B.
      + replace (filter _ W) with (@nil node) by (clear; induction W; [reflexivity|assumption]).
        rewrite times_none. unfold times. repeat apply Qmult_le_0_compat; try exact Z;
          change 0%Q with (inject_Z 0); rewrite <- Zle_Qle; lia.
    - replace (times (k * few) (paid t)) with (times (few * k) (paid t)) by (f_equal; lia).
      assert (A : (times (few * k) (paid t) == times few (times k (paid t)))%Q)
        by (unfold times; rewrite Nat2Z.inj_mul, inject_Z_mult; ring).
      rewrite A. apply times_le, total_most; [apply paid_nonneg| |now apply (few_sent k n sizes s obeyed)].
      intros x X. apply filter_In in X. apply Qle_trans with (2 := one_message sizes s sizes_nonneg t x (proj1 X)).
      apply measure_mono; [exact sizes_nonneg|]. intros p _ B. now apply and_true in B. }
  destruct (one_below_average (fun v => held sizes s F e v) (paid t) (k * few) W) as [w [I H]];
    [apply paid_nonneg|pose proof few_some; nia|exact Many|exact Sum|].
  apply filter_In in I. destruct I as [V _]. apply in_seq in V.
  pose proof (must_be_held k T R sizes s sizes_nonneg obeyed complete e m P w ltac:(fold n; lia) ltac:(lia)) as A.
  pose proof (abroad_later k n sizes s sizes_nonneg obeyed P 0 t) as B.
  assert (N : (abroad n sizes s P 0 <= 0)%Q).
  { apply measure_none. intros p D. specialize (U p D). fold n in U. destruct (P p); [now apply U|reflexivity]. }
  assert (S : (held sizes s P e w <= abroad n sizes s P (0 + t) + held sizes s F e w)%Q).
  { apply Qle_trans with (2 := measure_or sizes sizes_nonneg _ _). apply measure_mono; [exact sizes_nonneg|].
    intros p _ K. apply and_true in K. destruct K as [K1 K2]. unfold F, left_over. rewrite K1, K2.
    fold n. simpl (0 + t). now destruct (out n s t p). }
  unfold paid, spent in *. lra.
Qed.

(** ** The sum *)

Lemma cost_C : 3 <= k -> R = T + (2 * T - 1) -> (3 * total sizes <= times k (spent 0 R) + times k (spent 0 R))%Q.
Proof.
  intros K E. set (P := fun _ : nat => true). pose proof (unsent_first k T sizes s P) as U.
  assert (All : (total sizes <= measure sizes P)%Q) by now apply measure_all.
  pose proof (sent_or_left k T sizes s sizes_nonneg obeyed 0 (2 * T - 1) P U) as A1.
  pose proof (last_chance k T R sizes s ports sizes_nonneg obeyed complete (0 + (2 * T - 1)) _
    (left_over_unsent k T sizes s (0 + (2 * T - 1)) P) ltac:(lia) dimension) as A2.
  pose proof (one_message_each k T R sizes s ports sizes_nonneg obeyed complete 0 (T - 1) (2 * T - 1) P U
    ltac:(lia) ltac:(lia)) as B.
  pose proof (sent_or_left k T sizes s sizes_nonneg obeyed 0 T P U) as C1.
  pose proof (late_half (0 + T) (T - 1) _ (left_over_unsent k T sizes s (0 + T) P) ltac:(lia)) as C2.
  pose proof (early_half (T - 1) T P U ltac:(lia)) as D.
  replace (0 + T + (T - 1)) with (2 * T - 1) in C2 by lia. replace (2 * T - 1 + 1) with (2 * T) in C2 by lia.
  replace (S (T - 1) + (T - 1)) with (2 * T - 1) in D by lia. cbn [Nat.add] in *.
  set (p := Spreading.paid sizes s (T - 1)). set (q := Spreading.paid sizes s (2 * T - 1)).
  pose proof (spent_parts sizes s 0 (T - 1) 1) as P1. replace (T - 1 + 1) with T in P1 by lia.
  pose proof (spent_parts sizes s 0 T (T - 1)) as P2. replace (T + (T - 1)) with (2 * T - 1) in P2 by lia.
  pose proof (spent_parts sizes s (2 * T - 1) 1 (T - 1)) as P3. replace (1 + (T - 1)) with T in P3 by lia.
  replace (2 * T - 1 + 1) with (2 * T) in P3 by lia.
  pose proof (spent_parts sizes s 0 (2 * T - 1) T) as P4. replace (2 * T - 1 + T) with R in P4 by lia.
  pose proof (spent_parts sizes s T (T - 1) T) as P5. replace (T - 1 + T) with (2 * T - 1) in P5 by lia.
  replace (T + (T - 1)) with (2 * T - 1) in P5 by lia. cbn [Nat.add] in *.
  change (Spreading.spent sizes s (T - 1) 1) with (p + 0)%Q in P1.
  change (Spreading.spent sizes s (2 * T - 1) 1) with (q + 0)%Q in P3.
  apply (times_eq k) in P1, P2, P3, P4, P5. rewrite times_plus in P1, P2, P3, P4, P5.
  rewrite times_plus in P1, P3. pose proof (times_more 3 k p (paid_nonneg sizes s _) K) as K1.
  pose proof (times_more 3 k q (paid_nonneg sizes s _) K) as K2. rewrite !times_next, times_none in K1, K2.
  assert (Z : (times k 0 == 0)%Q) by (unfold times; ring).
  unfold paid, spent, p, q in *. lra.
Qed.
End Protocol.
