(** Clauses over numbered variables, and a checker of refutations in the manner of LRAT: every lemma comes with
    the numbers of the clauses that become unit one after the other, up to one that is violated.  If the checker
    accepts, the clauses have no model ([refuted_sound]).

    Source: L. Cruz-Filipe, M. Heule, W. Hunt, M. Kaufmann, P. Schneider-Kamp, Efficient certified RAT
    verification, CADE 2017. *)

From Coq Require Import List Bool NArith PArith Lia FMapPositive.
From Coq Require Import Strings.Byte.
Import ListNotations.
Module Map := PositiveMap.

Definition literal := (bool * positive)%type.
Definition clause := list literal.
Definition assignment := positive -> bool.

Definition holds (a : assignment) (l : literal) : Prop := a (snd l) = fst l.
Definition satisfied (a : assignment) (c : clause) : Prop := exists l, In l c /\ holds a l.
Definition model (a : assignment) (f : list clause) : Prop := forall c, In c f -> satisfied a c.

Lemma satisfied_dec a c : {satisfied a c} + {~ satisfied a c}.
Proof.
  destruct (Exists_dec (holds a) c (fun l => bool_dec _ _)) as [H|H]; rewrite Exists_exists in H; auto.
Qed.

Lemma model_app a f g : model a (f ++ g) <-> model a f /\ model a g.
Proof.
  unfold model. split.
  - intros H. split; intros c Hc; apply H, in_or_app; auto.
  - intros [H1 H2] c Hc. apply in_app_or in Hc. destruct Hc; auto.
Qed.

(** ** Unit propagation along hints *)

(** The literals that are known to hold, by their variables; and the clauses, by their numbers. *)
Definition trail := Map.t bool.
Definition database := Map.t clause.

Inductive outcome := violated | unit (l : literal) | open.

(** What a trail leaves of a clause: all literals false, all but one, or neither. *)
Fixpoint left_of (tr : trail) (c : clause) : outcome :=
  match c with
  | [] => violated
  | l :: c' =>
    match Map.find (snd l) tr with
    | Some b => if Bool.eqb b (fst l) then open else left_of tr c'
    | None => match left_of tr c' with violated => unit l | _ => open end
    end
  end.

(** The trail with the negations of the literals of a clause. *)
Fixpoint deny (c : clause) (tr : trail) : trail :=
  match c with
  | [] => tr
  | l :: c' => deny c' (Map.add (snd l) (negb (fst l)) tr)
  end.

Definition agrees (a : assignment) (tr : trail) : Prop := forall x b, Map.find x tr = Some b -> a x = b.
Definition true_in (a : assignment) (db : database) : Prop :=
  forall h c, Map.find h db = Some c -> satisfied a c.

Lemma agrees_empty a : agrees a (Map.empty bool).
Proof. intros x b H. rewrite Map.gempty in H. discriminate. Qed.

Lemma agrees_add a tr x b : agrees a tr -> a x = b -> agrees a (Map.add x b tr).
Proof.
  intros G E y c. destruct (Pos.eq_dec y x) as [->|N].
  - rewrite Map.gss. congruence.
  - rewrite Map.gso by exact N. apply G.
Qed.

Lemma agrees_deny a c : forall tr, agrees a tr -> ~ satisfied a c -> agrees a (deny c tr).
Proof.
  induction c as [|l c IH]; simpl; intros tr G N; [exact G|]. apply IH.
  - apply agrees_add; [exact G|].
    assert (H : ~ holds a l) by (intro; apply N; exists l; simpl; auto).
    unfold holds in H. destruct (a (snd l)), (fst l); simpl; congruence.
  - intros [k [Hk Lk]]. apply N. exists k. simpl; auto.
Qed.

Lemma left_of_sound a tr c : agrees a tr -> satisfied a c ->
  match left_of tr c with violated => False | unit l => holds a l | open => True end.
