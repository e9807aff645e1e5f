(** Which calls may be made, and which rounds are legal, as computations. *)

From Coq Require Import List Bool Arith PArith Lia FMapPositive.
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

(** ** The arcs, in a table *)

Module Map := PositiveMap.
Definition key (v : node) : positive := Pos.of_succ_nat v.

Lemma key_inj u v : key u = key v -> u = v.
Proof. apply SuccNat2Pos.inj. Qed.

(** For every node the others to which an arc leads. *)
Definition neighbours := Map.t (list node).
Definition next_in (table : neighbours) (v : node) : list node :=
  match Map.find (key v) table with Some l => l | None => [] end.
Definition with_arc (a : node * node) (table : neighbours) : neighbours :=
  Map.add (key (fst a)) (snd a :: next_in table (fst a)) table.
Definition table_of (arcs : list (node * node)) : neighbours := fold_right with_arc (Map.empty _) arcs.

Lemma table_spec arcs u v : In v (next_in (table_of arcs) u) <-> In (u, v) arcs.
Proof.
  induction arcs as [|[x y] arcs IH]; simpl.
  - unfold next_in. rewrite Map.gempty. reflexivity.
  - unfold with_arc, next_in at 1. simpl. destruct (Nat.eq_dec u x) as [->|N].
    + rewrite Map.gss. simpl. rewrite IH. intuition congruence.
    + rewrite Map.gso by (intros E; apply key_inj in E; contradiction).
      fold (next_in (table_of arcs) u). rewrite IH. intuition congruence.
Qed.

Definition arcs_of (G : network) : list (node * node) :=
  filter (fun a => (fst a <? size G) &&& (snd a <? size G) &&& negb (fst a =? snd a))
    (links G ++ if directed G then [] else map (fun a => (snd a, fst a)) (links G)).

Lemma arcs_spec G u v : In (u, v) (arcs_of G) <-> arc G u v.
Proof.
  unfold arcs_of, arc. rewrite filter_In, in_app_iff. simpl.
  rewrite !and_true, negb_true_iff, !Nat.ltb_lt, Nat.eqb_neq.
  assert (E : In (u, v) (if directed G then [] else map (fun a => (snd a, fst a)) (links G)) <->
    directed G = false /\ In (v, u) (links G)).
  { destruct (directed G); simpl; [intuition congruence|]. rewrite in_map_iff. split.
    - intros [[x y] [E H]]. inversion E; subst. auto.
    - intros [_ H]. exists (v, u). auto. }
  rewrite E. tauto.
Qed.

Definition table (G : network) : neighbours := table_of (arcs_of G).
Definition called_in (m : mode) (t : neighbours) (u v : node) : bool :=
  one_of (next_in t u) v &&& (if is_telephone m then one_of (next_in t v) u else true).

Lemma called_in_spec m G u v : called_in m (table G) u v = true <-> may_call m G u v.
Proof.
  unfold called_in, may_call, table. rewrite and_true, one_of_spec, table_spec, arcs_spec.
  destruct m; simpl; rewrite ?one_of_spec, ?table_spec, ?arcs_spec; intuition congruence.
Qed.

(** ** Legal rounds *)

Fixpoint distinct_from (met : Map.t bool) (l : list node) : bool :=
  match l with
  | [] => true
  | v :: rest =>
    match Map.find (key v) met with Some _ => false | None => distinct_from (Map.add (key v) true met) rest end
  end.
Definition distinct : list node -> bool := distinct_from (Map.empty bool).

Lemma distinct_from_spec l : forall met, distinct_from met l = true <->
  NoDup l /\ forall v, In v l -> Map.find (key v) met = None.
Proof.
  induction l as [|v l IH]; simpl; intros met.
  - split; [intros _; split; [constructor|intros v []]|reflexivity].
  - destruct (Map.find (key v) met) eqn:F.
    + split; [discriminate|]. intros [_ H]. specialize (H v (or_introl eq_refl)). congruence.
    + rewrite IH. split.
      * intros [D H]. split.
        -- constructor; [|exact D]. intros I. specialize (H v I). rewrite Map.gss in H. discriminate.
        -- intros u [<-|I]; [exact F|]. specialize (H u I).
           destruct (Nat.eq_dec u v) as [->|N]; [exact F|].
           rewrite Map.gso in H by (intros E; apply key_inj in E; contradiction). exact H.
      * intros [D H]. inversion D as [|? ? N D']; subst. split; [exact D'|]. intros u I.
        rewrite Map.gso; [auto|]. intros E. apply key_inj in E. congruence.
Qed.

Lemma distinct_spec l : distinct l = true <-> NoDup l.
Proof.
  unfold distinct. rewrite distinct_from_spec. split; [tauto|]. intros D. split; [exact D|].
  intros v _. apply Map.gempty.
Qed.

Definition is_legal (m : mode) (G : network) (s : schedule) : bool :=
  let t := table G in
  forallb (fun r => forallb (fun c => called_in m t (fst c) (snd c)) r &&& distinct (ends r)) s.

Lemma is_legal_spec m G s : is_legal m G s = true <-> legal m G s.
Proof.
  unfold is_legal, legal. cbv zeta. rewrite forallb_forall.
  apply (Morphisms_Prop.all_iff_morphism). intro r.
  unfold legal_round. rewrite and_true, distinct_spec, forallb_forall.
  split; intros H Hr; specialize (H Hr); destruct H as [H1 H2]; split; auto.
  - intros u v Hc. apply called_in_spec. exact (H1 (u, v) Hc).
  - intros [u v] Hc. apply called_in_spec. auto.
Qed.
