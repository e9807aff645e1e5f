(** One-way gossip: the first and the last round may be as busy as they can be.

    The same nodes may call any others in the first round, and in the last the same be called
    ([ends_exchanged]).  So of all gossips in as many rounds take those with the fewest calls between the first
    round and the last; of these those with the most calls in these two; and of these one in which these two
    are largest, lexicographically as vectors over the links.  Then both are settled ([settled_first],
    [settled_last]); and whoever calls waits for news as in the gossips with the fewest calls, but that nothing
    is said of calls in the last round that come too early, or in the first that come too late.  A refutation of
    the plain formula with all these clauses refutes the rounds ([busy_ends_refuted]). *)

From Coq Require Import List Bool Arith NArith Lia.
From Schedsolve Require Import Definitions Replay Checker Variables Symmetry Automorphisms Refutation.
From Schedsolve Require Import ItemsFormula Theorems Reversal Premises FewestCalls SettledRounds.
Import ListNotations.
Local Open Scope bool_scope.

(** ** The rounds between the first and the last *)

Definition inner (s : schedule) : schedule := removelast (tl s).

Lemma inner_framed first middle last : inner (framed first middle last) = middle.
Proof. unfold inner, framed. simpl. apply removelast_last. Qed.

Lemma framed_backward first middle last :
  backward (framed first middle last) = framed (map turned last) (backward middle) (map turned first).
Proof. unfold framed. now rewrite backward_cons, backward_app. Qed.

Lemma is_framed (s : schedule) : 2 <= length s -> exists first middle last, s = framed first middle last.
Proof.
  destruct s as [|first s]; simpl; [lia|]. intros H.
  destruct (exists_last (l := s)) as [middle [last ->]]; [intros ->; simpl in H; lia|].
  now exists first, middle, last.
Qed.

Definition calls_between (s : schedule) : nat := calls (inner s).

Lemma between_measure : measures 1 calls_between.
Proof.
  split; [lia| |].
  - intros s. destruct (le_lt_dec 2 (length s)) as [L|L].
    + destruct (is_framed s L) as [first [middle [last ->]]].
      unfold calls_between. now rewrite framed_backward, !inner_framed, calls_backward.
    + destruct s as [|r [|q s]]; try reflexivity. simpl in L. lia.
  - intros before q later c H Hb Hl. destruct before as [|first before]; simpl in Hb; [lia|].
    destruct (exists_last (l := later)) as [middle [last ->]]; [intros ->; simpl in Hl; lia|].
    assert (E : forall x, calls_between ((first :: before) ++ x :: middle ++ [last]) = calls (before ++ x :: middle)).
    { intros x. replace ((first :: before) ++ x :: middle ++ [last]) with (framed first (before ++ x :: middle) last).
      - unfold calls_between. now rewrite inner_framed.
      - unfold framed. simpl. now rewrite <- app_assoc. }
    rewrite !E, !calls_app. unfold calls. simpl. rewrite !app_length.
    pose proof (omit_shorter c q H). lia.
Qed.

(** ** Busy and largest ends *)

Section Busy.
Variables (G : network) (k : nat).

Record parts := Parts { first : round; middle : schedule; last : round }.
Definition whole (x : parts) : schedule := framed (first x) (middle x) (last x).

Definition vector (x : parts) : list bool := marks G (first x) ++ marks G (last x).
Definition end_calls (x : parts) : nat := length (first x) + length (last x).

Definition candidate (x : parts) : Prop := length (middle x) = k /\ gossips G (whole x).
Definition sparing (x : parts) : Prop :=
  candidate x /\ forall y, candidate y -> calls (middle x) <= calls (middle y).
Definition busy (x : parts) : Prop := sparing x /\ forall y, sparing y -> end_calls y <= end_calls x.
Definition largest (x : parts) : Prop :=
  busy x /\ forall y, busy y -> at_least (vector x) (vector y) = true.

Lemma ends_length r : length (ends r) = 2 * length r.
Proof. unfold ends. induction r as [|c r IH]; [reflexivity|]. simpl. rewrite IH. lia. Qed.

Lemma round_length r : legal_round telegraph G r -> length r <= size G.
Proof.
  intros [A D]. enough (length (ends r) <= length (seq 0 (size G))) as H.
  { rewrite ends_length, seq_length in H. lia. }
  apply NoDup_incl_length; [exact D|]. intros x Hx. apply in_seq. unfold ends in Hx. apply in_flat_map in Hx.
  destruct Hx as [[u v] [H Hx]]. destruct (A u v H) as [[Hu [Hv _]] _].
  simpl in Hx. destruct Hx as [<-|[<-|[]]]; lia.
Qed.

Lemma candidate_legal x : candidate x ->
  legal_round telegraph G (first x) /\ legal telegraph G (middle x) /\ legal_round telegraph G (last x).
Proof. intros [_ [L _]]. now apply legal_framed. Qed.

