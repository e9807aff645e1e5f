(** Lower bounds on the cost of every broadcast in the linear cost model: Lemmas A to C of
    docs/conjecture-31.md. *)

From Coq Require Import List Bool Arith QArith Lia Lqa.
From Schedsolve Require Import Definitions Replay LinearCost Amounts Spreading CostBounds TwoTrees Steps.
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

(** What holds for all amounts that only the source has holds for the whole message. *)
Lemma at_least k T r sizes s : 1 <= T -> broadcasts k ((k + 1) ^ T) (T + r) sizes s ->
  bound k T (T + r) sizes s r -> (quotient (T + r) (k * r + 1) <= cost sizes s)%Q.
Proof.
  intros HT B H. rewrite (broadcast_cost _ _ _ _ _ B). pose proof (broadcast_whole _ _ _ _ _ B) as W.
  assert (N : (total sizes <= measure sizes (fun _ => true))%Q) by now apply measure_all.
  specialize (H 0 (fun _ => true) (unsent_first k T sizes s _) eq_refl).
  apply quotient_le; [lia|]. apply Qle_trans with (2 := H). rewrite <- (Qmult_1_r (inject_Z _)).
  apply times_le. lra.
Qed.

(** Lemma A with one port: f_T(T - 1) is at least 2 - 1/T, which is (31). *)
Theorem lemma_A_one_port T sizes s : 1 <= T -> broadcasts 1 (2 ^ T) (T + (T - 1)) sizes s ->
  (quotient (T + (T - 1)) T <= cost sizes s)%Q.
Proof.
  intros HT B. change (2 ^ T) with ((1 + 1) ^ T) in B.
  replace T with (1 * (T - 1) + 1) at 3 by lia. apply (at_least 1 T); [lia|exact B|].
  apply bound_last; [exact (broadcast_nonneg _ _ _ _ _ B)|exact (broadcast_obeyed _ _ _ _ _ B)|
    exact (broadcast_complete _ _ _ _ _ B)|exact HT].
Qed.

(** Lemma A with more ports: f_T(T - 1) is at least 2/k. *)
Theorem lemma_A k T sizes s : 2 <= k -> 1 <= T -> broadcasts k ((k + 1) ^ T) (T + (T - 1)) sizes s ->
  (quotient 2 k <= cost sizes s)%Q.
Proof.
  intros K HT B. rewrite (broadcast_cost _ _ _ _ _ B).
  destruct (cost_A k T (T + (T - 1)) sizes s ltac:(lia) (broadcast_nonneg _ _ _ _ _ B)
    (broadcast_obeyed _ _ _ _ _ B) (broadcast_complete _ _ _ _ _ B) 0 (fun _ => true) (T - 1)
    (unsent_first k T sizes s _) eq_refl ltac:(lia)) as [G H].
  assert (N : (total sizes <= measure sizes (fun _ => true))%Q) by now apply measure_all.
  pose proof (broadcast_whole _ _ _ _ _ B) as W. apply quotient_le; [lia|]. rewrite spent_parts, times_plus.
  pose proof (spent_parts sizes s 0 (T - 1) 1) as E. replace (T - 1 + 1) with T in E by lia.
  change (spent sizes s (0 + (T - 1)) 1) with (paid sizes s (T - 1) + 0)%Q in E. cbn [Nat.add] in *.
  apply (times_eq k) in E. rewrite Qplus_0_r, times_plus in E.
  pose proof (times_more 2 k _ (paid_nonneg sizes s (T - 1)) K) as M. rewrite !times_next, times_none in M.
  change (inject_Z (Z.of_nat 2)) with 2%Q. lra.
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

(** The lower side of (31) in the residue classes of T that the lemmas begin. *)
Theorem least_in_class k T r m sizes s : 1 <= k -> 1 <= T ->
  r = 0 \/ (k = 1 /\ (r + 1 = T \/ r + 2 = T)) ->
  broadcasts k ((k + 1) ^ T) (T + (r + m * T)) sizes s ->
  (quotient (T + (r + m * T)) (k * (r + m * T) + 1) <= cost sizes s)%Q.
Proof.
  intros K HT C B. apply (at_least k T); [exact HT|exact B|].
  pose proof (broadcast_nonneg _ _ _ _ _ B) as N. pose proof (broadcast_obeyed _ _ _ _ _ B) as O.
  pose proof (broadcast_complete _ _ _ _ _ B) as E. apply bound_in_class; auto.
  destruct C as [->|[-> [C|C]]].
  - now apply bound_none.
  - replace r with (T - 1) in * by lia. apply bound_last; auto.
  - replace r with (T - 2) in * by lia. apply bound_last_but_one; auto. lia.
Qed.

(** With one port and T <= 3 these are all. *)
Theorem least_with_one_port T r sizes s : 1 <= T -> T <= 3 -> broadcasts 1 (2 ^ T) (T + r) sizes s ->
  (quotient (T + r) (r + 1) <= cost sizes s)%Q.
Proof.
  intros HT L B. pose proof (Nat.div_mod r T ltac:(lia)) as D. pose proof (Nat.mod_upper_bound r T ltac:(lia)) as M.
  set (i := r mod T) in *. set (m := r / T) in *. clearbody i m. replace r with (i + m * T) in * by lia.
  pose proof (least_in_class 1 T i m sizes s ltac:(lia) HT ltac:(lia) B) as F.
  now rewrite Nat.mul_1_l in F.
Qed.