Proof.
  intros G. induction c as [|l c IH]; simpl; intros [k [Hk Lk]]; [exact Hk|].
  destruct (Map.find (snd l) tr) as [b|] eqn:F.
  - destruct (Bool.eqb b (fst l)) eqn:E; [exact I|]. apply eqb_false_iff in E.
    apply IH. destruct Hk as [->|Hk]; [|now exists k]. exfalso.
    apply E. rewrite <- (G _ _ F). exact Lk.
  - destruct (left_of tr c) as [| |] eqn:R; [|exact I|exact I].
    destruct Hk as [->|Hk]; [exact Lk|]. destruct IH. now exists k.
Qed.

(** ** A proof is a list of numbers

    A lemma is its literals (2x for the variable x, 2x + 1 for its negation), a 0, its hints and a 0; a hint says
    by how much the number of the clause is less than that of the lemma.  A 1 where a lemma would begin is
    followed by the numbers of clauses to be forgotten, said in the same way, and a 0. *)

Inductive phase :=
| literals (c : clause)                     (* a lemma's literals are being read *)
| hints (c : clause) (tr : trail)           (* its hints are; nothing is violated yet *)
| proven (c : clause)                       (* the lemma is proven; further hints are passed over *)
| forgetting.

Definition earlier (next : positive) (back : positive) : positive := Pos.sub next back.

(** What has been made of the numbers read so far. *)
Inductive state :=
| reading (db : database) (next : positive) (p : phase)
| refuted
| rejected.

Definition read_number (s : state) (n : N) : state :=
  match s with
  | reading db next p =>
    match n with
    | N0 =>
      match p with
      | literals c => reading db next (hints c (deny c (Map.empty bool)))
      | hints _ _ => rejected
      | proven [] => refuted
      | proven c => reading (Map.add next c db) (Pos.succ next) (literals [])
      | forgetting => reading db next (literals [])
      end
    | Npos k =>
      match p with
      | literals c =>
        match k with
        | xO x => reading db next (literals ((true, x) :: c))
        | xI x => reading db next (literals ((false, x) :: c))
        | xH => match c with [] => reading db next forgetting | _ => rejected end
        end
      | hints c tr =>
        match Map.find (earlier next k) db with
        | None => rejected
        | Some d =>
          match left_of tr d with
          | violated => reading db next (proven c)
          | unit l => reading db next (hints c (Map.add (snd l) (fst l) tr))
          | open => rejected
          end
        end
      | proven c => s
      | forgetting => reading (Map.remove (earlier next k) db) next forgetting
      end
    end
  | _ => s
  end.

Definition is_refuted (s : state) : bool := match s with refuted => true | _ => false end.

Definition sound_phase (a : assignment) (p : phase) : Prop :=
  match p with
  | literals _ => True
  | hints c tr => ~ satisfied a c -> agrees a tr
  | proven c => satisfied a c
  | forgetting => True
  end.

Lemma true_in_add a db h c : true_in a db -> satisfied a c -> true_in a (Map.add h c db).
Proof.
  intros T S k d. destruct (Pos.eq_dec k h) as [->|N].
  - rewrite Map.gss. congruence.
  - rewrite Map.gso by exact N. apply T.
Qed.

Lemma true_in_remove a db h : true_in a db -> true_in a (Map.remove h db).
Proof.
  intros T k d. destruct (Pos.eq_dec k h) as [->|N].
  - rewrite Map.grs. discriminate.
  - rewrite Map.gro by exact N. apply T.
Qed.

Definition sound_state (a : assignment) (s : state) : Prop :=
  match s with
  | reading db _ p => true_in a db /\ sound_phase a p
  | refuted => False
  | rejected => True
  end.

Lemma read_number_sound a s n : sound_state a s -> sound_state a (read_number s n).
Proof.
  destruct s as [db next p| |]; simpl; auto. intros [T S]. destruct n as [|k].
  - destruct p as [c|c tr|c|]; simpl in S |- *; auto.
    + split; [exact T|]. intros N. apply agrees_deny; [apply agrees_empty|exact N].
    + destruct c as [|l c]; [destruct S as [? [[] _]]|]. split; [now apply true_in_add|exact I].
  - destruct p as [c|c tr|c|]; simpl in S |- *.
    + destruct k; simpl; auto. destruct c; simpl; auto.
    + destruct (Map.find _ db) as [d|] eqn:F; simpl; [|exact I]. specialize (T _ _ F) as Sd.
      destruct (left_of tr d) as [|l|] eqn:R; simpl; [| |exact I]; (split; [exact T|]).
      * destruct (satisfied_dec a c) as [Y|N]; [exact Y|]. exfalso.
        specialize (left_of_sound a tr d (S N) Sd). now rewrite R.
      * intros N. apply agrees_add; [now apply S|].
        specialize (left_of_sound a tr d (S N) Sd). now rewrite R.
    + now split.
    + split; [now apply true_in_remove|exact I].
Qed.

Lemma read_sound a numbers : forall s, sound_state a s -> sound_state a (fold_left read_number numbers s).
Proof. induction numbers as [|n numbers IH]; simpl; intros s S; [exact S|]. now apply IH, read_number_sound. Qed.

(** ** The formula, numbered from 1 *)

Fixpoint load (f : list clause) (db : database) (next : positive) : database * positive :=
  match f with
  | [] => (db, next)
  | c :: f' => load f' (Map.add next c db) (Pos.succ next)
  end.

Lemma load_true a f : forall db next, true_in a db -> model a f -> true_in a (fst (load f db next)).
Proof.
  induction f as [|c f IH]; simpl; intros db next T M; [exact T|]. apply IH.
  - apply true_in_add; [exact T|]. apply M. now left.
  - intros d Hd. apply M. now right.
Qed.

Definition beginning (f : list clause) : state :=
  match load f (Map.empty clause) 1%positive with
  | (db, next) => reading db next (literals [])
  end.

Definition refuted_by (f : list clause) (numbers : list N) : bool :=
  is_refuted (fold_left read_number numbers (beginning f)).

Theorem refuted_sound f numbers a : refuted_by f numbers = true -> ~ model a f.
Proof.
  unfold refuted_by, beginning. destruct (load f _ _) as [db next] eqn:L. intros H M.
  assert (S : sound_state a (fold_left read_number numbers (reading db next (literals [])))).
  { apply read_sound. simpl. split; [|exact I].
    replace db with (fst (load f (Map.empty clause) 1%positive)) by now rewrite L.
    apply load_true; [|exact M]. intros h c F. rewrite Map.gempty in F. discriminate. }
  now destruct (fold_left read_number numbers _).
Qed.

(** ** A proof as text

    Numbers in base 32, the highest digit first, as the characters from "0" on: those of the last digit are 0 to
    31, of the others 32 to 63.  Blanks say nothing.  A text has a multiple of eight characters, so that Coq,
    which takes longer to read a proof than to check it, has fewer terms to read. *)

Inductive text := End | Eight (a b c d e f g h : byte) (t : text).

Fixpoint text_of (l : list byte) : option text :=
  match l with
  | [] => Some End
  | a :: b :: c :: d :: e :: f :: g :: h :: l' =>
    match text_of l' with Some t => Some (Eight a b c d e f g h t) | None => None end
  | _ => None
  end.

Fixpoint bytes_of (t : text) : list byte :=
  match t with
  | End => []
  | Eight a b c d e f g h t' => a :: b :: c :: d :: e :: f :: g :: h :: bytes_of t'
  end.

Declare Scope proof_scope.
Delimit Scope proof_scope with proof.
String Notation text text_of bytes_of : proof_scope.

Fixpoint numbers_in (l : list byte) (above : N) : list N :=
  match l with
  | [] => []
  | b :: l' =>
    let d := Byte.to_N b in
    if (d <? 48)%N then numbers_in l' above
    else if (d <? 80)%N then (N.shiftl above 5 + (d - 48))%N :: numbers_in l' 0%N
    else numbers_in l' (N.shiftl above 5 + (d - 80))%N
  end.

(** No number runs from one text into the next. *)
Definition numbers_of (proof : list text) : list N :=
  flat_map (fun t => numbers_in (bytes_of t) 0%N) proof.
