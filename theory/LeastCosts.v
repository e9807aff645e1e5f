(** Lower bounds on the cost of every broadcast in the linear cost model: Lemmas A to C of
    docs/conjecture-31.md. *)

From Coq Require Import List Bool Arith QArith Lia Lqa.
From Schedsolve Require Import Definitions Replay LinearCost Amounts Spreading CostBounds TwoTrees.
Import ListNotations.
Local Open Scope nat_scope.

Section Broadcast.
Variables (k T R : nat) (sizes : list Q) (s : protocol).
Hypothesis broadcast : broadcasts k ((k + 1) ^ T) R sizes s.

Lemma broadcast_nonneg q : In q sizes -> (0 <= q)%Q.
Proof. destruct broadcast as [[A _] _]. apply A. Qed.

Lemma broadcast_whole : (total sizes == 1)%Q.
Proof. now destruct broadcast as [[_ A] _]. Qed.

Lemma broadcast_obeyed t : round_obeys k ((k + 1) ^ T) (length sizes) (nth t s []) (fun v p => known s t v p = true).
Proof. destruct broadcast as [_ [_ [A _]]]. now apply obeys_known. Qed.

Lemma broadcast_complete v p : v < (k + 1) ^ T -> p < length sizes -> known s R v p = true.
Proof.
  destruct broadcast as [_ [L [_ A]]]. intros V D. specialize (A v p V D).
  rewrite <- (firstn_all s) in A. apply known_spec in A; [|lia].
  replace R with (length s + (R - length s)) by lia. now apply known_stays.
Qed.

Lemma broadcast_cost : (cost sizes s == spent sizes s 0 R)%Q.
Proof.
  destruct broadcast as [_ [L _]]. replace R with (length s + (R - length s)) by lia.
  rewrite spent_parts. unfold spent at 1, paid, cost. rewrite (map_nths (round_cost sizes)).
  enough (spent sizes s (0 + length s) (R - length s) == 0)%Q as ->; [ring|].
  generalize (R - length s). intros m. assert (H : length s <= 0 + length s) by lia. revert H.
  generalize (0 + length s). induction m as [|m IH]; intros t H; [reflexivity|].
  rewrite spent_next, IH by lia. unfold paid. rewrite nth_overflow by lia. reflexivity.
Qed.
End Broadcast.

Lemma quotient_le a b c : 1 <= b -> (inject_Z (Z.of_nat a) <= times b c)%Q -> (quotient a b <= c)%Q.
Proof.
  intros B H. unfold quotient. apply Qle_shift_div_r.
  - change 0%Q with (inject_Z 0). rewrite <- Zlt_Qlt. lia.
  - rewrite Qmult_comm. exact H.
Qed.

(** Lemma A with one port: f_T(T - 1) is at least 2 - 1/T, which is (31). *)
Theorem lemma_A_one_port T sizes s : 1 <= T -> broadcasts 1 (2 ^ T) (T + (T - 1)) sizes s ->
  (quotient (T + (T - 1)) T <= cost sizes s)%Q.
Proof.
  intros HT B. change (2 ^ T) with ((1 + 1) ^ T) in B. rewrite (broadcast_cost _ _ _ _ _ B).
  pose proof (cost_A 1 T (T + (T - 1)) sizes s ltac:(lia) (broadcast_nonneg _ _ _ _ _ B)
    (broadcast_obeyed _ _ _ _ _ B) (broadcast_complete _ _ _ _ _ B) HT eq_refl) as A.
  pose proof (broadcast_whole _ _ _ _ _ B) as W. apply quotient_le; [exact HT|]. rewrite spent_parts.
  set (y := spent sizes s (0 + T) (T - 1)) in *.
  assert (F : (times (length (seq 0 T)) (1 - y) <= spent sizes s 0 T)%Q).
  { apply total_least. intros i I. apply in_seq in I. destruct (A i ltac:(lia)) as [_ H].
    rewrite times_next, times_none in H. simpl in y. fold y in H. lra. }
  destruct (A 0 ltac:(lia)) as [G _]. rewrite times_next, times_none in G.
  pose proof (spent_parts sizes s 0 (T - 1) 1) as E. replace (T - 1 + 1) with T in E by lia.
  change (spent sizes s (0 + (T - 1)) 1) with (paid sizes s (T - 1) + 0)%Q in E.
  rewrite seq_length in F. set (x := spent sizes s 0 T) in *.
  assert (X : (1 <= x)%Q) by lra. clear - HT X F.
  assert (M : (times (T - 1) 1 <= times (T - 1) x)%Q) by now apply times_le.
  rewrite Nat2Z.inj_add, inject_Z_plus.
  assert (N : (times T x == x + times (T - 1) x)%Q) by (rewrite <- times_next; now replace (S (T - 1)) with T by lia).
  rewrite times_plus, N. unfold times in *. lra.
