(** The lower side of (31) for r + T extra rounds follows from that for r; and where such a row of steps begins. *)

From Coq Require Import List Bool Arith QArith Lia Lqa.
From Schedsolve Require Import Definitions Replay LinearCost Amounts Spreading CostBounds Trails.
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
Hypothesis dimension : 1 <= T.

(** In T rounds no amount comes to all nodes for less than T times its size. *)
Lemma amounts_for_all t P a : unsent k T sizes s t P -> (forall v, v < n -> (a <= held sizes s P (t + T) v)%Q) ->
  (times T a <= spent sizes s t T)%Q.
Proof.
  intros U H. set (e := Trail 0 P 0 0).
  pose proof (all_nodes_by_trails k n sizes s sizes_nonneg obeyed P T t [e]) as A.
  assert (N : 1 < n) by (unfold n; apply Nat.pow_gt_1; lia).
  assert (B : (times (n - 1) a <= trails k (map (paid sizes s) (seq t T)) 0 0)%Q).
  { apply Qle_trans with (total (map (held sizes s P (t + T)) (seq 1 (n - 1)))).
    - rewrite <- (seq_length (n - 1) 1) at 1. apply total_least. intros v I. apply in_seq in I. apply H. lia.
    - apply Qle_trans with (total (map (mean k (map (paid sizes s) (seq t T))) [e])).
      + apply A.
        * intros f [<-|[]]. split; [apply Qle_refl|]. left. repeat split.
        * intros v p I D Q K. exists e. split; [now left|]. split; [|exact Q]. simpl.
          destruct (Nat.eq_dec v 0) as [Z|Z]; [now symmetry|exfalso]. apply in_seq in I. specialize (U p D Q).
          enough (out ((k + 1) ^ T) s t p = true) by congruence. apply out_spec. exists v. fold n. split; [lia|now split].
      + change (trails k (map (paid sizes s) (seq t T)) 0 0 + 0 <= trails k (map (paid sizes s) (seq t T)) 0 0)%Q. lra. }
  apply (times_le T) in B. pose proof (all_trails k (map (paid sizes s) (seq t T))) as C.
  rewrite map_length, seq_length in C. fold (spent sizes s t T) in C. fold n in C. rewrite C in B.
  assert (F : (inject_Z (Z.of_nat n) - 1 == inject_Z (Z.of_nat (n - 1)))%Q).
  { rewrite Nat2Z.inj_sub by lia. unfold Zminus. rewrite inject_Z_plus, inject_Z_opp. reflexivity. }
  rewrite F in B. assert (Z : (0 < inject_Z (Z.of_nat (n - 1)))%Q) by (change 0%Q with (inject_Z 0); rewrite <- Zlt_Qlt; lia).
  apply (Qmult_le_l _ _ _ Z). unfold times in *. lra.
Qed.

(** (31) from below, for whatever is known to the source only when T + r rounds are left. *)
Definition bound (r : nat) : Prop := forall t P, unsent k T sizes s t P -> t + (T + r) = R ->
  (times (T + r) (measure sizes P) <= times (k * r + 1) (spent sizes s t (T + r)))%Q.

Lemma times_sum i j q : (times (i + j) q == times i q + times j q)%Q.
Proof. unfold times. rewrite Nat2Z.inj_add, inject_Z_plus. ring. Qed.

Lemma times_product i j q : (times (i * j) q == times i (times j q))%Q.
Proof. unfold times. rewrite Nat2Z.inj_mul, inject_Z_mult. ring. Qed.

Lemma times_one q : (times 1 q == q)%Q.
Proof. rewrite times_next, times_none. ring. Qed.

Lemma bound_none : bound 0.
Proof.
  intros t P U E. rewrite Nat.mul_0_r, Nat.add_0_r, times_one. apply (amounts_for_all t P); [exact U|].
  intros v V. pose proof (must_be_held k T R sizes s sizes_nonneg obeyed complete (t + T) 0 P v V ltac:(lia)) as A.
  change (spent sizes s (t + T) 0) with 0%Q in A. unfold times in A. lra.
Qed.

