(** Breaking symmetries: of all schedules that the automorphisms in a list make of one another, the formula asks
    for one whose first round is lexicographically at least its image under each of them.  If there is a
    schedule, there is such a one ([exists_largest]), and the clauses that say so are written as schedsolve
    writes them ([larger], [symmetry_clauses]). *)

From Coq Require Import List Bool Arith NArith PArith Lia.
From Schedsolve Require Import Definitions Replay Checker Variables.
Import ListNotations.
Local Open Scope bool_scope.

(** ** Vectors of booleans *)

(** Lexicographically at least; true before false. *)
Fixpoint at_least (x y : list bool) : bool :=
  match x, y with
  | a :: x', b :: y' => if Bool.eqb a b then at_least x' y' else a
  | _, _ => true
  end.

Fixpoint value (x : list bool) : nat :=
  match x with
  | [] => 0
  | a :: x' => (if a then 2 ^ length x' else 0) + value x'
  end.

Lemma value_below x : value x < 2 ^ length x.
Proof. induction x as [|[] x IH]; simpl; lia. Qed.

Lemma less_value x : forall y, length x = length y -> at_least x y = false -> value x < value y.
Proof.
  induction x as [|a x IH]; destruct y as [|b y]; simpl; intros E H; try discriminate.
  injection E as E. destruct a, b; simpl in H; try discriminate.
  - specialize (IH y E H). rewrite E. lia.
  - pose proof (value_below x). rewrite E in *. lia.
  - specialize (IH y E H). lia.
Qed.

(** Where moving around in [P] by the [moves] never ends, the vector cannot grow for ever. *)
Theorem exists_largest {X I} (P : X -> Prop) (vector : X -> list bool) (len : nat)
  (moves : list I) (move : I -> X -> X) :
  (forall x, P x -> length (vector x) = len) ->
  (forall i x, In i moves -> P x -> P (move i x)) ->
  forall x, P x ->
  exists y, P y /\ forall i, In i moves -> at_least (vector y) (vector (move i y)) = true.
Proof.
  intros Len Closed x Px.
  remember (2 ^ len - value (vector x)) as fuel eqn:F.
  revert x Px F. induction fuel as [fuel IH] using lt_wf_ind. intros x Px ->.
  destruct (forallb (fun i => at_least (vector x) (vector (move i x))) moves) eqn:A.
  - exists x. split; [exact Px|]. now apply forallb_forall.
  - assert (B : exists i, In i moves /\ at_least (vector x) (vector (move i x)) = false).
    { clear - A. induction moves as [|i l IHl]; simpl in A; [discriminate|].
      apply andb_false_iff in A. destruct A as [A|A]; [exists i; simpl; auto|].
      destruct (IHl A) as [j [? ?]]. exists j. simpl. auto. }
    destruct B as [i [Hi B]]. assert (Py : P (move i x)) by auto.
    apply (IH (2 ^ len - value (vector (move i x)))) with (x := move i x); auto.
    assert (value (vector x) < value (vector (move i x))) by (apply less_value; [rewrite !Len|]; auto).
    pose proof (value_below (vector (move i x))) as V. rewrite (Len _ Py) in V. lia.
Qed.

(** ** The clauses *)

(** One vector of variables is at least another, if the literals [equal] all fail; the variables from [next] on
    say that both are equal so far. *)
Fixpoint larger (next : positive) (equal : clause) (pairs : list (positive * positive)) : list clause * positive :=
  match pairs with
  | [] => ([], next)
  | (p, q) :: pairs' =>
    if Pos.eqb p q then larger next equal pairs'
    else
      match larger (Pos.succ next) [(false, next)] pairs' with
      | (clauses, last) =>
        ((equal ++ [(true, p); (false, q)])
         :: (equal ++ [(false, p); (false, q); (true, next)])
         :: (equal ++ [(true, p); (true, q); (true, next)])
         :: clauses, last)
      end
  end.

Fixpoint symmetry_clauses (next : positive) (images : list (list (positive * positive))) : list clause :=
  match images with
  | [] => []
  | pairs :: images' =>
    match larger next [] pairs with
    | (clauses, last) => clauses ++ symmetry_clauses last images'
    end
  end.