(** If there is a gossip, then there is one like that. *)
Theorem largest_refuted : (forall x, ~ largest x) -> ~ gossip telegraph G (S (S k)).
Proof.
  intros N H. apply gossip_by_origins in H. destruct H as [f [m [l [E [L O]]]]].
  assert (C0 : candidate (Parts f m l)) by (split; [exact E|now apply origins]).
  revert C0. apply (no_least candidate (fun x => calls (middle x))). intros x Cx Lx.
  assert (Sx : sparing x) by now split. clear Cx Lx. revert Sx.
  apply (no_least sparing (fun y => 2 * size G - end_calls y)). clear x. intros x Sx Lx.
  assert (Bound : forall y, sparing y -> end_calls y <= 2 * size G).
  { intros y [Cy _]. apply candidate_legal in Cy. destruct Cy as [Lf [_ Ll]]. unfold end_calls.
    apply round_length in Lf. apply round_length in Ll. lia. }
  assert (Bx : busy x).
  { split; [exact Sx|]. intros y Sy. specialize (Lx y Sy).
    pose proof (Bound x Sx). pose proof (Bound y Sy). lia. }
  clear Sx Lx Bound. revert Bx.
  set (most := length (callable telegraph G) + length (callable telegraph G)).
  assert (Len : forall y, length (vector y) = most).
  { intros y. unfold vector, most. now rewrite app_length, !(marks_length G). }
  apply (no_least busy (fun y => 2 ^ most - value (vector y))). clear x. intros x Bx Lx.
  apply (N x). split; [exact Bx|]. intros y By. specialize (Lx y By).
  destruct (at_least (vector x) (vector y)) eqn:A; [reflexivity|exfalso].
  apply less_value in A; [|now rewrite !Len].
  pose proof (value_below (vector y)) as V. rewrite Len in V. lia.
Qed.

(** ** Its first and its last round are settled *)

Lemma at_least_prefix a c : forall b d, length a = length c ->
  at_least (a ++ b) (c ++ d) = true -> at_least a c = true.
Proof.
  revert c. induction a as [|x a IH]; intros [|y c] b d E H; try discriminate; [reflexivity|].
  simpl in *. injection E as E. destruct (Bool.eqb x y); [now apply (IH c b d)|exact H].
Qed.

Lemma at_least_same a b d : at_least (a ++ b) (a ++ d) = at_least b d.
Proof. induction a as [|x a IH]; [reflexivity|]. simpl. now rewrite eqb_reflx. Qed.

Lemma exchanged x f l : sparing x -> legal_round telegraph G f -> legal_round telegraph G l ->
  (forall u, calling (first x) u -> calling f u) -> (forall v, called (last x) v -> called l v) ->
  sparing (Parts f (middle x) l).
Proof.
  intros [[E H] Least] Lf Ll C R. split; [split; [exact E|]|exact Least].
  now apply (ends_exchanged G (first x) f (middle x) (last x) l).
Qed.

Lemma settled_first x : largest x -> settled G (first x).
Proof.
  intros [[Sx Most] Large]. pose proof (candidate_legal x (proj1 Sx)) as [Lf [_ Ll]].
  split; [exact Lf|]. intros q Lq C _.
  assert (Sy : sparing (Parts q (middle x) (last x))) by (apply exchanged; auto).
  pose proof (Most _ Sy) as B. unfold end_calls in B. simpl in B. split; [lia|]. intros E.
  apply (at_least_prefix (marks G (first x)) (marks G q) (marks G (last x)) (marks G (last x)));
    [now rewrite !(marks_length G)|].
  apply (Large (Parts q (middle x) (last x))). split; [exact Sy|]. intros y Hy. specialize (Most y Hy).
  unfold end_calls in *. simpl. lia.
Qed.

Lemma settled_last x : largest x -> settled G (last x).
Proof.
  intros [[Sx Most] Large]. pose proof (candidate_legal x (proj1 Sx)) as [Lf [_ Ll]].
  split; [exact Ll|]. intros q Lq _ R.
  assert (Sy : sparing (Parts (first x) (middle x) q)) by (apply exchanged; auto).
  pose proof (Most _ Sy) as B. unfold end_calls in B. simpl in B. split; [lia|]. intros E.
  rewrite <- (at_least_same (marks G (first x)) (marks G (last x)) (marks G q)).
  apply (Large (Parts (first x) (middle x) q)). split; [exact Sy|]. intros y Hy. specialize (Most y Hy).
  unfold end_calls in *. simpl. lia.
Qed.

(** ** Symmetries *)

Lemma placed_links_all {A} (l : list A) : forall n, map snd (placed n l) = l.
Proof. induction l as [|c l IH]; intros n; [reflexivity|]. simpl. now rewrite IH. Qed.

Lemma whole_moved g f m l :
  whole (Parts (move_round g f) (move g m) (move_round g l)) = move g (whole (Parts f m l)).
