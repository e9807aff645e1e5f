(** How much T rounds bring to all nodes together, by the paths in time that packets take: Lemma 11 of the paper of
    LinearCost.v.  From it, a step from r extra rounds to r + T (Lemma 26; docs/conjecture-31.md). *)

From Coq Require Import List Bool Arith QArith Qfield Lia Lqa.
From Schedsolve Require Import Definitions Replay LinearCost Amounts Spreading CostBounds.
Import ListNotations.
Local Open Scope nat_scope.
Local Open Scope bool_scope.

(** ** Means *)

Section Means.
Variable k : nat.
Let nat_q (i : nat) : Q := inject_Z (Z.of_nat i).

(** A trail has gone through i rounds that cost s together; in each of the rounds l it goes on to k nodes, and
    stays.  The mean costs of all the trails add up to this. *)
Fixpoint trails (l : list Q) (s : Q) (i : nat) : Q :=
  match l with
  | [] => (s / inject_Z (Z.of_nat i))%Q
  | a :: l => (trails l s i + times k (trails l (s + a) (S i)))%Q
  end.

Fixpoint share (m i : nat) : Q :=
  match m with
  | 0 => (/ inject_Z (Z.of_nat i))%Q
  | S m => (share m i + times k (share m (S i)))%Q
  end.

(** No round counts for more than another. *)
Lemma trails_linear l : forall s i,
  (trails l s i == s * share (length l) i + total l * times k (share (length l - 1) (S i)))%Q.
Proof.
  induction l as [|a l IH]; intros s i.
  { change (total []) with 0%Q. cbn [trails length share]. unfold Qdiv. rewrite Qmult_0_l, Qplus_0_r. reflexivity. }
  cbn [trails length share]. rewrite !IH. replace (S (length l) - 1) with (length l) by lia.
  change (total (a :: l)) with (a + total l)%Q. destruct l as [|b l].
  - unfold times. change (total []) with 0%Q. ring.
  - cbn [length]. replace (S (length l) - 1) with (length l) by lia. cbn [share]. unfold times. ring.
Qed.

Let power (m : nat) : Q := inject_Z (Z.of_nat ((k + 1) ^ m)).

Lemma power_next m : (power (S m) == power m + times k (power m))%Q.
Proof.
  unfold power, times. rewrite Nat.pow_succ_r', Nat2Z.inj_mul, Nat2Z.inj_add, inject_Z_mult, inject_Z_plus.
  change (inject_Z (Z.of_nat 1)) with 1%Q. ring.
Qed.

Lemma total_ones m : (total (repeat 1%Q m) == nat_q m)%Q.
Proof.
  induction m as [|m IH]; [reflexivity|]. change (1 + total (repeat 1 m) == nat_q (S m))%Q. rewrite IH.
  unfold nat_q. rewrite Nat2Z.inj_succ, <- Z.add_1_l, inject_Z_plus. reflexivity.
Qed.

Lemma trails_proper l : forall s s' i, (s == s')%Q -> (trails l s i == trails l s' i)%Q.
Proof.
  induction l as [|a l IH]; simpl; intros s s' i H; [now rewrite H|].
  rewrite (IH s s' i H), (IH (s + a)%Q (s' + a)%Q (S i)) by now rewrite H. reflexivity.
Qed.

Lemma trails_ones m : forall i, 1 <= i -> (trails (repeat 1%Q m) (nat_q i) i == power m)%Q.
Proof.
  induction m as [|m IH]; intros i H; simpl trails.
  - fold (nat_q i). unfold power. simpl. field. unfold nat_q. intros Z.
    unfold Qeq in Z. simpl in Z. lia.
  - rewrite IH by exact H. rewrite (trails_proper _ _ (nat_q (S i))).
    + rewrite IH by lia. now rewrite power_next.
    + unfold nat_q. rewrite Nat2Z.inj_succ, <- Z.add_1_l, inject_Z_plus. ring.
Qed.

Lemma all_trails_ones m : (trails (repeat 1%Q m) 0 0 == power m - 1)%Q.
Proof.
  induction m as [|m IH]; [reflexivity|]. simpl trails. rewrite IH, (trails_proper _ _ (nat_q 1)) by reflexivity.
  rewrite trails_ones by lia. rewrite power_next. ring.
Qed.

Lemma all_trails l : (times (length l) (trails l 0 0) == total l * (power (length l) - 1))%Q.
Proof.
  pose proof (all_trails_ones (length l)) as O. rewrite trails_linear in O.
  rewrite repeat_length, total_ones in O. rewrite trails_linear. unfold times at 1. fold (nat_q (length l)).
  rewrite <- O. ring.
Qed.

Lemma trails_nonneg l : forall s i, (forall q, In q l -> 0 <= q)%Q -> (0 <= s)%Q -> (0 <= trails l s i)%Q.
Proof.
  induction l as [|a l IH]; intros s i H S.
  - simpl. unfold Qdiv. apply Qmult_le_0_compat; [exact S|]. apply Qinv_le_0_compat.
    change 0%Q with (inject_Z 0). rewrite <- Zle_Qle. lia.
  - simpl. pose proof (IH s i (fun q I => H q (or_intror I)) S). pose proof (H a (or_introl eq_refl)).
    pose proof (IH (s + a)%Q (Datatypes.S i) (fun q I => H q (or_intror I)) ltac:(lra)) as N.
    apply (times_le k) in N. assert (Z : (times k 0 == 0)%Q) by (unfold times; ring). lra.
