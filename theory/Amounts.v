(** Amounts of a message that is cut into packets: sums of fractions, and the measure of a set of packets. *)

From Coq Require Import List Bool Arith QArith Morphisms Lia Lqa.
From Schedsolve Require Import Definitions Replay LinearCost.
Import ListNotations.
Local Open Scope nat_scope.
Local Open Scope bool_scope.

(** ** Sums *)

Definition times (k : nat) (q : Q) : Q := (inject_Z (Z.of_nat k) * q)%Q.

Lemma times_next k q : (times (S k) q == q + times k q)%Q.
Proof. unfold times. rewrite Nat2Z.inj_succ, <- Z.add_1_l, inject_Z_plus. simpl. ring. Qed.

Lemma times_none q : (times 0 q == 0)%Q.
Proof. unfold times. simpl. ring. Qed.

Lemma times_more k m q : (0 <= q)%Q -> k <= m -> (times k q <= times m q)%Q.
Proof.
  intros Hq H. unfold times. apply Qmult_le_compat_r; [|exact Hq]. rewrite <- Zle_Qle. lia.
Qed.

Lemma times_plus k q q' : (times k (q + q') == times k q + times k q')%Q.
Proof. unfold times. ring. Qed.

Lemma times_le k q q' : (q <= q' -> times k q <= times k q')%Q.
Proof.
  intros H. unfold times. rewrite !(Qmult_comm (inject_Z _)). apply Qmult_le_compat_r; [exact H|].
  change 0%Q with (inject_Z 0). rewrite <- Zle_Qle. lia.
Qed.

Lemma times_eq k q q' : (q == q' -> times k q == times k q')%Q.
Proof. intros H. unfold times. now rewrite H. Qed.

Global Instance times_proper k : Proper (Qeq ==> Qeq) (times k).
Proof. exact (times_eq k). Qed.

Lemma total_app l l' : (total (l ++ l') == total l + total l')%Q.
Proof. induction l as [|q l IH]; simpl; [ring|]. unfold total in *. simpl. rewrite IH. ring. Qed.

Lemma total_le {A} (f g : A -> Q) l : (forall a, In a l -> f a <= g a)%Q -> (total (map f l) <= total (map g l))%Q.
Proof.
  induction l as [|a l IH]; intros H; [apply Qle_refl|]. change (f a + total (map f l) <= g a + total (map g l))%Q.
  apply Qplus_le_compat; [apply H; now left|apply IH; intros b Hb; apply H; now right].
Qed.

Lemma total_plus {A} (f g : A -> Q) l : (total (map (fun a => f a + g a) l) == total (map f l) + total (map g l))%Q.
Proof.
  induction l as [|a l IH]; [reflexivity|].
  change (f a + g a + total (map (fun a => f a + g a) l) == f a + total (map f l) + (g a + total (map g l)))%Q.
  rewrite IH. ring.
Qed.

Lemma total_nonneg {A} (f : A -> Q) l : (forall a, In a l -> 0 <= f a)%Q -> (0 <= total (map f l))%Q.
Proof.
  induction l as [|a l IH]; intros H; [apply Qle_refl|]. change (0 <= f a + total (map f l))%Q.
  pose proof (H a (or_introl eq_refl)). specialize (IH (fun b Hb => H b (or_intror Hb))). lra.
Qed.

Lemma total_most {A} (f : A -> Q) c k l : (0 <= c)%Q -> (forall a, In a l -> f a <= c)%Q -> length l <= k ->
  (total (map f l) <= times k c)%Q.
Proof.
  intros Hc. revert k. induction l as [|a l IH]; intros k H L.
  - change (total (map f [])) with 0%Q. rewrite <- (times_none c). apply times_more; [exact Hc|lia].
  - destruct k; [simpl in L; lia|]. rewrite times_next. change (f a + total (map f l) <= c + times k c)%Q.
    apply Qplus_le_compat; [apply H; now left|apply IH; [intros b Hb; apply H; now right|simpl in L; lia]].
Qed.