Qed.

(** Lemma A with more ports: f_T(T - 1) is at least 2/k. *)
Theorem lemma_A k T sizes s : 2 <= k -> 1 <= T -> broadcasts k ((k + 1) ^ T) (T + (T - 1)) sizes s ->
  (quotient 2 k <= cost sizes s)%Q.
Proof.
  intros K HT B. rewrite (broadcast_cost _ _ _ _ _ B).
  destruct (cost_A k T (T + (T - 1)) sizes s ltac:(lia) (broadcast_nonneg _ _ _ _ _ B)
    (broadcast_obeyed _ _ _ _ _ B) (broadcast_complete _ _ _ _ _ B) HT eq_refl (T - 1) ltac:(lia)) as [G H].
  pose proof (broadcast_whole _ _ _ _ _ B) as W. apply quotient_le; [lia|]. rewrite spent_parts, times_plus.
  pose proof (spent_parts sizes s 0 (T - 1) 1) as E. replace (T - 1 + 1) with T in E by lia.
  change (spent sizes s (0 + (T - 1)) 1) with (paid sizes s (T - 1) + 0)%Q in E. simpl (0 + T).
  pose proof (times_plus k (spent sizes s 0 (T - 1)) (paid sizes s (T - 1))) as F.
  pose proof (times_more 2 k _ (paid_nonneg sizes s (T - 1)) K) as M. rewrite !times_next, times_none in M.
  assert (X : (times k (spent sizes s 0 T) == times k (spent sizes s 0 (T - 1)) + times k (paid sizes s (T - 1)))%Q)
    by (rewrite (times_eq k _ _ E), times_plus, Qplus_0_r; lra).
  rewrite X. change (inject_Z (Z.of_nat 2)) with 2%Q. lra.
Qed.

(** Lemma B: f_T(r) is at least (j + 1)/(jk) for r <= j(T - 1) - 1.  With j = 1 it is Proposition 22 of the paper. *)
Theorem lemma_B k T j r sizes s : 1 <= k -> 1 <= j -> r + 1 <= j * (T - 1) ->
  broadcasts k ((k + 1) ^ T) (T + r) sizes s -> (quotient (j + 1) (j * k) <= cost sizes s)%Q.
Proof.
  intros K J L B. rewrite (broadcast_cost _ _ _ _ _ B). destruct j as [|j]; [lia|].
  pose proof (cost_B k T (T + r) sizes s K (broadcast_nonneg _ _ _ _ _ B)
    (broadcast_obeyed _ _ _ _ _ B) (broadcast_complete _ _ _ _ _ B) j 0 r (fun _ => true)) as A.
  assert (N : (total sizes <= measure sizes (fun _ => true))%Q) by now apply measure_all.
  pose proof (broadcast_whole _ _ _ _ _ B) as W. apply quotient_le; [nia|].
  apply Qle_trans with (times (S (S j)) (measure sizes (fun _ => true))).
  - rewrite <- (Qmult_1_r (inject_Z _)). rewrite Nat.add_1_r. apply times_le. lra.
  - apply Qle_trans with (times (S j) (times k (spent sizes s 0 (T + r)))).
    + apply A; [apply unsent_first|reflexivity|exact L].
    + unfold times. rewrite Nat2Z.inj_mul, inject_Z_mult. apply Qle_lteq. right. ring.
Qed.

(** Lemma C: f_T(2T - 1) is at least 3/(2k) for k >= 3. *)
Theorem lemma_C k T sizes s : 3 <= k -> 1 <= T -> broadcasts k ((k + 1) ^ T) (T + (2 * T - 1)) sizes s ->
  (quotient 3 (2 * k) <= cost sizes s)%Q.
Proof.
  intros K HT B. rewrite (broadcast_cost _ _ _ _ _ B).
  pose proof (cost_C k T (T + (2 * T - 1)) sizes s ltac:(lia) (broadcast_nonneg _ _ _ _ _ B)
    (broadcast_obeyed _ _ _ _ _ B) (broadcast_complete _ _ _ _ _ B) HT K eq_refl) as A.
  pose proof (broadcast_whole _ _ _ _ _ B) as W. apply quotient_le; [lia|].
  unfold times in *. rewrite Nat2Z.inj_mul, inject_Z_mult. change (inject_Z (Z.of_nat 3)) with 3%Q.
  change (inject_Z (Z.of_nat 2)) with 2%Q. lra.
Qed.