Qed.
End Means.

(** ** What comes along trails *)

(** Packets that came to a node along a trail of so many rounds, which cost so much. *)
Record trail := Trail { at_node : node; carried : nat -> bool; cost_so_far : Q; hops : nat }.

Lemma measure_cover sizes (nonneg : forall q, In q sizes -> (0 <= q)%Q) P E :
  (forall p, p < length sizes -> P p = true -> exists e, In e E /\ carried e p = true) ->
  (measure sizes P <= total (map (fun e => measure sizes (carried e)) E))%Q.
Proof.
  intros H. apply Qle_trans with (measure sizes (fun p => existsb (fun e => carried e p) E)).
  - apply measure_mono; [exact nonneg|]. intros p D A. apply existsb_exists. now apply H.
  - clear H. induction E as [|e E IH]; [now apply measure_none|].
    change (measure sizes (fun p => carried e p || existsb (fun e => carried e p) E) <=
      measure sizes (carried e) + total (map (fun e => measure sizes (carried e)) E))%Q.
    apply Qle_trans with (measure sizes (fun p => carried e p ||| existsb (fun e => carried e p) E)).
    + apply measure_mono; [exact nonneg|]. intros p _. destruct (carried e p); auto.
    + apply Qle_trans with (1 := measure_or sizes nonneg _ _). now apply Qplus_le_compat; [apply Qle_refl|].
Qed.

Section Protocol.
Variables (k n : nat) (sizes : list Q) (s : protocol).
Hypothesis sizes_nonneg : forall q, In q sizes -> (0 <= q)%Q.
Hypothesis obeyed : forall t, round_obeys k n (length sizes) (nth t s []) (fun v p => known s t v p = true).
Variable P : nat -> bool.

Definition bounded (e : trail) : Prop :=
  (0 <= cost_so_far e)%Q /\
  ((hops e = 0 /\ at_node e = 0 /\ (cost_so_far e == 0)%Q) \/
   (1 <= hops e /\ (times (hops e) (measure sizes (carried e)) <= cost_so_far e)%Q)).

Definition explained (E : list trail) (V : list node) (t : nat) : Prop :=
  forall v p, In v V -> p < length sizes -> P p = true -> known s t v p = true ->
    exists e, In e E /\ at_node e = v /\ carried e p = true.

Definition mean (l : list Q) (e : trail) : Q := trails k l (cost_so_far e) (hops e).

Lemma mean_nonneg l e : (forall q, In q l -> 0 <= q)%Q -> bounded e -> (0 <= mean l e)%Q.
Proof. intros H [B _]. now apply trails_nonneg. Qed.

Lemma held_by_trails E t V : NoDup V -> ~ In 0 V -> (forall e, In e E -> bounded e) -> explained E V t ->
  (total (map (held sizes s P t) V) <= total (map (mean []) E))%Q.