Proof. unfold whole, framed, move. simpl. now rewrite map_app. Qed.

Lemma calls_moved g s : calls (move g s) = calls s.
Proof.
  unfold calls, move. induction s as [|r s IH]; [reflexivity|]. simpl. rewrite !app_length, IH.
  unfold move_round. now rewrite map_length.
Qed.

Definition moved (g : node -> node) (x : parts) : parts :=
  Parts (move_round g (first x)) (move g (middle x)) (move_round g (last x)).

Lemma moved_busy f g x : automorphism telegraph G f g -> busy x -> busy (moved g x).
Proof.
  intros A [[[E H] Least] Most].
  assert (C : candidate (moved g x)).
  { split; [unfold moved, move; simpl; now rewrite map_length|]. unfold moved. rewrite whole_moved.
    apply (moved_gossip telegraph G f g A). now destruct x. }
  split; [split; [exact C|]|].
  - intros y Cy. unfold moved. simpl. rewrite calls_moved. now apply Least.
  - intros y Sy. unfold end_calls, moved, move_round. simpl. rewrite !map_length. now apply Most.
Qed.

Lemma largest_image l x : is_automorphism telegraph G l = true -> largest x ->
  at_least (map (fun p => says telegraph G (gossip_task G) (whole x) (Call 0 (fst p))) (placed 0 (callable telegraph G)))
    (map (fun p => says telegraph G (gossip_task G) (whole x) (Call 0 (moved_link telegraph G l (snd p))))
      (placed 0 (callable telegraph G))) = true.
Proof.
  intros A [B Large]. apply is_automorphism_spec in A.
  pose proof (Large _ (moved_busy _ _ x A B)) as H. apply at_least_prefix in H; [|now rewrite !(marks_length G)].
  assert (Placed : forall r, marks G r =
    map (fun p => told telegraph r (fst (snd p)) (snd (snd p))) (placed 0 (callable telegraph G))).
  { intros r. unfold marks. rewrite <- (placed_links_all (callable telegraph G) 0) at 1. now rewrite map_map. }
  rewrite <- H, !Placed. f_equal; apply map_ext_in; intros [a [u v]] Ha; apply in_placed0 in Ha; simpl.
  - now rewrite (nth_error_nth _ _ _ Ha).
  - symmetry. pose proof (told_moved telegraph G l (whole x) a u v A) as T.
    destruct B as [[[_ [L _]] _] _]. specialize (T L Ha). simpl in T. exact T.
Qed.

End Busy.

(** ** Refutations *)

Definition busy_formula (G : network) (M : nat) : list named_clause :=
  items_formula telegraph G (gossip_task G) M M ++ waiting 1 G M
  ++ settled_clauses G 0 ++ settled_clauses G (M - 1).

Definition refutes_busy (G : network) (M : nat) (images : list (list node)) (proof : list N) : bool :=
  let f := busy_formula G M in
  (2 <=? M) &&& forallb (is_automorphism telegraph G) images &&& numbers_fit telegraph G (size G) M M f images
  &&& refuted_by (full_formula telegraph G (size G) M M f images) proof.

Theorem busy_ends_refuted G M images proof :
  refutes_busy G M images proof = true -> ~ gossip telegraph G M.
Proof.
  unfold refutes_busy. rewrite !and_true, forallb_forall, Nat.leb_le. intros [[[LM A] F] C].
  destruct M as [|[|k]]; [lia|lia|]. apply largest_refuted. intros x Hx.
  pose proof (proj1 (proj1 (proj1 Hx))) as [E H]. pose proof (proj1 (proj1 Hx)) as [_ Least].
  assert (Len : length (whole x) = S (S k)).
  { unfold whole, framed. simpl. rewrite app_length, E. simpl. lia. }
  apply (no_largest telegraph G (size G) (S (S k)) (S (S k)) (busy_formula G (S (S k))) images
    (says telegraph G (gossip_task G) (whole x)) proof A F C); [|intros l Hl; apply (largest_image G k); auto].
  unfold busy_formula. rewrite !named_model_app. split; [|split; [|split]].
  - apply items_formula_sound; auto. intros t Ht. rewrite Nat.mod_small by exact Ht. split; [exact Ht|reflexivity].
  - rewrite <- Len. apply (waiting_sound G (whole x) H 1 calls_between between_measure). split; [exact H|].
    intros q Eq Hq. rewrite Len in Eq. destruct (is_framed q) as [f [m [l ->]]]; [lia|].
    unfold calls_between, whole. rewrite !inner_framed. apply (Least (Parts f m l)). split; [|exact Hq].
    unfold framed in Eq. simpl in Eq. rewrite app_length in Eq. simpl in *. lia.
  - apply settled_sound. now apply (settled_first G k).
  - apply settled_sound. replace (nth (S (S k) - 1) (whole x) []) with (last x).
    + now apply (settled_last G k).
    + unfold whole, framed. simpl. now rewrite <- E, nth_middle.
Qed.