Definition below (next : positive) (c : clause) : Prop := forall l, In l c -> (snd l < next)%positive.
Definition same_below (next : positive) (a b : assignment) : Prop :=
  forall x, (x < next)%positive -> b x = a x.

Lemma satisfied_same next a b c : below next c -> same_below next a b -> satisfied a c -> satisfied b c.
Proof.
  intros B S [l [Hl H]]. exists l. split; [exact Hl|]. unfold holds in *. now rewrite S by now apply B.
Qed.

Definition values (a : assignment) (pairs : list (positive * positive)) : bool :=
  at_least (map (fun p => a (fst p)) pairs) (map (fun p => a (snd p)) pairs).

Lemma values_same next a b pairs :
  (forall p, In p pairs -> (fst p < next /\ snd p < next)%positive) -> same_below next a b ->
  values b pairs = values a pairs.
Proof.
  intros B S. unfold values. f_equal; apply map_ext_in; intros p Hp; apply S; now apply B.
Qed.

Lemma larger_next pairs : forall next equal, (next <= snd (larger next equal pairs))%positive.
Proof.
  induction pairs as [|[p q] pairs IH]; simpl; intros next equal; [lia|].
  destruct (Pos.eqb p q); [apply IH|].
  specialize (IH (Pos.succ next) [(false, next)]).
  destruct (larger (Pos.succ next) _ pairs) as [cs last]. simpl in *. lia.
Qed.

Lemma larger_below pairs : forall next equal c,
  (forall p, In p pairs -> (fst p < next /\ snd p < next)%positive) -> below next equal ->
  In c (fst (larger next equal pairs)) -> below (snd (larger next equal pairs)) c.
Proof.
  induction pairs as [|[p q] pairs IH]; simpl; intros next equal c B E Hc; [destruct Hc|].
  destruct (Pos.eqb p q); [apply IH; auto|].
  pose proof (larger_next pairs (Pos.succ next) [(false, next)]) as N.
  specialize (IH (Pos.succ next) [(false, next)] c).
  destruct (larger (Pos.succ next) _ pairs) as [cs last]. simpl in *.
  destruct (B (p, q) (or_introl eq_refl)) as [Bp Bq]. simpl in Bp, Bq.
  assert (H : forall d, below (Pos.succ next) d -> below last (equal ++ d)).
  { intros d D l Hl. apply in_app_or in Hl. destruct Hl as [Hl|Hl]; [apply E in Hl|apply D in Hl]; lia. }
  destruct Hc as [<-|[<-|[<-|Hc]]];
    try (apply H; intros l Hl; simpl in Hl; repeat destruct Hl as [<-|Hl]; simpl; lia || tauto).
  apply IH; auto.
  - intros r Hr. destruct (B r (or_intror Hr)). lia.
  - intros l [<-|[]]. simpl. lia.
Qed.

Lemma larger_sound pairs : forall next equal a,
  (forall p, In p pairs -> (fst p < next /\ snd p < next)%positive) -> below next equal ->
  satisfied a equal \/ values a pairs = true ->
  exists b, same_below next a b /\ model b (fst (larger next equal pairs)).
