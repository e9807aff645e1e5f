(** Replaying a schedule is a computation, and it says just what the definitions say ([replay_spec]). *)

From Coq Require Import List Bool Arith Lia.
From Schedsolve Require Import Definitions.
Import ListNotations.
Local Open Scope bool_scope.

(* "if" in place of && and ||: both sides of those are computed always. *)
Notation "a &&& b" := (match a with true => b | false => false end) (at level 40, left associativity) : bool_scope.
Notation "a ||| b" := (match a with true => true | false => b end) (at level 50, left associativity) : bool_scope.

Lemma and_true a b : (a &&& b) = true <-> a = true /\ b = true.
Proof. destruct a; intuition congruence. Qed.
Lemma or_true a b : (a ||| b) = true <-> a = true \/ b = true.
Proof. destruct a; intuition congruence. Qed.

Lemma eq_iff_true (a b : bool) : (a = true <-> b = true) -> a = b.
Proof. destruct a, b; intuition congruence. Qed.

(** ** Pairs, arcs and calls *)

Definition same (p q : node * node) : bool := (fst p =? fst q) &&& (snd p =? snd q).

Lemma same_spec p q : same p q = true <-> p = q.
Proof.
  destruct p, q; unfold same; simpl. rewrite and_true, !Nat.eqb_eq. intuition congruence.
Qed.

Definition among (l : list (node * node)) (p : node * node) : bool := existsb (same p) l.

Lemma among_spec l p : among l p = true <-> In p l.
Proof.
  unfold among. rewrite existsb_exists. split.
  - intros [q [H E]]. apply same_spec in E. now subst.
  - intros H. exists p. split; [exact H|now apply same_spec].
Qed.

Lemma one_of_spec l v : one_of l v = true <-> In v l.
Proof.
  unfold one_of. rewrite existsb_exists. split.
  - intros [u [H E]]. apply Nat.eqb_eq in E. now subst.
  - intros H. exists v. split; [exact H|apply Nat.eqb_refl].
Qed.

Definition is_arc (G : network) (u v : node) : bool :=
  (u <? size G) &&& (v <? size G) &&& negb (u =? v)
  &&& (among (links G) (u, v) ||| (negb (directed G) &&& among (links G) (v, u))).

Lemma is_arc_spec G u v : is_arc G u v = true <-> arc G u v.
Proof.
  unfold is_arc, arc.
  rewrite !and_true, or_true, and_true, !among_spec, !negb_true_iff, !Nat.ltb_lt, Nat.eqb_neq.
  tauto.
Qed.

Definition is_telephone (m : mode) : bool := match m with telephone => true | telegraph => false end.

Lemma is_telephone_spec m : is_telephone m = true <-> m = telephone.
Proof. destruct m; simpl; intuition congruence. Qed.

Definition allowed (m : mode) (G : network) (u v : node) : bool :=
  is_arc G u v &&& (if is_telephone m then is_arc G v u else true).

Lemma allowed_spec m G u v : allowed m G u v = true <-> may_call m G u v.
Proof.
  unfold allowed, may_call. rewrite and_true, is_arc_spec.
  destruct m; simpl; rewrite ?is_arc_spec; intuition congruence.
Qed.

Definition told (m : mode) (r : round) (u v : node) : bool :=
  among r (u, v) ||| (is_telephone m &&& among r (v, u)).

Lemma told_spec m r u v : told m r u v = true <-> tells m r u v.
Proof.
  unfold told, tells. now rewrite or_true, and_true, is_telephone_spec, !among_spec.
Qed.

(** ** Legal rounds *)

Fixpoint distinct (l : list node) : bool :=
  match l with
  | [] => true
  | v :: rest => negb (one_of rest v) &&& distinct rest
  end.

Lemma distinct_spec l : distinct l = true <-> NoDup l.
Proof.
  induction l as [|v l IH]; simpl.
  - split; [constructor|reflexivity].
  - rewrite and_true, negb_true_iff, IH. split.
    + intros [H1 H2]. constructor; [|exact H2]. intro H. apply one_of_spec in H. congruence.
    + intros H. inversion H as [|? ? H1 H2]; subst. split; [|exact H2].
      destruct (one_of l v) eqn:E; [|reflexivity]. apply one_of_spec in E. tauto.
