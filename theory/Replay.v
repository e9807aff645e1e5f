(** Replaying a schedule is a computation, and it says just what the definitions say ([replay_spec]). *)

From Coq Require Import List Bool Arith NArith PArith Lia FMapPositive.
From Schedsolve Require Import Definitions.
From Schedsolve Require Export LegalRounds.
Import ListNotations.
Local Open Scope bool_scope.

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

(** ** What every node knows, as a set of bits for each *)

Definition sets := Map.t N.

Definition set_of (S : sets) (v : node) : N :=
  match Map.find (key v) S with Some s => s | None => 0%N end.

Definition holds_item (S : sets) (v : node) (i : item) : bool := N.testbit (set_of S v) (N.of_nat i).

(** [before]: what the nodes know before the round; [S]: what they know after some of its calls. *)
Definition hear (before : sets) (u v : node) (S : sets) : sets :=
  Map.add (key v) (N.lor (set_of S v) (set_of before u)) S.

Definition after_call (m : mode) (before S : sets) (c : call) : sets :=
  let one_way := hear before (fst c) (snd c) S in
  if is_telephone m then hear before (snd c) (fst c) one_way else one_way.

Definition next_sets (m : mode) (before : sets) (r : round) : sets := fold_left (after_call m before) r before.

Definition those (f : nat -> bool) (k : nat) : N :=
  fold_right (fun i s => if f i then N.setbit s (N.of_nat i) else s) 0%N (seq 0 k).

Definition first_sets (n : nat) (f : node -> N) : sets :=
  fold_right (fun v S => Map.add (key v) (f v) S) (Map.empty N) (seq 0 n).

Lemma holds_hear before u v S w i : holds_item (hear before u v S) w i = true <->
  holds_item S w i = true \/ (w = v /\ holds_item before u i = true).
Proof.
  unfold holds_item, hear. unfold set_of at 1. destruct (Nat.eq_dec w v) as [->|D].
  - rewrite Map.gss, N.lor_spec, orb_true_iff. tauto.
  - rewrite Map.gso by (intros E; apply key_inj in E; contradiction).
    unfold set_of. tauto.
Qed.

Lemma holds_after_call m before S c w i : holds_item (after_call m before S c) w i = true <->
  holds_item S w i = true \/ exists u, tells m [c] u w /\ holds_item before u i = true.
Proof.
  destruct c as [x y]. unfold after_call, tells. simpl.
  destruct m; simpl; rewrite !holds_hear.
  - split.
    + intros [H|[-> H]]; [auto|]. right. exists x. auto.
    + intros [H|[u [[[E|[]]|[E _]] H]]]; [auto| |discriminate]. inversion E; subst. auto.
  - split.
    + intros [[H|[-> H]]|[-> H]]; [auto| |]; right; [exists x|exists y]; auto.
    + intros [H|[u [[[E|[]]|[_ [E|[]]]] H]]]; [auto| |]; inversion E; subst; auto.
Qed.

Lemma holds_after_calls m before r : forall S w i,
  holds_item (fold_left (after_call m before) r S) w i = true <->
  holds_item S w i = true \/ exists u, tells m r u w /\ holds_item before u i = true.
Proof.
  induction r as [|c r IH]; simpl; intros S w i.
  - split; [auto|]. intros [H|[u [[[]|[_ []]] _]]]. exact H.
  - rewrite IH, holds_after_call. unfold tells. simpl. split.
    + intros [[H|[u [H K]]]|[u [H K]]]; [auto|right; exists u..]; tauto.
    + intros [H|[u [[[H|H]|[M [H|H]]] K]]]; [auto|..]; [left; right|right|left; right|right]; exists u; tauto.
Qed.

