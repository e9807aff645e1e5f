(** Automorphisms of a network, as lists of images, and what they make of schedules. *)

From Coq Require Import List Bool Arith Lia.
From Schedsolve Require Import Definitions Replay Variables.
Import ListNotations.
Local Open Scope bool_scope.

Definition image (l : list node) (v : node) : node := nth v l 0.

Fixpoint place (v : node) (l : list node) : nat :=
  match l with
  | [] => 0
  | u :: l' => if u =? v then 0 else S (place v l')
  end.

Definition inverse (n : nat) (l : list node) : list node := map (fun v => place v l) (seq 0 n).

Definition automorphism (m : mode) (G : network) (f g : node -> node) : Prop :=
  (forall v, v < size G -> f v < size G /\ g v < size G /\ g (f v) = v /\ f (g v) = v) /\
  (forall u v, may_call m G u v -> may_call m G (f u) (f v) /\ may_call m G (g u) (g v)).

Definition is_automorphism (m : mode) (G : network) (l : list node) : bool :=
  let n := size G in
  let g := inverse n l in
  forallb (fun v =>
    (image l v <? n) &&& (image g v <? n) &&& (image g (image l v) =? v) &&& (image l (image g v) =? v))
    (seq 0 n)
  &&& forallb (fun p =>
    allowed m G (image l (fst p)) (image l (snd p)) &&& allowed m G (image g (fst p)) (image g (snd p)))
    (callable m G).

Lemma may_call_symmetric G u v : may_call telephone G u v -> may_call telephone G v u.
Proof. intros [A B]. split; [now apply B|auto]. Qed.

Lemma is_automorphism_spec m G l :
  is_automorphism m G l = true -> automorphism m G (image l) (image (inverse (size G) l)).
Proof.
  unfold is_automorphism. rewrite and_true, !forallb_forall. intros [H1 H2]. split.
  - intros v Hv. specialize (H1 v ltac:(apply in_seq; lia)).
    rewrite !and_true, !Nat.ltb_lt, !Nat.eqb_eq in H1. tauto.
  - assert (C : forall u v, In (u, v) (callable m G) ->
      may_call m G (image l u) (image l v) /\
      may_call m G (image (inverse (size G) l) u) (image (inverse (size G) l) v)).
    { intros u v Huv. specialize (H2 (u, v) Huv). now rewrite and_true, !allowed_spec in H2. }
    intros u v Huv. destruct m.
    + apply C, callable_spec. split; [exact Huv|discriminate].
    + assert (u < v \/ v < u) as [B|B].
      { destruct Huv as [[_ [_ [? _]]] _]. lia. }
      * apply C, callable_spec. auto.
      * apply may_call_symmetric in Huv. destruct (C v u) as [C1 C2]; [now apply callable_spec|].
        split; now apply may_call_symmetric.
Qed.

Definition move_round (g : node -> node) (r : round) : round := map (fun c => (g (fst c), g (snd c))) r.
Definition move (g : node -> node) (s : schedule) : schedule := map (move_round g) s.

Section Moved.
Variables (m : mode) (G : network) (f g : node -> node).
Hypothesis A : automorphism m G f g.

Lemma moved_tells r u v : inside (size G) r -> u < size G -> v < size G ->
  (tells m (move_round g r) u v <-> tells m r (f u) (f v)).
Proof.
  intros I Hu Hv. destruct A as [B _].
  assert (E : forall x y, x < size G -> y < size G ->
    (In (x, y) (move_round g r) <-> In (f x, f y) r)).
  { intros x y Hx Hy. unfold move_round. rewrite in_map_iff. split.
    - intros [[a b] [E Hc]]. simpl in E. injection E as <- <-. destruct (I a b Hc) as [Ha Hb].
      destruct (B a Ha) as [_ [_ [_ ->]]]. destruct (B b Hb) as [_ [_ [_ ->]]]. exact Hc.
    - intros Hc. exists (f x, f y). split; [|exact Hc]. simpl.
      destruct (B x Hx) as [_ [_ [-> _]]]. now destruct (B y Hy) as [_ [_ [-> _]]]. }
  unfold tells. now rewrite !E.
Qed.