Qed.

Definition is_legal (m : mode) (G : network) (s : schedule) : bool :=
  forallb (fun r => forallb (fun c => allowed m G (fst c) (snd c)) r &&& distinct (ends r)) s.

Lemma is_legal_spec m G s : is_legal m G s = true <-> legal m G s.
Proof.
  unfold is_legal, legal. rewrite forallb_forall.
  apply (Morphisms_Prop.all_iff_morphism). intro r.
  unfold legal_round. rewrite and_true, distinct_spec, forallb_forall.
  split; intros H Hr; specialize (H Hr); destruct H as [H1 H2]; split; auto.
  - intros u v Hc. apply allowed_spec. exact (H1 (u, v) Hc).
  - intros [u v] Hc. apply allowed_spec. auto.
Qed.

(** ** Who knows an item, as a list of booleans over the nodes *)

Definition hears (m : mode) (l : list bool) (v : node) (c : call) : bool :=
  ((snd c =? v) &&& nth (fst c) l false) ||| (is_telephone m &&& ((fst c =? v) &&& nth (snd c) l false)).

Definition next_known (m : mode) (n : nat) (l : list bool) (r : round) : list bool :=
  map (fun v => nth v l false ||| existsb (hears m l v) r) (seq 0 n).

Definition known (m : mode) (n : nat) (s : schedule) (who : node -> bool) : list bool :=
  fold_left (next_known m n) s (map who (seq 0 n)).

Lemma nth_map_seq f n v : v < n -> nth v (map f (seq 0 n)) false = f v.
Proof.
  intros H. rewrite (nth_indep _ false (f 0)) by now rewrite map_length, seq_length.
  rewrite map_nth, seq_nth by exact H. reflexivity.
Qed.

Lemma nth_beyond (l : list bool) v : length l <= v -> nth v l false = false.
Proof. intros. now apply nth_overflow. Qed.

Definition inside (n : nat) (r : round) : Prop := forall u v, In (u, v) r -> u < n /\ v < n.

Lemma legal_inside m G s r : legal m G s -> In r s -> inside (size G) r.
Proof.
  intros L Hr u v Hc. destruct (L r Hr) as [H _]. destruct (H u v Hc) as [[? [? _]] _]. auto.
Qed.

(** The list [l] says who knows item [i]. *)
Definition describes (n : nat) (K : knowledge) (i : item) (l : list bool) : Prop :=
  length l = n /\ forall v, v < n -> (nth v l false = true <-> K v i).

Lemma describes_next m n r K i l :
  inside n r -> describes n K i l -> describes n (after_round m r K) i (next_known m n l r).
Proof.
  intros I [Len D]. split; [unfold next_known; now rewrite map_length, seq_length|].
  intros v Hv. unfold next_known. rewrite nth_map_seq by exact Hv.
  rewrite or_true, existsb_exists, (D v Hv). unfold after_round.
  apply or_iff_compat_l. split.
  - intros [[x y] [Hc H]]. destruct (I x y Hc) as [Hx Hy]. unfold hears in H. simpl in H.
    rewrite or_true, !and_true, !Nat.eqb_eq, is_telephone_spec in H.
    destruct H as [[-> H]|[-> [-> H]]].
    + exists x. split; [left; exact Hc|]. apply D; assumption.
    + exists y. split; [right; auto|]. apply D; assumption.
  - intros [u [[Hc|[Hm Hc]] H]].
    + exists (u, v). split; [exact Hc|]. destruct (I u v Hc) as [Hu _]. unfold hears. simpl.
      apply or_true. left. rewrite and_true, Nat.eqb_eq, (D u Hu). auto.
    + exists (v, u). split; [exact Hc|]. destruct (I v u Hc) as [_ Hu]. unfold hears. simpl.
      apply or_true. right. rewrite !and_true, Nat.eqb_eq, is_telephone_spec, (D u Hu). auto.
Qed.

Lemma known_from m n s : forall K i l,
  (forall r, In r s -> inside n r) -> describes n K i l ->
  describes n (after m s K) i (fold_left (next_known m n) s l).
