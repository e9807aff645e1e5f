(** Broadcasts in the linear cost model, in complete networks: protocols that send fractions of a message,
    what they cost, and the conjecture on the least cost.

    The source is B. Beauquier, O. Delmas, S. Perennes, Tight bounds for broadcasting in the linear cost
    model, INRIA RR-3827 (1999), sections 2 and 5; beside each definition stands what the paper says. *)

From Coq Require Import List Bool Arith QArith Qminmax Lia.
From Schedsolve Require Import Definitions Replay.
Import ListNotations.
Local Open Scope nat_scope.

(** ** What is stated *)

(** The message, of size 1, is cut into packets numbered 0, 1, ...; [sizes] says how large each is. *)
Definition total (l : list Q) : Q := fold_right Qplus 0%Q l.
Definition cuts (sizes : list Q) : Prop := (forall q, In q sizes -> (0 <= q)%Q) /\ (total sizes == 1)%Q.

(** What a node sends to another in a round. *)
Record sending := Sending { sender : node; receiver : node; brought : list nat }.
Definition protocol := list (list sending).

Definition ownership := node -> nat -> Prop.

(** Paper: links are full-duplex; a node uses at most k of its links in a round, sending, receiving, or both. *)
Definition linked (r : list sending) (u v : node) : Prop :=
  exists x, In x r /\ ((sender x = u /\ receiver x = v) \/ (sender x = v /\ receiver x = u)).

(** Any two of the n nodes are joined; along a link one message goes each way at most, and it has packets that
    its sender owned before the round. *)
Definition round_obeys (k n d : nat) (r : list sending) (own : ownership) : Prop :=
  (forall x, In x r -> sender x < n /\ receiver x < n /\ sender x <> receiver x /\
    forall p, In p (brought x) -> p < d /\ own (sender x) p) /\
  NoDup (map (fun x => (sender x, receiver x)) r) /\
  forall v, exists others, length others <= k /\ forall u, linked r u v -> In u others.

Definition own_after_round (r : list sending) (own : ownership) : ownership :=
  fun v p => own v p \/ exists x, In x r /\ receiver x = v /\ In p (brought x).

Fixpoint obeys (k n d : nat) (s : protocol) (own : ownership) : Prop :=
  match s with
  | [] => True
  | r :: rest => round_obeys k n d r own /\ obeys k n d rest (own_after_round r own)
  end.

Fixpoint own_after (s : protocol) (own : ownership) : ownership :=
  match s with
  | [] => own
  | r :: rest => own_after rest (own_after_round r own)
  end.

(** Node 0 owns all packets before the first round, all nodes own all of them after the last. *)
Definition broadcasts (k n rounds : nat) (sizes : list Q) (s : protocol) : Prop :=
  let first v (p : nat) := v = 0 in
  cuts sizes /\ length s <= rounds /\ obeys k n (length sizes) s first /\
  forall v p, v < n -> p < length sizes -> own_after s first v p.

(** Paper: a round costs the size of its largest message; a protocol costs the sum over its rounds. *)
Definition size_of (sizes : list Q) (x : sending) : Q := total (map (fun p => nth p sizes 0%Q) (brought x)).
Definition round_cost (sizes : list Q) (r : list sending) : Q := fold_right Qmax 0%Q (map (size_of sizes) r).
Definition cost (sizes : list Q) (s : protocol) : Q := total (map (round_cost sizes) s).

(** Paper: f_T(r), the least cost with k ports in (k + 1)^T nodes and r rounds more than the least number, T. *)
Definition least_cost (k T r : nat) (c : Q) : Prop :=
  (exists sizes s, broadcasts k ((k + 1) ^ T) (T + r) sizes s /\ (cost sizes s == c)%Q) /\
  forall sizes s, broadcasts k ((k + 1) ^ T) (T + r) sizes s -> (c <= cost sizes s)%Q.

Definition quotient (a b : nat) : Q := (inject_Z (Z.of_nat a) / inject_Z (Z.of_nat b))%Q.