Proof.
  induction pairs as [|[p q] pairs IH]; simpl; intros next equal a B E H.
  - exists a. split; [now intros x|]. intros c [].
  - destruct (Pos.eqb_spec p q) as [->|N].
    + apply IH; auto. destruct H as [H|H]; [now left|right].
      unfold values in H. simpl in H. now rewrite eqb_reflx in H.
    + destruct (B (p, q) (or_introl eq_refl)) as [Bp Bq]. simpl in Bp, Bq.
      set (still := if satisfied_dec a equal then false else Bool.eqb (a p) (a q)).
      set (a1 := fun x => if Pos.eqb x next then still else a x).
      assert (S1 : same_below next a a1).
      { intros x Hx. unfold a1. destruct (Pos.eqb_spec x next); [lia|reflexivity]. }
      assert (N1 : a1 next = still) by (unfold a1; now rewrite Pos.eqb_refl).
      destruct (IH (Pos.succ next) [(false, next)] a1) as [b [Sb Mb]].
      * intros r Hr. destruct (B r (or_intror Hr)). lia.
      * intros l [<-|[]]. simpl. lia.
      * destruct still eqn:St.
        -- right. unfold still in St. destruct (satisfied_dec a equal) as [|Ne]; [discriminate|].
           destruct H as [H|H]; [contradiction|].
           rewrite (values_same next a a1) by auto.
           unfold values in H. simpl in H. now rewrite St in H.
        -- left. exists (false, next). split; [now left|exact N1].
      * assert (Sab : same_below next a b).
        { intros x Hx. rewrite Sb by lia. now apply S1. }
        assert (Nb : b next = still) by (rewrite Sb by lia; exact N1).
        assert (pb : b p = a p) by now apply Sab. assert (qb : b q = a q) by now apply Sab.
        exists b. split; [exact Sab|].
        destruct (larger (Pos.succ next) _ pairs) as [cs last]. simpl in *.
        destruct (satisfied_dec a equal) as [Y|Ne].
        -- apply (satisfied_same next a b equal E Sab) in Y. destruct Y as [l [Hl Ll]].
           intros c [<-|[<-|[<-|Hc]]]; [| | |now apply Mb]; exists l; (split; [apply in_or_app; now left|exact Ll]).
        -- destruct H as [H|H]; [contradiction|]. unfold values in H. simpl in H.
           assert (Q : forall d, satisfied b d -> satisfied b (equal ++ d)).
           { intros d [l [Hl Ll]]. exists l. split; [apply in_or_app; now right|exact Ll]. }
           unfold still in Nb. clear - H Nb pb qb Mb Q.
           intros c [<-|[<-|[<-|Hc]]]; [apply Q|apply Q|apply Q|now apply Mb]; unfold satisfied, holds;
             destruct (a p), (a q); simpl in H, Nb; try discriminate;
             first [ exists (true, p); simpl; split; [tauto|congruence]
                   | exists (false, p); simpl; split; [tauto|congruence]
                   | exists (false, q); simpl; split; [tauto|congruence]
                   | exists (true, q); simpl; split; [tauto|congruence]
                   | exists (true, next); simpl; split; [tauto|congruence] ].
Qed.

Theorem symmetry_clauses_sound images : forall next f a,
  (forall pairs, In pairs images -> forall p, In p pairs -> (fst p < next /\ snd p < next)%positive) ->
  (forall c, In c f -> below next c) ->
  (forall pairs, In pairs images -> values a pairs = true) -> model a f ->
  exists b, same_below next a b /\ model b (f ++ symmetry_clauses next images).
Proof.
  induction images as [|pairs images IH]; simpl; intros next f a B F V M.
  - exists a. rewrite app_nil_r. split; [now intros x|exact M].
  - assert (B0 : forall p, In p pairs -> (fst p < next /\ snd p < next)%positive).
    { apply B. now left. }
    destruct (larger_sound pairs next [] a B0) as [b [Sb Mb]];
      [intros l []|right; apply V; now left|].
    pose proof (larger_next pairs next []) as N.
    pose proof (larger_below pairs next []) as LB.
    destruct (larger next [] pairs) as [clauses last]. simpl in *.
    destruct (IH last (f ++ clauses) b) as [d [Sd Md]].
    + intros ps Hps p Hp. destruct (B ps (or_intror Hps) p Hp). lia.
    + intros c Hc. apply in_app_or in Hc. destruct Hc as [Hc|Hc].
      * intros l Hl. specialize (F c Hc l Hl). lia.
      * apply LB; [exact B0|intros l []|exact Hc].
    + intros ps Hps. rewrite (values_same next a b); [apply V; now right|apply B; now right|exact Sb].
    + apply model_app. split; [|exact Mb]. intros c Hc.
      apply (satisfied_same next a b); auto.
    + exists d. split.
      * intros x Hx. rewrite Sd by lia. now apply Sb.
      * now rewrite app_assoc.
Qed.
