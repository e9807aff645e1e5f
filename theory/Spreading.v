(** What spreads in a protocol of the linear cost model, and what is paid for it: how much a node holds after
    t rounds, how much the source has sent, how many nodes are informed. *)

From Coq Require Import List Bool Arith QArith Qminmax Lia Lqa.
From Schedsolve Require Import Definitions Replay LinearCost Amounts.
Import ListNotations.
Local Open Scope nat_scope.
Local Open Scope bool_scope.

(** Whether node v owns packet p after t rounds. *)
Fixpoint known (s : protocol) (t : nat) (v : node) (p : nat) : bool :=
  match t with
  | 0 => v =? 0
  | S t => known s t v p ||| existsb (fun x => (receiver x =? v) &&& one_of (brought x) p) (nth t s [])
  end.

Lemma obeys_at k n d s : forall own t, obeys k n d s own -> t < length s ->
  round_obeys k n d (nth t s []) (own_after (firstn t s) own).
Proof.
  induction s as [|r s IH]; simpl; intros own t O H; [lia|]. destruct O as [A B].
  destruct t; simpl; [exact A|]. apply IH; [exact B|lia].
Qed.

Lemma own_after_next s : forall own t, t < length s ->
  own_after (firstn (S t) s) own = own_after_round (nth t s []) (own_after (firstn t s) own).
Proof.
  induction s as [|r s IH]; intros own t H; simpl in H; [lia|]. destruct t; [reflexivity|].
  exact (IH (own_after_round r own) t ltac:(lia)).
Qed.

Lemma known_spec s t : t <= length s -> forall v p,
  own_after (firstn t s) (fun v _ => v = 0) v p <-> known s t v p = true.
Proof.
  induction t as [|t IH]; intros H v p; [simpl; now rewrite Nat.eqb_eq|].
  rewrite own_after_next by lia. unfold own_after_round. rewrite IH by lia. simpl.
  rewrite or_true, existsb_exists. split; (intros [A|[x [A B]]]; [now left|right; exists x; split; [exact A|]]).
  - now rewrite and_true, one_of_spec, Nat.eqb_eq.
  - now rewrite and_true, one_of_spec, Nat.eqb_eq in B.
Qed.

Lemma obeys_known k n d s t : obeys k n d s (fun v _ => v = 0) ->
  round_obeys k n d (nth t s []) (fun v p => known s t v p = true).
Proof.
  intros O. destruct (lt_dec t (length s)) as [L|L].
  - destruct (obeys_at k n d s _ t O L) as [A B]. split; [|exact B]. intros x I.
    destruct (A x I) as [U [V [E Q]]]. split; [exact U|]. split; [exact V|]. split; [exact E|].
    intros p H. destruct (Q p H) as [D K]. split; [exact D|]. apply known_spec; [lia|exact K].
  - rewrite nth_overflow by lia. split; [intros x []|]. split; [constructor|].
    intros v. exists []. split; [simpl; lia|]. intros u [x [[] _]].
Qed.

Section Rounds.
Variables (k n : nat) (sizes : list Q) (s : protocol).
Hypothesis sizes_nonneg : forall q, In q sizes -> (0 <= q)%Q.
Let d := length sizes.
Hypothesis obeyed : forall t, round_obeys k n d (nth t s []) (fun v p => known s t v p = true).

(** What round t costs, the first being round 0, and the m rounds from t on. *)
Definition paid (t : nat) : Q := round_cost sizes (nth t s []).
Definition spent (t m : nat) : Q := total (map paid (seq t m)).

Lemma spent_parts t m m' : (spent t (m + m') == spent t m + spent (t + m) m')%Q.
Proof. unfold spent. now rewrite seq_app, map_app, total_app. Qed.

Lemma spent_next t m : (spent t (S m) == paid t + spent (S t) m)%Q.
Proof. reflexivity. Qed.

