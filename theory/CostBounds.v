(** Lower bounds on what is paid in a broadcast of the linear cost model, in sums over its rounds; [LeastCosts]
    has what follows for f_T(r).  The steps are those of docs/conjecture-31.md. *)

From Coq Require Import List Bool Arith QArith Lia Lqa.
From Schedsolve Require Import Definitions Replay LinearCost Amounts Spreading.
Import ListNotations.
Local Open Scope nat_scope.
Local Open Scope bool_scope.

Section Protocol.
Variables (k T R : nat) (sizes : list Q) (s : protocol).
Hypothesis ports : 1 <= k.
Let n := (k + 1) ^ T.
Let d := length sizes.
Hypothesis sizes_nonneg : forall q, In q sizes -> (0 <= q)%Q.
Hypothesis obeyed : forall t, round_obeys k n d (nth t s []) (fun v p => known s t v p = true).
Hypothesis complete : forall v p, v < n -> p < d -> known s R v p = true.

Let paid := paid sizes s.
Let spent := spent sizes s.
Let out := out n s.

Lemma powers a b : (k + 1) ^ a <= (k + 1) ^ b -> a <= b.
Proof. intros H. destruct (le_lt_dec a b) as [L|L]; [exact L|]. pose proof (Nat.pow_lt_mono_r (k + 1) b a). lia. Qed.

Lemma some_power a : 1 <= (k + 1) ^ a.
Proof. pose proof (Nat.pow_nonzero (k + 1) a). lia. Qed.

(** Of P, only the source knows anything after t rounds. *)
Definition unsent (t : nat) (P : nat -> bool) : Prop := forall p, p < d -> P p = true -> out t p = false.

Lemma unsent_first P : unsent 0 P.
Proof.
  intros p _ _. destruct (out 0 p) eqn:O; [|reflexivity]. apply out_spec in O. destruct O as [v [_ [Z K]]].
  simpl in K. apply Nat.eqb_eq in K. tauto.
Qed.

Lemma count_unsent t P : unsent t P -> count n sizes s P t <= 1.
Proof.
  intros U. unfold count. change 1 with (length [0]). apply NoDup_incl_length; [apply NoDup_filter, seq_NoDup|].
  intros v H. apply filter_In in H. destruct H as [V H]. apply informed_spec in H. destruct H as [p [D [A B]]].
  left. destruct (Nat.eq_dec v 0) as [E|E]; [auto|]. specialize (U p D A). apply in_seq in V.
  enough (out t p = true) by congruence. apply out_spec. exists v. split; [lia|now split].
Qed.

Lemma count_end P p : p < d -> P p = true -> count n sizes s P R = n.
Proof.
  intros D A. unfold count. rewrite filter_true; [apply seq_length|].
  intros v V. apply in_seq in V. apply informed_spec. exists p. split; [exact D|]. split; [exact A|].
  apply complete; [lia|exact D].
Qed.

Definition only (p q : nat) : bool := q =? p.

Lemma unsent_only t P p : unsent t P -> P p = true -> unsent t (only p).
Proof. intros U A q D E. apply Nat.eqb_eq in E. subst. now apply U. Qed.

(** A packet that the source has not sent T rounds before the end comes too late. *)
Lemma too_late t P p : unsent t P -> p < d -> P p = true -> t <= R -> T <= R - t.
Proof.
  intros U D A L. pose proof (count_unsent t _ (unsent_only t P p U A)) as C.
  pose proof (count_later k n sizes s obeyed (only p) t (R - t)) as M.
  replace (t + (R - t)) with R in M by lia. rewrite (count_end (only p) p D (Nat.eqb_refl p)) in M.
  apply powers. fold n. nia.
Qed.

Definition left_over (t : nat) (P : nat -> bool) (p : nat) : bool := P p &&& negb (out t p).

Lemma left_over_unsent t P : unsent t (left_over t P).
Proof. intros p _ H. apply and_true in H. destruct H as [_ H]. now apply negb_true_iff in H. Qed.

(** The source sends in m rounds at most k times what they cost. *)
Lemma sent_or_left t m P : unsent t P ->
  (measure sizes P <= times k (spent t m) + measure sizes (left_over (t + m) P))%Q.