(** Paper, (31): f_T(r) = (T + r) / (k r + 1) for all r >= T. *)
Definition conjecture_31 : Prop :=
  forall k T r, 1 <= k -> 1 <= T -> T <= r -> least_cost k T r (quotient (T + r) (k * r + 1)).

(** ** A protocol is replayed; what the replay accepts is a broadcast *)

Local Open Scope bool_scope.

(** For every node, which packets it owns. *)
Definition rows := list (list bool).
Definition owned (l : rows) (v : node) (p : nat) : bool := nth p (nth v l []) false.

Fixpoint apart (l : list (node * node)) : bool :=
  match l with
  | [] => true
  | p :: l' => negb (among l' p) &&& apart l'
  end.

Definition partners (r : list sending) (v : node) : list node :=
  flat_map (fun x => if sender x =? v then [receiver x] else if receiver x =? v then [sender x] else []) r.

Definition round_fits (k n d : nat) (r : list sending) (l : rows) : bool :=
  forallb (fun x => (sender x <? n) &&& (receiver x <? n) &&& negb (sender x =? receiver x)
    &&& forallb (fun p => (p <? d) &&& owned l (sender x) p) (brought x)) r
  &&& apart (map (fun x => (sender x, receiver x)) r)
  &&& forallb (fun v => length (nodup Nat.eq_dec (partners r v)) <=? k) (seq 0 n).

Definition next_rows (n d : nat) (r : list sending) (l : rows) : rows :=
  map (fun v =>
    let got := flat_map brought (filter (fun x => receiver x =? v) r) in
    map (fun p => owned l v p ||| one_of got p) (seq 0 d)) (seq 0 n).

Fixpoint played (k n d : nat) (s : protocol) (l : rows) : bool :=
  match s with
  | [] => forallb (fun v => forallb (owned l v) (seq 0 d)) (seq 0 n)
  | r :: rest => round_fits k n d r l &&& played k n d rest (next_rows n d r l)
  end.

Definition first_rows (n d : nat) : rows := map (fun v => map (fun _ => v =? 0) (seq 0 d)) (seq 0 n).

Definition replays (k n rounds : nat) (sizes : list Q) (s : protocol) : bool :=
  forallb (Qle_bool 0) sizes &&& Qeq_bool (total sizes) 1 &&& (length s <=? rounds)
  &&& played k n (length sizes) s (first_rows n (length sizes)).

Lemma apart_spec l : apart l = true -> NoDup l.
Proof.
  induction l as [|p l IH]; simpl; intros H; [constructor|]. rewrite and_true, negb_true_iff in H.
  destruct H as [A B]. constructor; [|auto]. intros I. apply among_spec in I. congruence.
Qed.

Lemma partners_spec r u v : linked r u v -> In u (partners r v).
Proof.
  intros [x [I H]]. unfold partners. apply in_flat_map. exists x. split; [exact I|].
  destruct (sender x =? v) eqn:E.
  - apply Nat.eqb_eq in E. destruct H as [[A B]|[A B]]; simpl; left; congruence.
  - apply Nat.eqb_neq in E. destruct H as [[A B]|[A B]]; [|congruence].
    apply Nat.eqb_eq in B. rewrite B. simpl. now left.
Qed.

Definition backed (n : nat) (l : rows) (own : ownership) : Prop :=
  forall v p, owned l v p = true -> own v p.

Lemma round_fits_sound k n d r l own : backed n l own -> round_fits k n d r l = true -> round_obeys k n d r own.
Proof.
  unfold round_fits. rewrite !and_true, !forallb_forall. intros B [[A N] P]. split; [|split].
  - intros x Hx. specialize (A x Hx). rewrite !and_true, negb_true_iff, !Nat.ltb_lt, Nat.eqb_neq in A.
    destruct A as [[[A1 A2] A3] A4]. repeat split; auto; rewrite forallb_forall in A4;
      specialize (A4 p H); rewrite and_true, Nat.ltb_lt in A4; [tauto|apply B; tauto].
  - now apply apart_spec.
  - intros v. destruct (lt_dec v n) as [Hv|Hv].
    + exists (nodup Nat.eq_dec (partners r v)). split.
      * apply Nat.leb_le, P, in_seq. lia.
      * intros u H. apply nodup_In. now apply partners_spec.
    + exists []. split; [simpl; lia|]. intros u [x [Hx H]]. exfalso. specialize (A x Hx).
      rewrite !and_true, !Nat.ltb_lt in A. destruct A as [[[A1 A2] _] _].
      destruct H as [[? ?]|[? ?]]; subst; auto.