Proof.
  revert E. induction V as [|v V IH]; intros E N Z B C.
  - apply total_nonneg. intros e I. apply mean_nonneg; [intros q []|now apply B].
  - inversion N as [|? ? Out N']; subst.
    assert (Parts : (total (map (mean []) E) == total (map (mean []) (filter (fun e => at_node e =? v) E)) +
      total (map (mean []) (filter (fun e => negb (at_node e =? v)) E)))%Q).
    { clear. induction E as [|e E IH]; [reflexivity|]. change (total (map (mean []) (e :: E))) with
        (mean [] e + total (map (mean []) E))%Q. rewrite IH. simpl filter. destruct (at_node e =? v); simpl negb; cbn iota;
        simpl map; unfold total; simpl fold_right; ring. }
    rewrite Parts. change (total (map (held sizes s P t) (v :: V))) with
      (held sizes s P t v + total (map (held sizes s P t) V))%Q. apply Qplus_le_compat.
    + apply Qle_trans with (total (map (fun e => measure sizes (carried e)) (filter (fun e => at_node e =? v) E))).
      * apply measure_cover; [exact sizes_nonneg|]. intros p D A. apply and_true in A. destruct A as [A K].
        destruct (C v p (or_introl eq_refl) D A K) as [e [I [F Q]]]. exists e. split; [|exact Q].
        apply filter_In. now rewrite Nat.eqb_eq.
      * apply total_le. intros e I. apply filter_In in I. destruct I as [I F]. apply Nat.eqb_eq in F.
        destruct (B e I) as [_ [[_ [Z' _]]|[H L]]]; [exfalso; apply Z; left; congruence|].
        unfold mean, trails. apply Qle_shift_div_l; [change 0%Q with (inject_Z 0); rewrite <- Zlt_Qlt; lia|].
        rewrite Qmult_comm. exact L.
    + apply IH; [exact N'|intros I; apply Z; now right| |].
      * intros e I. apply filter_In in I. now apply B.
      * intros u p I D A K. destruct (C u p (or_intror I) D A K) as [e [I' [F Q]]]. exists e.
        split; [|now split]. apply filter_In. split; [exact I'|]. apply negb_true_iff, Nat.eqb_neq.
        intros X. apply Out. rewrite <- X, F. exact I.
Qed.

Definition prolonged (t : nat) (e : trail) : list trail :=
  map (fun x => Trail (receiver x) (fun p => carried e p &&& one_of (brought x) p)
    (cost_so_far e + paid sizes s t) (S (hops e))) (sent_by s t (at_node e)).

Lemma prolonged_bounded t e f : bounded e -> In f (prolonged t e) -> bounded f.
Proof.
  intros [N B] I. apply in_map_iff in I. destruct I as [x [<- I]]. apply filter_In in I. destruct I as [I _].
  pose proof (one_message sizes s sizes_nonneg t x I) as M. pose proof (paid_nonneg sizes s t) as Z.
  split; [simpl; lra|]. right. simpl. split; [lia|]. rewrite times_next.
  assert (L : (measure sizes (fun p => carried e p &&& one_of (brought x) p) <= measure sizes (one_of (brought x)))%Q).
  { apply measure_mono; [exact sizes_nonneg|]. intros p _ A. now apply and_true in A. }
  assert (L' : (measure sizes (fun p => carried e p &&& one_of (brought x) p) <= measure sizes (carried e))%Q).
  { apply measure_mono; [exact sizes_nonneg|]. intros p _ A. now apply and_true in A. }
  destruct B as [[H [_ C]]|[_ B]]; [rewrite H, times_none; lra|]. apply (times_le (hops e)) in L'. lra.
Qed.

Lemma all_nodes_by_trails m : forall t E, (forall e, In e E -> bounded e) -> explained E (seq 0 n) t ->
  (total (map (held sizes s P (t + m)) (seq 1 (n - 1))) <= total (map (mean (map (paid sizes s) (seq t m))) E))%Q.
Proof.
  induction m as [|m IH]; intros t E B C.
  - rewrite Nat.add_0_r. apply held_by_trails; [apply seq_NoDup|rewrite in_seq; lia|exact B|].
    intros v p I. apply C. apply in_seq in I. apply in_seq. lia.
  - rewrite Nat.add_succ_r, <- Nat.add_succ_l.
    apply Qle_trans with (total (map (mean (map (paid sizes s) (seq (S t) m))) (E ++ flat_map (prolonged t) E))).
    + apply IH.
      * intros e I. apply in_app_iff in I. destruct I as [I|I]; [now apply B|]. apply in_flat_map in I.
        destruct I as [f [I F]]. apply (prolonged_bounded t f); [now apply B|exact F].
      * intros v p I D A K. apply known_next in K. destruct K as [K|[x [X [V Q]]]].
        -- destruct (C v p I D A K) as [e H]. exists e. rewrite in_app_iff. tauto.
        -- destruct (sender_knows k n sizes s obeyed t x p X Q) as [_ K].
           destruct (ends_inside k n sizes s obeyed t x X) as [U _].
           destruct (C (sender x) p ltac:(apply in_seq; lia) D A K) as [e [Ie [F G]]].
           exists (Trail (receiver x) (fun p => carried e p &&& one_of (brought x) p)
             (cost_so_far e + paid sizes s t) (S (hops e))).
           split; [|split; [exact V|simpl; apply and_true; split; [exact G|now apply one_of_spec]]].
           apply in_app_iff. right. apply in_flat_map. exists e. split; [exact Ie|].
           apply in_map_iff. exists x. split; [reflexivity|]. apply filter_In. split; [exact X|].
           rewrite F. apply Nat.eqb_refl.
    + set (l := map (paid sizes s) (seq (S t) m)).
      assert (L : forall q, In q l -> (0 <= q)%Q).
      { intros q I. apply in_map_iff in I. destruct I as [i [<- _]]. apply paid_nonneg. }
      change (map (paid sizes s) (seq t (S m))) with (paid sizes s t :: l). rewrite map_app, total_app.
      clear IH C. induction E as [|e E IH].
      * apply Qle_refl.
      * simpl flat_map. rewrite map_app, total_app.
        change (total (map (mean l) (e :: E))) with (mean l e + total (map (mean l) E))%Q.
        change (total (map (mean (paid sizes s t :: l)) (e :: E))) with
          (mean l e + times k (trails k l (cost_so_far e + paid sizes s t) (S (hops e)))
            + total (map (mean (paid sizes s t :: l)) E))%Q.
        specialize (IH (fun f I => B f (or_intror I))).
        enough (total (map (mean l) (prolonged t e))
          <= times k (trails k l (cost_so_far e + paid sizes s t) (S (hops e))))%Q by lra.
        unfold prolonged. rewrite map_map. apply total_most.
        -- apply trails_nonneg; [exact L|]. destruct (B e (or_introl eq_refl)) as [N _].
           pose proof (paid_nonneg sizes s t). lra.
        -- intros x _. apply Qle_refl.
        -- apply (few_sent k n sizes s obeyed).
Qed.
End Protocol.
