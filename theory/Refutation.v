(** A formula that every solution gives a model of, with the clauses that break symmetries: if it is refuted,
    there is no solution. *)

From Coq Require Import List Bool Arith NArith PArith Lia.
From Schedsolve Require Import Definitions Replay Checker Variables Symmetry Automorphisms.
Import ListNotations.
Local Open Scope bool_scope.

(** The number of the link that an automorphism makes of a link. *)
Fixpoint place_of (p : node * node) (l : list (node * node)) : nat :=
  match l with
  | [] => 0
  | q :: l' => if same q p then 0 else S (place_of p l')
  end.

Definition in_order (m : mode) (u v : node) : node * node :=
  if is_telephone m &&& (v <? u) then (v, u) else (u, v).

Definition moved_link_in (links : list (node * node)) (m : mode) (l : list node) (p : node * node) : nat :=
  place_of (in_order m (image l (fst p)) (image l (snd p))) links.

Definition moved_link (m : mode) (G : network) := moved_link_in (callable m G) m.

Lemma place_of_spec p l : In p l -> nth_error l (place_of p l) = Some p.
Proof.
  induction l as [|q l IH]; simpl; [tauto|]. intros H. destruct (same q p) eqn:E.
  - apply same_spec in E. now subst.
  - destruct H as [->|H]; [|now apply IH].
    assert (same p p = true) by now apply same_spec. congruence.
Qed.

Lemma moved_link_spec m G l u v :
  automorphism m G (image l) (image (inverse (size G) l)) -> In (u, v) (callable m G) ->
  nth_error (callable m G) (moved_link m G l (u, v)) = Some (in_order m (image l u) (image l v)).
Proof.
  intros A H. apply place_of_spec. simpl. apply callable_spec in H. destruct H as [H _].
  destruct (proj2 A u v H) as [C _]. unfold in_order.
  destruct m; simpl.
  - apply callable_spec. split; [exact C|discriminate].
  - destruct (image l v <? image l u) eqn:E; apply callable_spec.
    + apply Nat.ltb_lt in E. split; [now apply may_call_symmetric|auto].
    + apply Nat.ltb_ge in E. split; [exact C|]. intros _.
      destruct C as [[_ [_ [N _]]] _]. lia.
Qed.

Section Refuted.
Variables (m : mode) (G : network) (kinds slots M : nat).
Variable f : list named_clause.

Let count := N.of_nat (length (callable m G)).
Let name := number (N.of_nat slots) count (N.of_nat (size G)) (N.of_nat kinds).

(** The first number that is free for the variables of [larger]. *)
Definition free : positive :=
  N.succ_pos (N.of_nat slots * count + N.of_nat (S M) * N.of_nat (size G) * N.of_nat kinds).

Definition symmetry_pairs (l : list node) : list (positive * positive) :=
  let links := callable m G in
  map (fun p => (name (Call 0 (fst p)), name (Call 0 (moved_link_in links m l (snd p))))) (placed 0 links).

Definition full_formula (images : list (list node)) : list clause :=
  map (numbered (N.of_nat slots) count (N.of_nat (size G)) (N.of_nat kinds)) f
  ++ symmetry_clauses free (map symmetry_pairs images).

(** All variables of the formula are numbered as they should be, and below the free ones. *)
Definition numbers_fit (images : list (list node)) : bool :=
  let bound := free in
  forallb (forallb (fun l =>
    fits (N.of_nat slots) count (N.of_nat (size G)) (N.of_nat kinds) (snd l)
    &&& (name (snd l) <? bound)%positive)) f
  &&& match images with
      | [] => true
      | _ => forallb (fun p =>
          fits (N.of_nat slots) count (N.of_nat (size G)) (N.of_nat kinds) (Call 0 (fst p))
          &&& (name (Call 0 (fst p)) <? bound)%positive) (placed 0 (callable m G))
      end.

(** A model whose first round is at least its images. *)
Theorem no_largest images (val : valuation) proof :
  (forall l, In l images -> is_automorphism m G l = true) -> numbers_fit images = true -> refuted_by (full_formula images) proof = true -> named_model val f ->
  ~ (forall l, In l images ->
      at_least (map (fun p => val (Call 0 (fst p))) (placed 0 (callable m G)))
        (map (fun p => val (Call 0 (moved_link m G l (snd p)))) (placed 0 (callable m G))) = true).