Lemma paid_nonneg t : (0 <= paid t)%Q.
Proof.
  unfold paid, round_cost. induction (map (size_of sizes) (nth t s [])) as [|q l IH]; simpl; [apply Qle_refl|].
  apply Qle_trans with (1 := IH). apply Q.le_max_r.
Qed.

Lemma spent_nonneg t m : (0 <= spent t m)%Q.
Proof. apply total_nonneg. intros. apply paid_nonneg. Qed.

Lemma one_message t x : In x (nth t s []) -> (measure sizes (one_of (brought x)) <= paid t)%Q.
Proof.
  intros H. apply Qle_trans with (1 := measure_list sizes sizes_nonneg (brought x)).
  unfold paid, round_cost. apply (in_map (size_of sizes)) in H. fold (size_of sizes x).
  induction (map (size_of sizes) (nth t s [])) as [|q l IH]; [simpl in H; tauto|]. simpl in *.
  destruct H as [->|H]; [apply Q.le_max_l|]. apply Qle_trans with (1 := IH H). apply Q.le_max_r.
Qed.

Definition sent_by (t : nat) (u : node) := filter (fun x => sender x =? u) (nth t s []).
Definition received_by (t : nat) (v : node) := filter (fun x => receiver x =? v) (nth t s []).

Lemma few_messages {end_of other : sending -> node} t u :
  (forall x, In x (nth t s []) -> end_of x = u -> linked (nth t s []) (other x) u) ->
  (forall x y, end_of x = end_of y -> other x = other y -> (sender x, receiver x) = (sender y, receiver y)) ->
  length (filter (fun x => end_of x =? u) (nth t s [])) <= k.
Proof.
  intros L E. destruct (obeyed t) as [_ [N P]]. destruct (P u) as [others [F O]].
  rewrite <- (map_length other). apply Nat.le_trans with (2 := F). apply NoDup_incl_length.
  - clear P O L F others. revert N. induction (nth t s []) as [|x r IH]; simpl; intros N; [constructor|].
    inversion N as [|? ? A B]; subst. destruct (end_of x =? u) eqn:X; [|auto]. simpl. constructor; [|auto].
    intros I. apply in_map_iff in I. destruct I as [y [Y I]]. apply filter_In in I. destruct I as [I Z].
    apply Nat.eqb_eq in X, Z. apply A, in_map_iff. exists y. split; [apply E; congruence|exact I].
  - intros w I. apply in_map_iff in I. destruct I as [x [<- I]]. apply filter_In in I. destruct I as [I X].
    apply Nat.eqb_eq in X. apply O, L; assumption.
Qed.

Lemma few_sent t u : length (sent_by t u) <= k.
Proof.
  apply (@few_messages sender receiver); [|congruence]. intros x I <-. exists x. tauto.
Qed.

Lemma few_received t v : length (received_by t v) <= k.
Proof.
  apply (@few_messages receiver sender); [|congruence]. intros x I <-. exists x. tauto.
Qed.

Lemma known_next t v p : known s (S t) v p = true ->
  known s t v p = true \/ exists x, In x (nth t s []) /\ receiver x = v /\ In p (brought x).
Proof.
  simpl. rewrite or_true, existsb_exists. intros [H|[x [I H]]]; [now left|right]. exists x.
  now rewrite and_true, one_of_spec, Nat.eqb_eq in H.
Qed.

Lemma sender_knows t x p : In x (nth t s []) -> In p (brought x) -> p < d /\ known s t (sender x) p = true.
Proof. intros I P. destruct (obeyed t) as [A _]. now apply (A x I). Qed.

Lemma ends_inside t x : In x (nth t s []) -> sender x < n /\ receiver x < n /\ sender x <> receiver x.
Proof. intros I. destruct (obeyed t) as [A _]. destruct (A x I) as [B [C [E _]]]. auto. Qed.

Lemma known_stays t v p m : known s t v p = true -> known s (t + m) v p = true.
Proof.
  intros H. induction m; [now rewrite Nat.add_0_r|]. rewrite Nat.add_succ_r. simpl. now rewrite IHm.