Proof.
  intros U. pose proof (abroad_later k n sizes s sizes_nonneg obeyed P t m) as A.
  assert (N : (abroad n sizes s P t <= 0)%Q).
  { apply measure_none. intros p D. specialize (U p D). fold (out t p). destruct (P p); [now apply U|reflexivity]. }
  assert (S : (measure sizes P <= abroad n sizes s P (t + m) + measure sizes (left_over (t + m) P))%Q).
  { apply Qle_trans with (2 := measure_or sizes sizes_nonneg _ _). apply measure_mono; [exact sizes_nonneg|].
    intros p _ E. unfold left_over, out. rewrite E. destruct (Spreading.out n s (t + m) p); reflexivity. }
  unfold spent. lra.
Qed.

(** Every node receives in m rounds at most k times what they cost; so who knows little before knows little after. *)
Lemma must_be_held t m P v : v < n -> t + m = R ->
  (measure sizes P <= held sizes s P t v + times k (spent t m))%Q.
Proof.
  intros V E. apply Qle_trans with (2 := held_later k n sizes s sizes_nonneg obeyed P t m v). rewrite E.
  apply measure_mono; [exact sizes_nonneg|]. intros p D A. rewrite A. now apply complete.
Qed.

(** What is first sent T rounds before the end goes along all links of the source at once. *)
Lemma last_chance t P : unsent t P -> t + T = R -> 1 <= T -> (measure sizes P <= paid t)%Q.
Proof.
  intros U E HT.
  assert (All : forall p, p < d -> P p = true -> 1 <= length (sent_by s t 0) /\
    forall x, In x (sent_by s t 0) -> In p (brought x)).
  { intros p D A. pose proof (count_unsent t _ (unsent_only t P p U A)) as C.
    pose proof (count_later k n sizes s obeyed (only p) (S t) (T - 1)) as M.
    replace (S t + (T - 1)) with R in M by lia. rewrite (count_end (only p) p D (Nat.eqb_refl p)) in M.
    assert (F : n = (k + 1) ^ (T - 1) * (k + 1)).
    { unfold n. replace T with (S (T - 1)) at 1 by lia. rewrite Nat.pow_succ_r'. lia. }
    assert (Two : k + 1 <= count n sizes s (only p) (S t)) by (pose proof (some_power (T - 1)); nia).
    assert (I : count n sizes s (only p) (S t)
      <= length (0 :: map receiver (filter (fun x => one_of (brought x) p) (sent_by s t 0)))).
    { apply NoDup_incl_length; [apply NoDup_filter, seq_NoDup|]. intros v H. apply filter_In in H.
      destruct H as [V H]. apply in_seq in V. apply informed_spec in H. destruct H as [q [_ [Q H]]].
      apply Nat.eqb_eq in Q. subst q. apply known_next in H.
      assert (Src : forall u, u < n -> known s t u p = true -> u = 0).
      { intros u L K. destruct (Nat.eq_dec u 0) as [Z|Z]; [exact Z|]. specialize (U p D A).
        enough (out t p = true) by congruence. apply out_spec. exists u. now split. }
      destruct H as [H|[x [X [V' Q]]]]; [left; symmetry; apply Src; [lia|exact H]|right].
      apply in_map_iff. exists x. split; [exact V'|]. apply filter_In. rewrite one_of_spec. split; [|exact Q].
      apply filter_In. split; [exact X|]. apply Nat.eqb_eq.
      destruct (ends_inside k n sizes s obeyed t x X) as [L _].
      destruct (sender_knows k n sizes s obeyed t x p X Q) as [_ K]. now apply Src. }
    simpl in I. rewrite map_length in I. pose proof (few_sent k n sizes s obeyed t 0) as Few.
    assert (Full : length (sent_by s t 0) <= length (filter (fun x => one_of (brought x) p) (sent_by s t 0))) by lia.
    split.
    - destruct (sent_by s t 0); simpl in *; lia.
    - intros x X. apply one_of_spec. now apply (filter_all _ _ Full). }
  destruct (sent_by s t 0) as [|x l] eqn:L.
  - apply Qle_trans with 0%Q; [|apply paid_nonneg]. apply measure_none. intros p D.
    destruct (P p) eqn:A; [|reflexivity]. destruct (All p D A) as [Z _]. simpl in Z. lia.
  - apply Qle_trans with (measure sizes (one_of (brought x))).
    + apply measure_mono; [exact sizes_nonneg|]. intros p D A. apply one_of_spec, (All p D A). now left.
    + apply one_message; [exact sizes_nonneg|].
      assert (X : In x (sent_by s t 0)) by (rewrite L; now left). apply filter_In in X. tauto.
Qed.

Lemma someone_uninformed t P : count n sizes s P t < n -> exists v, v < n /\ (held sizes s P t v <= 0)%Q.
Proof.
  intros H. destruct (filter_some (fun _ => true) (informed sizes s P t) (seq 0 n)) as [v [V [_ F]]].
  - rewrite (filter_true (fun _ => true)), seq_length by reflexivity. exact H.
  - exists v. apply in_seq in V. split; [lia|]. apply measure_none. intros p D.
    destruct (P p &&& known s t v p) eqn:K; [|reflexivity]. apply and_true in K.
    enough (informed sizes s P t v = true) by congruence. apply informed_spec. now exists p.
Qed.

(** While the number of informed nodes multiplies by k + 1 a round, every node gets one message, and no more. *)
Lemma grown_exactly t P : (k + 1) * count n sizes s P t <= count n sizes s P (S t) -> NoDup (reached n sizes s P t).
Proof.
  intros H. apply NoDup_incl_NoDup with (l := filter (informed sizes s P (S t)) (seq 0 n)).
  - apply NoDup_filter, seq_NoDup.
  - apply Nat.le_trans with (1 := reached_few k n sizes s obeyed P t). exact H.
  - apply (reached_spec k n sizes s obeyed).
Qed.

Lemma from_telling t P v p : p < d -> P p = true -> known s (S t) v p = true -> known s t v p = true \/
  exists x, In x (telling sizes s P t) /\ receiver x = v /\ In p (brought x) /\ In x (nth t s []).
Proof.
  intros D A K. apply known_next in K. destruct K as [K|[x [I [V Q]]]]; [now left|right]. exists x.
  split; [|auto]. apply filter_In. split; [exact I|]. apply informed_spec. exists p. split; [exact D|]. split; [exact A|].
  now apply (sender_knows k n sizes s obeyed t x p).
Qed.

Lemma one_message_held t P v : informed sizes s P t v = false ->
  (forall x y, In x (telling sizes s P t) -> In y (telling sizes s P t) -> receiver x = v -> receiver y = v -> x = y) ->
  (held sizes s P (S t) v <= paid t)%Q.
Proof.
  intros F One.
  destruct (find (fun x => receiver x =? v) (telling sizes s P t)) as [x|] eqn:E.
  - apply find_some in E. destruct E as [X E]. apply Nat.eqb_eq in E.
    apply Qle_trans with (measure sizes (one_of (brought x))).
    + apply measure_mono; [exact sizes_nonneg|]. intros p D H. apply and_true in H. destruct H as [A K].
      destruct (from_telling t P v p D A K) as [K'|[y [Y [V [Q _]]]]].
      * enough (informed sizes s P t v = true) by congruence. apply informed_spec. now exists p.
      * rewrite (One x y X Y E V). now apply one_of_spec.
    + apply one_message; [exact sizes_nonneg|]. apply filter_In in X. tauto.
  - apply Qle_trans with 0%Q; [|apply paid_nonneg]. apply measure_none. intros p D.
    destruct (P p &&& known s (S t) v p) eqn:H; [|reflexivity]. apply and_true in H. destruct H as [A K].
    destruct (from_telling t P v p D A K) as [K'|[y [Y [V [Q _]]]]].
    + enough (informed sizes s P t v = true) by congruence. apply informed_spec. now exists p.
    + apply find_none with (x := y) in E; [|exact Y]. rewrite V, Nat.eqb_refl in E. discriminate.
Qed.

Lemma nothing_new t P v : v < n -> NoDup (reached n sizes s P t) -> informed sizes s P t v = true ->
  (held sizes s P (S t) v <= held sizes s P t v)%Q.
Proof.
  intros V N F. apply measure_mono; [exact sizes_nonneg|]. intros p D H. apply and_true in H. destruct H as [A K].
  rewrite A. destruct (from_telling t P v p D A K) as [K'|[y [Y [E [Q _]]]]]; [exact K'|exfalso].
  unfold reached in N. assert (I : In v (filter (informed sizes s P t) (seq 0 n))).
  { apply filter_In. rewrite in_seq. split; [lia|exact F]. }
  apply in_split in I. destruct I as [l1 [l2 I]]. rewrite I in N. rewrite <- app_assoc in N. simpl in N.
  apply NoDup_remove_2 in N. apply N. rewrite !in_app_iff. right. right. apply in_map_iff. now exists y.
Qed.

Lemma informed_stays t m P v : informed sizes s P t v = true -> informed sizes s P (t + m) v = true.
Proof.
  intros H. apply informed_spec in H. apply informed_spec. destruct H as [p [D [A K]]]. exists p.
  split; [exact D|]. split; [exact A|]. now apply known_stays.
Qed.

(** If T rounds inform all, who is informed in one of them gets no more than one message in all of them. *)
Lemma one_message_each t i m P : unsent t P -> i < T -> t + T + m = R ->
  (measure sizes P <= paid (t + i) + times k (spent (t + T) m))%Q.
Proof.
  intros U L E. pose proof (count_unsent t P U) as C0.
  destruct (le_lt_dec n (count n sizes s P (t + T))) as [Full|Short].
  - assert (Exact : forall j, j <= T -> count n sizes s P (t + j) = (k + 1) ^ j).
    { intros j J. pose proof (count_later k n sizes s obeyed P t j) as X.
      pose proof (count_later k n sizes s obeyed P (t + j) (T - j)) as Y.
      replace (t + j + (T - j)) with (t + T) in Y by lia.
      assert (F : n = (k + 1) ^ (T - j) * (k + 1) ^ j).
      { unfold n. rewrite <- Nat.pow_add_r. f_equal. lia. }
      pose proof (some_power (T - j)). pose proof (some_power j). nia. }
    assert (Once : forall j, j < T -> NoDup (reached n sizes s P (t + j))).
    { intros j J. apply grown_exactly. rewrite <- Nat.add_succ_r, !Exact by lia. rewrite Nat.pow_succ_r'. lia. }
    destruct (filter_some (informed sizes s P (t + S i)) (informed sizes s P (t + i)) (seq 0 n)) as [v [V [Y N]]].
    + fold (count n sizes s P (t + S i)). fold (count n sizes s P (t + i)). rewrite !Exact by lia.
      rewrite Nat.pow_succ_r'. pose proof (some_power i). nia.
    + apply in_seq in V. assert (H : forall j, t + S i + j <= t + T -> (held sizes s P (t + S i + j) v <= paid (t + i))%Q).
      { induction j as [|j IH]; intros J.
        - rewrite Nat.add_0_r, Nat.add_succ_r. apply one_message_held; [exact N|].
          intros x y X X' V1 V2. apply (once receiver) with (l := telling sizes s P (t + i)); [|exact X|exact X'|congruence].
          apply (nodup_right (filter (informed sizes s P (t + i)) (seq 0 n))), Once, L.
        - rewrite Nat.add_succ_r. apply Qle_trans with (2 := IH ltac:(lia)). apply nothing_new; [lia| |].
          + replace (t + S i + j) with (t + (S i + j)) by lia. apply Once. lia.
          + now apply informed_stays. }
      specialize (H (T - S i) ltac:(lia)). replace (t + S i + (T - S i)) with (t + T) in H by lia.
      pose proof (must_be_held (t + T) m P v ltac:(lia) ltac:(lia)). lra.
  - destruct (someone_uninformed _ _ Short) as [v [V H]].
    pose proof (must_be_held (t + T) m P v V ltac:(lia)). pose proof (paid_nonneg sizes s (t + i)).
    unfold paid. lra.
Qed.

(** ** Lemma A *)

Lemma cost_A t P i : unsent t P -> t + (T + (T - 1)) = R -> i < T ->
  (measure sizes P <= times k (spent t (T - 1)) + paid (t + (T - 1)))%Q /\
  (measure sizes P <= paid (t + i) + times k (spent (t + T) (T - 1)))%Q.
Proof.
  intros U E L. split.
  - pose proof (sent_or_left t (T - 1) P U) as S.
    pose proof (last_chance (t + (T - 1)) (left_over (t + (T - 1)) P) (left_over_unsent (t + (T - 1)) P)
      ltac:(lia) ltac:(lia)). lra.
  - apply one_message_each; [exact U|exact L|lia].
Qed.

(** ** Lemma B *)

Lemma sent_early t m P : unsent t P -> t + m <= R -> R - (t + m) < T -> (measure sizes P <= times k (spent t m))%Q.
Proof.
  intros U L H. pose proof (sent_or_left t m P U) as S.
  assert (N : (measure sizes (left_over (t + m) P) <= 0)%Q).
  { apply measure_none. intros p D. destruct (left_over (t + m) P p) eqn:E; [|reflexivity].
    pose proof (too_late (t + m) _ p (left_over_unsent (t + m) P) D E L). lia. }
  lra.
Qed.

Lemma learnt_late t a m P : unsent t P -> a < T -> t + a + m = R ->
  (measure sizes P <= times k (spent (t + a) m))%Q.
Proof.
  intros U A E. destruct (someone_uninformed (t + a) P) as [v [V H]].
  - pose proof (count_unsent t P U). pose proof (count_later k n sizes s obeyed P t a).
    assert ((k + 1) ^ a < n) by (apply Nat.pow_lt_mono_r; lia). nia.
  - pose proof (must_be_held (t + a) m P v V E). lra.
Qed.

Lemma spent_more t a m : (spent t m <= spent t (a + m))%Q /\ (spent (t + a) m <= spent t (a + m))%Q.
Proof.
  pose proof (spent_parts sizes s t a m) as X. pose proof (spent_parts sizes s t m a) as Y.
  rewrite (Nat.add_comm m a) in Y. pose proof (spent_nonneg sizes s t a). pose proof (spent_nonneg sizes s (t + m) a).
  unfold spent. split; lra.
Qed.
Lemma cost_B j : forall t r P, unsent t P -> t + (T + r) = R -> r + 1 <= S j * (T - 1) ->
  (times (S (S j)) (measure sizes P) <= times (S j) (times k (spent t (T + r))))%Q.
Proof.
  assert (Base : forall t r P, unsent t P -> t + (T + r) = R -> r + 1 <= T - 1 ->
    (measure sizes P + measure sizes P <= times k (spent t (T + r)))%Q).
  { intros t r P U E L. pose proof (sent_early t (r + 1) P U ltac:(lia) ltac:(lia)) as A.
    pose proof (learnt_late t (T - 1) (r + 1) P U ltac:(lia) ltac:(lia)) as B.
    pose proof (spent_parts sizes s t (T - 1) (r + 1)) as S'. replace (T - 1 + (r + 1)) with (T + r) in S' by lia.
    destruct (spent_more t (T - 1 - (r + 1)) (r + 1)) as [M _].
    replace (T - 1 - (r + 1) + (r + 1)) with (T - 1) in M by lia.
    apply (times_le k) in M. apply (times_eq k) in S'. rewrite times_plus in S'. unfold spent in *. lra. }
  induction j as [|j IH]; intros t r P U E L.
  - rewrite !times_next, !times_none. pose proof (Base t r P U E ltac:(lia)). lra.
  - set (m := measure sizes P).
    destruct (le_lt_dec (T - 1) r) as [Late|Early].
    + pose proof (sent_or_left t (T - 1) P U) as A. fold m in A.
      pose proof (learnt_late t (T - 1) (r + 1) P U ltac:(lia) ltac:(lia)) as B. fold m in B.
      set (m' := measure sizes (left_over (t + (T - 1)) P)) in *.
      pose proof (IH (t + (T - 1)) (r - (T - 1)) _ (left_over_unsent (t + (T - 1)) P) ltac:(lia) ltac:(lia)) as C.
      fold m' in C. replace (T + (r - (T - 1))) with (r + 1) in C by lia.
      pose proof (spent_parts sizes s t (T - 1) (r + 1)) as S'. replace (T - 1 + (r + 1)) with (T + r) in S' by lia.
      apply (times_eq k) in S'. rewrite times_plus in S'. pose proof (times_eq (S j) _ _ S') as Y.
      rewrite times_plus in Y. pose proof (times_le (S j) _ _ A) as D. rewrite times_plus in D.
      rewrite (times_next (S (S j)) m), (times_next (S j) m), (times_next (S j) (times k _)).
      rewrite times_next in C. unfold spent in *. lra.
    + pose proof (Base t r P U E ltac:(lia)) as A. fold m in A.
      assert (N : (0 <= m)%Q) by now apply measure_nonneg.
      pose proof (times_le (S (S j)) _ _ A) as D. rewrite times_plus in D.
      pose proof (times_more 1 (S (S j)) m N ltac:(lia)) as F. rewrite times_next, times_none in F.
      rewrite (times_next (S (S j)) m). lra.
Qed.
End Protocol.