Lemma those_spec f k i : i < k -> N.testbit (those f k) (N.of_nat i) = f i.
Proof.
  unfold those. intros H. assert (I : In i (seq 0 k)) by (apply in_seq; lia).
  pose proof (seq_NoDup k 0) as D. induction D as [|j l N D IH]; simpl; [destruct I|].
  assert (Z : ~ In i l -> N.testbit
    (fold_right (fun j s => if f j then N.setbit s (N.of_nat j) else s) 0%N l) (N.of_nat i) = false).
  { clear. induction l as [|j l IH]; simpl; intros H; [reflexivity|].
    destruct (f j); [|tauto]. rewrite N.setbit_neq; [tauto|]. intros E. apply Nnat.Nat2N.inj in E. tauto. }
  destruct (Nat.eq_dec j i) as [->|E].
  - destruct (f i); [now rewrite N.setbit_eq|now apply Z].
  - destruct I as [I|I]; [congruence|]. destruct (f j); [|auto].
    rewrite N.setbit_neq; [auto|]. intros X. apply Nnat.Nat2N.inj in X. congruence.
Qed.

Lemma first_sets_spec n f v : v < n -> set_of (first_sets n f) v = f v.
Proof.
  intros H. assert (I : In v (seq 0 n)) by (apply in_seq; lia). unfold first_sets, set_of.
  induction (seq 0 n) as [|u l IH]; simpl; [destruct I|]. destruct (Nat.eq_dec v u) as [->|E].
  - now rewrite Map.gss.
  - rewrite Map.gso by (intros X; apply key_inj in X; contradiction).
    apply IH. destruct I; [congruence|assumption].
Qed.

(** [S] says which of the first k items the nodes know. *)
Definition represents (n k : nat) (K : knowledge) (S : sets) : Prop :=
  forall v i, v < n -> i < k -> (holds_item S v i = true <-> K v i).

Lemma represents_after m n k s : forall K S,
  (forall r, In r s -> inside n r) -> represents n k K S ->
  represents n k (after m s K) (fold_left (next_sets m) s S).
Proof.
  induction s as [|r s IH]; simpl; intros K S I R; [exact R|]. apply IH; [auto|].
  intros v i Hv Hi. unfold next_sets. rewrite holds_after_calls, (R v i Hv Hi). unfold after_round.
  apply or_iff_compat_l. assert (Ir : inside n r) by auto.
  split; intros [u [T H]]; exists u; (split; [exact T|]); apply (R u i); auto;
    destruct T as [T|[_ T]]; apply Ir in T; tauto.
Qed.

(** ** Replay *)

Definition complete (m : mode) (G : network) (T : task) (s : schedule) : bool :=
  let last := fold_left (next_sets m) s (first_sets (size G) (fun v => those (start T v) (items T))) in
  forallb (fun v => let known := set_of last v in
    forallb (fun i => if goal T v i then N.testbit known (N.of_nat i) else true) (seq 0 (items T)))
    (seq 0 (size G)).

Definition replay (m : mode) (G : network) (T : task) (s : schedule) : bool :=
  is_legal m G s &&& complete m G T s.

Theorem replay_spec m G T s : replay m G T s = true <-> solves m G T s.
Proof.
  unfold replay, solves. rewrite and_true, is_legal_spec.
  enough (H : legal m G s -> (complete m G T s = true <-> forall v i, v < size G -> i < items T ->
    goal T v i = true -> after m s (fun u j => start T u j = true) v i)) by (unfold solves; tauto).
  intros L.
  pose proof (represents_after m (size G) (items T) s (fun u j => start T u j = true)
    (first_sets (size G) (fun v => those (start T v) (items T)))
    (fun r => legal_inside m G s r L)) as R.
  assert (R0 : represents (size G) (items T) (fun u j => start T u j = true)
    (first_sets (size G) (fun v => those (start T v) (items T)))).
  { intros v i Hv Hi. unfold holds_item. rewrite first_sets_spec, those_spec by assumption. reflexivity. }
  specialize (R R0). unfold complete. rewrite forallb_forall. split.
  - intros H v i Hv Hi Hg. specialize (H v ltac:(apply in_seq; lia)). cbv zeta in H.
    rewrite forallb_forall in H. specialize (H i ltac:(apply in_seq; lia)). rewrite Hg in H.
    now apply (R v i Hv Hi).
  - intros H v Hv. apply in_seq in Hv. cbv zeta. apply forallb_forall. intros i Hi. apply in_seq in Hi.
    destruct (goal T v i) eqn:Hg; [|reflexivity]. apply (R v i); [lia|lia|]. apply H; auto; lia.
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