Lemma total_least {A} (f : A -> Q) c l : (forall a, In a l -> c <= f a)%Q -> (times (length l) c <= total (map f l))%Q.
Proof.
  induction l as [|a l IH]; intros H; [rewrite times_none; apply Qle_refl|]. simpl length. rewrite times_next.
  change (c + times (length l) c <= f a + total (map f l))%Q.
  apply Qplus_le_compat; [apply H; now left|apply IH; intros b Hb; apply H; now right].
Qed.

(** ** Lists *)

Lemma filter_some {A} (f g : A -> bool) l : length (filter g l) < length (filter f l) ->
  exists a, In a l /\ f a = true /\ g a = false.
Proof.
  induction l as [|a l IH]; simpl; [lia|]. intros H.
  destruct (f a) eqn:F, (g a) eqn:G; simpl in H; try (destruct IH as [b [I E]]; [lia|exists b; tauto]).
  exists a. tauto.
Qed.

Lemma map_nths {A B} (f : A -> B) l x : map (fun i => f (nth i l x)) (seq 0 (length l)) = map f l.
Proof.
  induction l as [|a l IH]; [reflexivity|]. simpl. rewrite <- seq_shift, map_map. f_equal. exact IH.
Qed.

Lemma filter_true {A} (f : A -> bool) l : (forall a, In a l -> f a = true) -> filter f l = l.
Proof.
  induction l as [|a l IH]; intros H; simpl; [reflexivity|]. rewrite (H a (or_introl eq_refl)), IH; [reflexivity|].
  intros b I. apply H. now right.
Qed.

Lemma filter_le {A} (f g h : A -> bool) l : (forall a, In a l -> f a = true -> g a = true \/ h a = true) ->
  length (filter f l) <= length (filter g l) + length (filter h l).
Proof.
  induction l as [|a l IH]; intros H; simpl; [lia|].
  specialize (IH (fun b Hb => H b (or_intror Hb))). specialize (H a (or_introl eq_refl)).
  destruct (f a), (g a), (h a); simpl; lia.
Qed.

Lemma filter_all {A} (f : A -> bool) l : length l <= length (filter f l) -> forall a, In a l -> f a = true.
Proof.
  induction l as [|a l IH]; simpl; [tauto|]. intros H b.
  assert (length (filter f l) <= length l) by (clear; induction l as [|c l IH]; simpl; [lia|destruct (f c); simpl; lia]).
  destruct (f a) eqn:E; simpl in H; [|lia]. intros [->|I]; [exact E|apply IH; [lia|exact I]].
Qed.

Lemma nodup_right {A} (l l' : list A) : NoDup (l ++ l') -> NoDup l'.
Proof. induction l as [|a l IH]; simpl; intros N; [exact N|]. inversion N. auto. Qed.

Lemma once {A B} (f : A -> B) l a b : NoDup (map f l) -> In a l -> In b l -> f a = f b -> a = b.
Proof.
  induction l as [|c l IH]; simpl; [tauto|]. intros N. inversion N; subst.
  intros [->|Ha] [->|Hb] E; auto; exfalso; apply H1; [rewrite E|rewrite <- E]; now apply in_map.
Qed.

(** ** A set of packets has the measure that its sizes add up to *)

Section Measure.
Variable sizes : list Q.
Hypothesis sizes_nonneg : forall q, In q sizes -> (0 <= q)%Q.
Let d := length sizes.
Let weight p := nth p sizes 0%Q.

Definition measure (P : nat -> bool) : Q := total (map (fun p => if P p then nth p sizes 0%Q else 0%Q) (seq 0 (length sizes))).

Lemma weight_nonneg p : (0 <= weight p)%Q.
Proof.
  unfold weight. destruct (nth_in_or_default p sizes 0%Q) as [H|H]; [now apply sizes_nonneg|rewrite H; apply Qle_refl].
Qed.