Qed.

(** The set of packets that counts; of others nothing is asked. *)
Variable P : nat -> bool.

Definition held (t : nat) (v : node) : Q := measure sizes (fun p => P p &&& known s t v p).

(** In a round a node receives k messages at most. *)
Lemma held_next t v : (held (S t) v <= held t v + times k (paid t))%Q.
Proof.
  apply Qle_trans with (measure sizes (fun p =>
    (P p &&& known s t v p) ||| one_of (flat_map brought (received_by t v)) p)).
  - apply measure_mono; [exact sizes_nonneg|]. intros p _. rewrite or_true, !and_true. intros [A B].
    apply known_next in B. destruct B as [B|[x [I [R Q]]]]; [now left|right].
    apply one_of_spec, in_flat_map. exists x. split; [|exact Q]. apply filter_In. now rewrite Nat.eqb_eq.
  - apply Qle_trans with (1 := measure_or sizes sizes_nonneg _ _). apply Qplus_le_compat; [apply Qle_refl|].
    apply measure_flat_map; [exact sizes_nonneg|apply paid_nonneg| |apply few_received].
    intros x I. apply filter_In in I. apply one_message. tauto.
Qed.

Lemma held_later t m v : (held (t + m) v <= held t v + times k (spent t m))%Q.
Proof.
  revert t. induction m as [|m IH]; intros t.
  - rewrite Nat.add_0_r. unfold spent, times. simpl. lra.
  - rewrite Nat.add_succ_r, <- Nat.add_succ_l. apply Qle_trans with (1 := IH (S t)).
    pose proof (held_next t v). pose proof (times_plus k (paid t) (spent (S t) m)) as E.
    change (paid t + spent (S t) m)%Q with (spent t (S m)) in E. lra.
Qed.

(** Which packets the source has sent in the first t rounds: some other node owns them. *)
Definition out (t : nat) (p : nat) : bool := existsb (fun v => negb (v =? 0) &&& known s t v p) (seq 0 n).

Lemma out_spec t p : out t p = true <-> exists v, v < n /\ v <> 0 /\ known s t v p = true.
Proof.
  unfold out. rewrite existsb_exists. split; intros [v H]; exists v.
  - rewrite and_true, negb_true_iff, Nat.eqb_neq, in_seq in H. destruct H as [[_ V] [Z K]]. auto.
  - rewrite and_true, negb_true_iff, Nat.eqb_neq, in_seq. destruct H as [V [Z K]].
    repeat split; [apply Nat.le_0_l|exact V|exact Z|exact K].
Qed.

Definition abroad (t : nat) : Q := measure sizes (fun p => P p &&& out t p).

Lemma abroad_next t : (abroad (S t) <= abroad t + times k (paid t))%Q.
Proof.
  apply Qle_trans with (measure sizes (fun p => (P p &&& out t p) ||| one_of (flat_map brought (sent_by t 0)) p)).
  - apply measure_mono; [exact sizes_nonneg|]. intros p _. rewrite or_true, !and_true. intros [A B].
    apply out_spec in B. destruct B as [v [V [Z B]]]. apply known_next in B.
    destruct B as [B|[x [I [R Q]]]]; [left; split; [exact A|apply out_spec; now exists v]|].
    destruct (Nat.eq_dec (sender x) 0) as [E|E].
    + right. apply one_of_spec, in_flat_map. exists x. split; [|exact Q]. apply filter_In. now rewrite Nat.eqb_eq.
    + left. split; [exact A|]. apply out_spec. exists (sender x). destruct (ends_inside t x I) as [U _].
      destruct (sender_knows t x p I Q). auto.
  - apply Qle_trans with (1 := measure_or sizes sizes_nonneg _ _). apply Qplus_le_compat; [apply Qle_refl|].
    apply measure_flat_map; [exact sizes_nonneg|apply paid_nonneg| |apply few_sent].
    intros x I. apply filter_In in I. apply one_message. tauto.
Qed.