(** Lemma 26 of the paper: the first T rounds, and the others. *)
Lemma bound_step r : bound r -> bound (r + T).
Proof.
  intros H t P U E. set (m := measure sizes P).
  pose proof (sent_or_left k T sizes s sizes_nonneg obeyed t T P U) as A. fold m in A.
  pose proof (H (t + T) _ (left_over_unsent k T sizes s (t + T) P) ltac:(lia)) as B.
  assert (C : (times T (m - times k (spent sizes s (t + T) (T + r))) <= spent sizes s t T)%Q).
  { apply (amounts_for_all t P); [exact U|]. intros v V.
    pose proof (must_be_held k T R sizes s sizes_nonneg obeyed complete (t + T) (T + r) P v V ltac:(lia)) as C.
    fold m in C. lra. }
  pose proof (spent_parts sizes s t T (T + r)) as S. replace (T + (T + r)) with (T + (r + T)) in S by lia.
  rewrite S. set (x := spent sizes s t T) in *. set (y := spent sizes s (t + T) (T + r)) in *.
  set (m' := measure sizes (left_over k T s (t + T) P)) in *. clear - A B C.
  apply (times_le (T + r)) in A. unfold times in *.
  rewrite ?Nat2Z.inj_add, ?Nat2Z.inj_mul, ?inject_Z_plus, ?inject_Z_mult,
    ?Nat2Z.inj_add, ?inject_Z_plus in *. change (inject_Z (Z.of_nat 1)) with 1%Q in *.
  set (k' := inject_Z (Z.of_nat k)) in *. set (T' := inject_Z (Z.of_nat T)) in *.
  set (r' := inject_Z (Z.of_nat r)) in *. lra.
Qed.

Lemma bound_in_class r m : bound r -> bound (r + m * T).
Proof.
  intros H. induction m as [|m IH]; [now rewrite Nat.add_0_r|].
  replace (r + S m * T) with (r + m * T + T) by lia. now apply bound_step.
Qed.
End Protocol.

(** ** With one port *)

Section OnePort.
Variables (T R : nat) (sizes : list Q) (s : protocol).
Let n := (1 + 1) ^ T.
Hypothesis sizes_nonneg : forall q, In q sizes -> (0 <= q)%Q.
Hypothesis obeyed : forall t, round_obeys 1 n (length sizes) (nth t s []) (fun v p => known s t v p = true).
Hypothesis complete : forall v p, v < n -> p < length sizes -> known s R v p = true.
Hypothesis dimension : 1 <= T.

(** Lemma A: the least of T rounds costs a T-th of them at most. *)
Lemma bound_last : bound 1 T R sizes s (T - 1).
Proof.
  intros t P U E. replace (1 * (T - 1) + 1) with T by lia. set (m := measure sizes P).
  pose proof (fun i => cost_A 1 T R sizes s ltac:(lia) sizes_nonneg obeyed complete t P i U E) as A. fold m in A.
  set (y := spent sizes s (t + T) (T - 1)) in *.
  assert (F : (times (length (seq t T)) (m - y) <= spent sizes s t T)%Q).
  { apply total_least. intros i I. apply in_seq in I. destruct (A (i - t) ltac:(lia)) as [_ H].
    replace (t + (i - t)) with i in H by lia. rewrite times_one in H. lra. }
  rewrite seq_length in F. destruct (A 0 ltac:(lia)) as [G _]. rewrite times_one in G.
  pose proof (spent_parts sizes s t (T - 1) 1) as E'. replace (T - 1 + 1) with T in E' by lia.
  change (spent sizes s (t + (T - 1)) 1) with (paid sizes s (t + (T - 1)) + 0)%Q in E'.
  rewrite spent_parts. fold y. set (x := spent sizes s t T) in *.
  assert (X : (m <= x)%Q) by lra. apply (times_le (T - 1)) in X.
  assert (N : (times T x == x + times (T - 1) x)%Q) by (rewrite <- times_next; now replace (S (T - 1)) with T by lia).
  rewrite times_sum, times_plus, N. unfold times in *. lra.
Qed.

(** Proposition 22. *)
Lemma bound_last_but_one : 2 <= T -> bound 1 T R sizes s (T - 2).
Proof.
  intros H t P U E. replace (1 * (T - 2) + 1) with (T - 1) by lia.
  pose proof (cost_B 1 T R sizes s ltac:(lia) sizes_nonneg obeyed complete 0 t (T - 2) P U E ltac:(lia)) as B.
  rewrite !times_next, !times_none in B. replace (T + (T - 2)) with ((T - 1) * 2) by lia.
  replace ((T - 1) * 2) with (T + (T - 2)) at 2 by lia. rewrite times_product. apply times_le.
  rewrite !times_next, times_none. lra.
Qed.
End OnePort.