Lemma moved_legal s : legal m G s -> legal m G (move g s).
Proof.
  intros L r Hr. unfold move in Hr. apply in_map_iff in Hr. destruct Hr as [q [<- Hq]].
  pose proof (legal_inside _ _ _ _ L Hq) as I. destruct (L q Hq) as [C D]. destruct A as [B M]. split.
  - intros u v H. unfold move_round in H. apply in_map_iff in H. destruct H as [[x y] [E Hc]].
    simpl in E. injection E as <- <-. now apply M, C.
  - assert (E : ends (move_round g q) = map g (ends q)).
    { clear. unfold ends. induction q as [|[x y] q IH]; simpl; [reflexivity|]. now rewrite IH. }
    rewrite E.
    assert (J : forall v, In v (ends q) -> v < size G).
    { intros v Hv. unfold ends in Hv. apply in_flat_map in Hv. destruct Hv as [[x y] [Hc Hv]].
      destruct (I x y Hc). simpl in Hv. destruct Hv as [<-|[<-|[]]]; assumption. }
    clear - D J B. induction D as [|v l N D IH]; simpl; constructor.
    + intros H. apply in_map_iff in H. destruct H as [u [E Hu]].
      assert (u = v); [|congruence].
      destruct (B u) as [_ [_ [_ <-]]]; [apply J; now right|].
      destruct (B v) as [_ [_ [_ <-]]]; [apply J; now left|]. now rewrite E.
    + apply IH. intros u Hu. apply J. now right.
Qed.

Lemma moved_after s i j : legal m G s -> forall K L,
  (forall v, v < size G -> (K v i <-> L (f v) j)) ->
  forall v, v < size G -> (after m (move g s) K v i <-> after m s L (f v) j).
Proof.
  induction s as [|r s IH]; simpl; intros Ls K L H v Hv; [now apply H|].
  assert (I : inside (size G) r) by (apply (legal_inside m G (r :: s)); [exact Ls|now left]).
  apply IH; [intros q Hq; apply Ls; now right| |exact Hv].
  clear v Hv. intros v Hv. unfold after_round. rewrite (H v Hv). apply or_iff_compat_l.
  destruct A as [B _]. split.
  - intros [u [T Ku]].
    assert (Hu : u < size G).
    { assert (X : forall x y, In (x, y) (move_round g r) -> x < size G /\ y < size G).
      { intros x y Hc. unfold move_round in Hc. apply in_map_iff in Hc. destruct Hc as [[a b] [E Hc]].
        simpl in E. injection E as <- <-. destruct (I a b Hc). split; now apply B. }
      destruct T as [T|[_ T]]; apply X in T; tauto. }
    exists (f u). split; [now apply moved_tells|now apply H].
  - intros [w [T Kw]].
    assert (Hw : w < size G) by (destruct T as [T|[_ T]]; apply I in T; tauto).
    destruct (B w Hw) as [_ [Hg [_ E]]]. exists (g w). split.
    + apply moved_tells; auto. now rewrite E.
    + apply H; [exact Hg|]. now rewrite E.
Qed.

Lemma moved_first s u v : legal m G s -> u < size G -> v < size G ->
  (tells m (nth 0 (move g s) []) u v <-> tells m (nth 0 s []) (f u) (f v)).
Proof.
  intros L Hu Hv. destruct s as [|r s]; [now unfold tells|]. simpl.
  apply moved_tells; auto. apply (legal_inside m G (r :: s)); [exact L|now left].
Qed.

Theorem moved_gossip s : solves m G (gossip_task G) s -> solves m G (gossip_task G) (move g s).
Proof.
  intros [L S]. split; [now apply moved_legal|]. intros v i Hv Hi _. simpl in *. destruct A as [B _].
  apply (moved_after s i (f i) L _ (fun u j => (u =? j) = true)); [|exact Hv|].
  - intros u Hu. rewrite !Nat.eqb_eq. split; [now intros ->|]. intros E.
    destruct (B u Hu) as [_ [_ [<- _]]]. destruct (B i Hi) as [_ [_ [<- _]]]. now rewrite E.
  - apply S; auto; now apply B.
Qed.

(** Broadcast and multicast: the automorphism keeps the targets, and takes the sources [S'] to [S]. *)
Theorem moved_multicast S S' (goals : node -> item -> bool) s :
  (forall v, v < size G -> one_of S' v = one_of S (f v)) ->
  (forall v, v < size G -> goals v 0 = goals (f v) 0) ->
  solves m G (Task 1 (fun v _ => one_of S v) goals) s ->
  solves m G (Task 1 (fun v _ => one_of S' v) goals) (move g s).
Proof.
  intros ES ED [L H]. split; [now apply moved_legal|]. intros v i Hv Hi Hg. simpl in *.
  assert (i = 0) by lia. subst i.
  apply (moved_after s 0 0 L _ (fun u _ => one_of S u = true)); [|exact Hv|].
  - intros u Hu. now rewrite ES.
  - apply H; auto.
    + now apply A.
    + now rewrite <- ED.
Qed.

End Moved.