Proof.
  intros automorphic Fit C Modelled Lx. unfold numbers_fit in Fit. cbv zeta in Fit. rewrite and_true in Fit.
  destruct Fit as [F1 F2]. rewrite forallb_forall in F1.
  set (of := of_names (N.of_nat slots) count (N.of_nat (size G)) (N.of_nat kinds) val).
  assert (Calls : images <> [] -> forall k, In k (seq 0 (length (callable m G))) ->
    of (name (Call 0 k)) = val (Call 0 k) /\ (name (Call 0 k) < free)%positive).
  { intros Ne k Hk. destruct images as [|l0 ls]; [congruence|]. rewrite forallb_forall in F2.
    rewrite <- placed_places in Hk. apply in_map_iff in Hk. destruct Hk as [p [<- Hp]].
    specialize (F2 p Hp). rewrite and_true in F2. destruct F2 as [F2 F3].
    split; [|now apply Pos.ltb_lt]. unfold of, of_names. now rewrite named_number. }
  assert (Places : forall l p, In l images -> In p (callable m G) ->
    In (moved_link m G l p) (seq 0 (length (callable m G)))).
  { intros l [u v] Hl Hp. apply in_seq. split; [lia|]. simpl. apply nth_error_Some.
    rewrite moved_link_spec; [discriminate| |exact Hp]. now apply is_automorphism_spec, automorphic. }
  assert (InPlaces : forall k p, In (k, p) (placed 0 (callable m G)) ->
    In k (seq 0 (length (callable m G))) /\ In p (callable m G)).
  { intros k p Hp. split.
    - rewrite <- placed_places. apply in_map_iff. now exists (k, p).
    - apply in_placed0 in Hp. now apply nth_error_In in Hp. }
  destruct (symmetry_clauses_sound (map symmetry_pairs images) free
    (map (numbered (N.of_nat slots) count (N.of_nat (size G)) (N.of_nat kinds)) f) of) as [b [_ Mb]].
  - intros pairs H p Hp. apply in_map_iff in H. destruct H as [l [<- Hl]].
    unfold symmetry_pairs in Hp. apply in_map_iff in Hp. destruct Hp as [[k q] [<- Hq]]. simpl.
    destruct (InPlaces k q Hq) as [Hk Hq'].
    assert (Ne : images <> []) by (intros E; rewrite E in Hl; destruct Hl).
    split; apply (Calls Ne); [exact Hk|now apply Places].
  - intros c Hc l Hl. apply in_map_iff in Hc. destruct Hc as [d [<- Hd]].
    unfold numbered in Hl. apply in_map_iff in Hl. destruct Hl as [k [<- Hk]]. simpl.
    specialize (F1 d Hd). rewrite forallb_forall in F1. specialize (F1 k Hk).
    rewrite and_true in F1. now apply Pos.ltb_lt.
  - intros pairs H. apply in_map_iff in H. destruct H as [l [<- Hl]].
    assert (Ne : images <> []) by (intros E; rewrite E in Hl; destruct Hl).
    specialize (Lx l Hl). unfold values, symmetry_pairs.
    cbv zeta. rewrite !map_map. simpl. rewrite <- Lx. f_equal; apply map_ext_in; intros [k p] Hp; simpl;
      destruct (InPlaces k p Hp) as [Hk Hp'].
    + now apply (Calls Ne).
    + apply (Calls Ne). now apply Places.
  - apply numbered_model; [|exact Modelled].
    apply forallb_forall. intros c Hc. apply forallb_forall. intros l Hl.
    specialize (F1 c Hc). rewrite forallb_forall in F1. specialize (F1 l Hl).
    rewrite and_true in F1. tauto.
  - exact (refuted_sound _ _ _ C Mb).
Qed.

(** The solutions: each gives values to the variables that satisfy the formula, and each automorphism makes
    another solution of it, in whose first round the links are called that are its image. *)
Variables (X : Type) (P : X -> Prop) (says : X -> valuation) (shift : list node -> X -> X).
Variable images : list (list node).
Hypothesis modelled : forall x, P x -> named_model (says x) f.
Hypothesis shifted : forall l x, In l images -> P x -> P (shift l x).
Hypothesis automorphic : forall l, In l images -> is_automorphism m G l = true.
Hypothesis followed : forall l x k p, In l images -> P x -> In (k, p) (placed 0 (callable m G)) ->
  says (shift l x) (Call 0 k) = says x (Call 0 (moved_link m G l p)).

Definition first_round (x : X) : list bool :=
  map (fun p => says x (Call 0 (fst p))) (placed 0 (callable m G)).

Theorem no_solution proof :
  numbers_fit images = true -> refuted_by (full_formula images) proof = true -> forall x, ~ P x.
Proof.
  intros Fit C x0 P0.
  destruct (exists_largest P first_round (length (callable m G)) images shift) with (x := x0)
    as [x [Px Lx]]; auto.
  { intros x _. unfold first_round. rewrite map_length. rewrite <- (map_length fst), placed_places.
    apply seq_length. }
  apply (no_largest images (says x) proof automorphic Fit C); [now apply modelled|]. intros l Hl. rewrite <- (Lx l Hl).
  unfold first_round. f_equal. apply map_ext_in. intros [k p] Hp. symmetry. now apply followed.
Qed.

End Refuted.