Lemma abroad_later t m : (abroad (t + m) <= abroad t + times k (spent t m))%Q.
Proof.
  revert t. induction m as [|m IH]; intros t.
  - rewrite Nat.add_0_r. unfold spent, times. simpl. lra.
  - rewrite Nat.add_succ_r, <- Nat.add_succ_l. apply Qle_trans with (1 := IH (S t)).
    pose proof (abroad_next t). pose proof (times_plus k (paid t) (spent (S t) m)) as E.
    change (paid t + spent (S t) m)%Q with (spent t (S m)) in E. lra.
Qed.

(** ** Informed nodes, those that know something of P *)

Definition informed (t : nat) (v : node) : bool := existsb (fun p => P p &&& known s t v p) (seq 0 d).
Definition count (t : nat) : nat := length (filter (informed t) (seq 0 n)).

(** The messages whose senders are informed. *)
Definition telling (t : nat) := filter (fun x => informed t (sender x)) (nth t s []).

Lemma informed_spec t v : informed t v = true <-> exists p, p < d /\ P p = true /\ known s t v p = true.
Proof.
  unfold informed. rewrite existsb_exists. split; intros [p H]; exists p; rewrite and_true, in_seq in *; intuition lia.
Qed.

Lemma informed_next t v : informed (S t) v = true ->
  informed t v = true \/ In v (map receiver (telling t)).
Proof.
  intros H. apply informed_spec in H. destruct H as [p [D [A B]]]. apply known_next in B.
  destruct B as [B|[x [I [R Q]]]]; [left; apply informed_spec; now exists p|right].
  apply in_map_iff. exists x. split; [exact R|]. apply filter_In. split; [exact I|].
  destruct (sender_knows t x p I Q) as [_ K]. apply informed_spec. now exists p.
Qed.

Lemma few_from t l : length (filter (fun x => one_of l (sender x)) (nth t s [])) <= k * length l.
Proof.
  induction l as [|u l IH].
  - replace (filter _ _) with (@nil sending); [simpl; lia|]. induction (nth t s []); [reflexivity|assumption].
  - apply Nat.le_trans with (length (sent_by t u) + length (filter (fun x => one_of l (sender x)) (nth t s []))).
    + apply filter_le. intros x _. unfold one_of. simpl. destruct (sender x =? u); auto.
    + pose proof (few_sent t u). simpl. lia.
Qed.

Lemma few_telling t : length (telling t) <= k * count t.
Proof.
  unfold telling, count. rewrite (filter_ext_in _ (fun x => one_of (filter (informed t) (seq 0 n)) (sender x))).
  - apply few_from.
  - intros x I. destruct (ends_inside t x I) as [U _]. apply eq_iff_true.
    rewrite one_of_spec, filter_In, in_seq. intuition lia.
Qed.

Definition reached (t : nat) := filter (informed t) (seq 0 n) ++ map receiver (telling t).

Lemma reached_spec t : incl (filter (informed (S t)) (seq 0 n)) (reached t).
Proof.
  intros v H. apply filter_In in H. destruct H as [V H]. apply informed_next in H. apply in_app_iff.
  rewrite filter_In. tauto.
Qed.

Lemma reached_few t : length (reached t) <= (k + 1) * count t.
Proof. unfold reached. rewrite app_length, map_length. pose proof (few_telling t). unfold count in *. lia. Qed.

Lemma count_next t : count (S t) <= (k + 1) * count t.
Proof.
  apply Nat.le_trans with (2 := reached_few t). apply NoDup_incl_length, reached_spec.
  apply NoDup_filter, seq_NoDup.
Qed.

Lemma count_later t m : count (t + m) <= (k + 1) ^ m * count t.
Proof.
  induction m as [|m IH]; [rewrite Nat.add_0_r; simpl; lia|]. rewrite Nat.add_succ_r, Nat.pow_succ_r'.
  apply Nat.le_trans with (1 := count_next (t + m)). nia.
Qed.
End Rounds.