Proof.
  induction s as [|r s IH]; simpl; intros K i l I D; [exact D|].
  apply IH; [auto|]. apply describes_next; auto.
Qed.

Theorem known_spec m G s K who i :
  legal m G s -> (forall v, v < size G -> (who v = true <-> K v i)) ->
  describes (size G) (after m s K) i (known m (size G) s who).
Proof.
  intros L H. apply known_from; [intros r; now apply legal_inside with (m := m)|].
  split; [now rewrite map_length, seq_length|]. intros v Hv. rewrite nth_map_seq by exact Hv. auto.
Qed.

(** ** Replay *)

Definition complete (m : mode) (G : network) (T : task) (s : schedule) : bool :=
  forallb (fun i =>
    let l := known m (size G) s (fun v => start T v i) in
    forallb (fun v => if goal T v i then nth v l false else true) (seq 0 (size G))) (seq 0 (items T)).

Definition replay (m : mode) (G : network) (T : task) (s : schedule) : bool :=
  is_legal m G s &&& complete m G T s.

Theorem replay_spec m G T s : replay m G T s = true <-> solves m G T s.
Proof.
  unfold replay, solves. rewrite and_true, is_legal_spec.
  split; (intros [L H]; split; [exact L|]).
  - intros v i Hv Hi Hg. unfold complete in H. rewrite forallb_forall in H.
    specialize (H i ltac:(apply in_seq; lia)). simpl in H. rewrite forallb_forall in H.
    specialize (H v ltac:(apply in_seq; lia)). rewrite Hg in H.
    destruct (known_spec m G s (fun u j => start T u j = true) (fun u => start T u i) i L) as [_ D];
      [tauto|]. now apply D.
  - unfold complete. apply forallb_forall. intros i Hi. apply in_seq in Hi.
    apply forallb_forall. intros v Hv. apply in_seq in Hv.
    destruct (goal T v i) eqn:Hg; [|reflexivity].
    destruct (known_spec m G s (fun u j => start T u j = true) (fun u => start T u i) i L) as [_ D];
      [tauto|]. apply D; [lia|]. apply H; auto; lia.
Qed.

Corollary replayed m G T s : replay m G T s = true -> suffices m G T (length s).
Proof. intros H. exists s. split; [reflexivity|]. now apply replay_spec. Qed.

(** The same for a period: rounds that are p apart are compared, call by call. *)
Definition repeats (m : mode) (r q : round) : bool :=
  forallb (fun c => told m q (fst c) (snd c)) r.

Lemma repeats_spec m r q : repeats m r q = true <-> forall u v, tells m r u v -> tells m q u v.
Proof.
  unfold repeats. rewrite forallb_forall. split.
  - intros H u v [Hc|[Hm Hc]].
    + apply told_spec. exact (H (u, v) Hc).
    + specialize (H (v, u) Hc). apply told_spec in H. simpl in H.
      destruct H as [H|[_ H]]; [right; auto|left; exact H].
  - intros H [u v] Hc. apply told_spec. apply H. now left.
Qed.

Definition is_periodic (m : mode) (p : nat) (s : schedule) : bool :=
  (0 <? p) &&& forallb (fun t =>
    let r := nth t s [] in let q := nth (t + p) s [] in repeats m r q &&& repeats m q r)
    (seq 0 (length s - p)).

Theorem is_periodic_spec m p s : is_periodic m p s = true <-> periodic m p s.
Proof.
  unfold is_periodic, periodic. rewrite and_true, Nat.ltb_lt, forallb_forall.
  apply and_iff_compat_l. split.
  - intros H t Ht u v. specialize (H t ltac:(apply in_seq; lia)).
    rewrite and_true, !repeats_spec in H. destruct H as [H1 H2]. split; auto.
  - intros H t Ht. apply in_seq in Ht. rewrite and_true, !repeats_spec.
    split; intros u v; apply H; lia.
Qed.

Corollary replayed_periodic p m G T s :
  is_periodic m p s &&& replay m G T s = true -> suffices_periodic p m G T (length s).
Proof.
  rewrite and_true, is_periodic_spec, replay_spec. intros [H1 H2]. exists s. auto.
Qed.