Lemma measure_mono P P' : (forall p, p < d -> P p = true -> P' p = true) -> (measure P <= measure P')%Q.
Proof.
  intros H. apply total_le. intros p I. apply in_seq in I. pose proof (weight_nonneg p). unfold weight in *.
  destruct (P p) eqn:E.
  - rewrite (H p ltac:(unfold d; lia) E). apply Qle_refl.
  - destruct (P' p); [assumption|apply Qle_refl].
Qed.

Lemma measure_or P P' : (measure (fun p => P p ||| P' p) <= measure P + measure P')%Q.
Proof.
  unfold measure. rewrite <- total_plus. apply total_le. intros p _. pose proof (weight_nonneg p). unfold weight in *.
  destruct (P p), (P' p); lra.
Qed.

Lemma measure_nonneg P : (0 <= measure P)%Q.
Proof. apply total_nonneg. intros p _. destruct (P p); [apply weight_nonneg|apply Qle_refl]. Qed.

Lemma measure_none P : (forall p, p < d -> P p = false) -> (measure P <= 0)%Q.
Proof.
  intros H. apply Qle_trans with (times (length sizes) 0); [|unfold times; rewrite Qmult_0_r; apply Qle_refl].
  apply total_most; [apply Qle_refl| |now rewrite seq_length].
  intros p I. apply in_seq in I. rewrite H; [apply Qle_refl|unfold d; lia].
Qed.

Lemma measure_all P : (forall p, p < d -> P p = true) -> (total sizes <= measure P)%Q.
Proof.
  intros H. apply Qle_trans with (total (map weight (seq 0 d))).
  - unfold d, weight. rewrite (map_nths (fun q => q) sizes 0%Q), map_id. apply Qle_refl.
  - apply total_le. intros p I. apply in_seq in I. rewrite H by lia. apply Qle_refl.
Qed.

Lemma single a l : NoDup l -> (total (map (fun p => if p =? a then weight p else 0%Q) l) <= weight a)%Q.
Proof.
  pose proof (weight_nonneg a) as W. induction l as [|p l IH]; intros N; [exact W|].
  change ((if p =? a then weight p else 0) + total (map (fun p => if p =? a then weight p else 0) l) <= weight a)%Q.
  inversion N as [|? ? A B]; subst. destruct (p =? a) eqn:E; [|specialize (IH B); lra].
  apply Nat.eqb_eq in E. subst. enough (total (map (fun p => if p =? a then weight p else 0) l) <= 0)%Q by lra.
  clear IH N B. induction l as [|p l IH]; [apply Qle_refl|].
  change ((if p =? a then weight p else 0) + total (map (fun p => if p =? a then weight p else 0) l) <= 0)%Q.
  destruct (p =? a) eqn:E; [apply Nat.eqb_eq in E; subst; simpl in A; tauto|].
  enough (total (map (fun p => if p =? a then weight p else 0) l) <= 0)%Q by lra. apply IH. simpl in A. tauto.
Qed.

Lemma measure_list l : (measure (one_of l) <= total (map weight l))%Q.
Proof.
  induction l as [|a l IH]; [now apply measure_none|].
  apply Qle_trans with (measure (fun p => (p =? a) ||| one_of l p)).
  - apply measure_mono. intros p _. unfold one_of. simpl. destruct (p =? a); auto.
  - apply Qle_trans with (1 := measure_or _ _). apply Qplus_le_compat; [|exact IH].
    apply single, seq_NoDup.
Qed.

Lemma measure_flat_map {A} (f : A -> list nat) c k l : (0 <= c)%Q ->
  (forall a, In a l -> measure (one_of (f a)) <= c)%Q -> length l <= k ->
  (measure (one_of (flat_map f l)) <= times k c)%Q.
Proof.
  intros Hc. revert k. induction l as [|a l IH]; intros k H L.
  - apply Qle_trans with 0%Q; [now apply measure_none|]. rewrite <- (times_none c). apply times_more; [exact Hc|lia].
  - destruct k; [simpl in L; lia|]. rewrite times_next. simpl flat_map.
    apply Qle_trans with (measure (fun p => one_of (f a) p ||| one_of (flat_map f l) p)).
    + apply measure_mono. intros p _. rewrite or_true, !one_of_spec, in_app_iff. tauto.
    + apply Qle_trans with (1 := measure_or _ _). apply Qplus_le_compat; [apply H; now left|].
      apply IH; [intros b Hb; apply H; now right|simpl in L; lia].
Qed.
End Measure.