Qed.

Lemma owned_map n d (f : node -> nat -> bool) v p :
  owned (map (fun v => map (f v) (seq 0 d)) (seq 0 n)) v p = true -> v < n /\ p < d /\ f v p = true.
Proof.
  unfold owned. intros H. destruct (lt_dec v n) as [Hv|Hv].
  - rewrite (nth_indep _ [] (map (f 0) (seq 0 d))) in H by now rewrite map_length, seq_length.
    rewrite (map_nth (fun v => map (f v) (seq 0 d))), seq_nth in H by exact Hv. simpl in H.
    destruct (lt_dec p d) as [Hp|Hp]; [now rewrite nth_map_seq in H|].
    rewrite nth_overflow in H; [discriminate|]. rewrite map_length, seq_length. lia.
  - rewrite (nth_overflow (map _ (seq 0 n))) in H by (rewrite map_length, seq_length; lia).
    destruct p; discriminate.
Qed.

Lemma next_rows_sound n d r l own : backed n l own -> backed n (next_rows n d r l) (own_after_round r own).
Proof.
  intros B v p H. unfold next_rows in H. cbv zeta in H.
  apply (owned_map n d (fun v p => owned l v p
    ||| one_of (flat_map brought (filter (fun x => receiver x =? v) r)) p)) in H.
  destruct H as [_ [_ H]]. rewrite or_true in H. destruct H as [H|H]; [left; now apply B|right].
  apply one_of_spec, in_flat_map in H. destruct H as [x [Hx Hp]]. apply filter_In in Hx.
  destruct Hx as [Hx E]. apply Nat.eqb_eq in E. now exists x.
Qed.

Lemma played_sound k n d s : forall l own, backed n l own -> played k n d s l = true ->
  obeys k n d s own /\ forall v p, v < n -> p < d -> own_after s own v p.
Proof.
  induction s as [|r s IH]; simpl; intros l own B H.
  - split; [exact I|]. intros v p Hv Hp. apply B. rewrite forallb_forall in H.
    specialize (H v ltac:(apply in_seq; lia)). rewrite forallb_forall in H. apply H, in_seq. lia.
  - rewrite and_true in H. destruct H as [F H]. pose proof (next_rows_sound n d r l own B) as B'.
    destruct (IH _ _ B' H) as [O E]. split; [split; [now apply (round_fits_sound k n d r l)|exact O]|exact E].
Qed.

Theorem replays_sound k n rounds sizes s : replays k n rounds sizes s = true -> broadcasts k n rounds sizes s.
Proof.
  unfold replays, broadcasts. rewrite !and_true, forallb_forall, Nat.leb_le. intros [[[A B] C] D].
  apply played_sound with (own := fun v _ => v = 0) in D.
  - split; [split; [|now apply Qeq_bool_iff]|tauto]. intros q Hq. now apply Qle_bool_iff, A.
  - intros v p H. apply (owned_map n (length sizes) (fun v _ => v =? 0)) in H.
    destruct H as [_ [_ H]]. now apply Nat.eqb_eq.
Qed.

(** A protocol of less cost than the conjecture says refutes it. *)
Theorem conjecture_31_refuted k T r sizes s :
  ((1 <=? k) &&& (1 <=? T) &&& (T <=? r) &&& replays k ((k + 1) ^ T) (T + r) sizes s
   &&& negb (Qle_bool (quotient (T + r) (k * r + 1)) (cost sizes s))) = true -> ~ conjecture_31.
Proof.
  rewrite !and_true, !Nat.leb_le, negb_true_iff. intros [[[[K T1] R] P] L] C.
  destruct (C k T r K T1 R) as [_ M]. apply replays_sound in P. specialize (M _ _ P).
  apply Qle_bool_iff in M. congruence.
Qed.
