(** A schedule run backwards: who told whom is told by him.  So an accumulation takes as many rounds as a
    broadcast from its root in the network with all arcs turned round; the paper says this of undirected
    networks, a_v(G) = b_v(G). *)

From Coq Require Import List Bool Arith Lia Permutation.
From Schedsolve Require Import Definitions Replay Variables Theorems.
Import ListNotations.
Local Open Scope bool_scope.

Definition turned (c : node * node) : node * node := (snd c, fst c).
Definition reverse (G : network) : network := Network (directed G) (size G) (map turned (links G)).
Definition backward (s : schedule) : schedule := rev (map (map turned) s).

Lemma turned_twice l : map turned (map turned l) = l.
Proof. rewrite map_map. rewrite <- (map_id l) at 2. apply map_ext. now intros [u v]. Qed.

Lemma in_turned l u v : In (u, v) (map turned l) <-> In (v, u) l.
Proof.
  rewrite in_map_iff. split.
  - intros [[x y] [E H]]. unfold turned in E. simpl in E. now injection E as <- <-.
  - intros H. now exists (v, u).
Qed.

Lemma reverse_twice G : reverse (reverse G) = G.
Proof. destruct G. unfold reverse. simpl. now rewrite turned_twice. Qed.

Lemma backward_twice s : backward (backward s) = s.
Proof.
  unfold backward. rewrite map_rev, rev_involutive, map_map. rewrite <- (map_id s) at 2.
  apply map_ext. exact turned_twice.
Qed.

Lemma may_call_reverse m G u v : may_call m (reverse G) u v <-> may_call m G v u.
Proof.
  unfold may_call, arc, reverse. simpl. rewrite !in_turned. intuition.
Qed.

Lemma ends_turned r : Permutation (ends (map turned r)) (ends r).
Proof.
  unfold ends. induction r as [|[u v] r IH]; simpl; [constructor|].
  eapply perm_trans; [apply perm_swap|]. now do 2 apply perm_skip.
Qed.

Lemma legal_backward m G s : legal m G s -> legal m (reverse G) (backward s).
Proof.
  intros L r Hr. unfold backward in Hr. apply in_rev in Hr. apply in_map_iff in Hr.
  destruct Hr as [q [<- Hq]]. destruct (L q Hq) as [A B]. split.
  - intros u v H. apply may_call_reverse, A. now apply in_turned.
  - eapply Permutation_NoDup; [apply Permutation_sym, ends_turned|exact B].
Qed.

(** [flow m s u v]: what u knows before the schedule, v knows after it. *)
Fixpoint flow (m : mode) (s : schedule) (u v : node) : Prop :=
  match s with
  | [] => u = v
  | r :: s' => exists w, (u = w \/ tells m r u w) /\ flow m s' w v
  end.

Lemma after_flow m s : forall K v i, after m s K v i <-> exists u, K u i /\ flow m s u v.
Proof.
  induction s as [|r s IH]; simpl; intros K v i.
  - split; [intros H; now exists v|]. intros [u [H ->]]. exact H.
  - rewrite IH. unfold after_round. split.
    + intros [w [[H|[u [T H]]] F]].
      * exists w. split; [exact H|]. exists w. auto.
      * exists u. split; [exact H|]. exists w. auto.
    + intros [u [H [w [[->|T] F]]]]; exists w; (split; [|exact F]); [now left|right; now exists u].
Qed.

Lemma flow_app m s q : forall u v, flow m (s ++ q) u v <-> exists w, flow m s u w /\ flow m q w v.
Proof.
  induction s as [|r s IH]; simpl; intros u v.
  - split; [intros H; now exists u|]. intros [w [-> H]]. exact H.
  - split.
    + intros [w [T F]]. apply IH in F. destruct F as [x [F1 F2]]. exists x. split; [now exists w|exact F2].
    + intros [x [[w [T F1]] F2]]. exists w. split; [exact T|]. apply IH. now exists x.
Qed.

Lemma tells_turned m r u v : tells m (map turned r) u v <-> tells m r v u.
Proof. unfold tells. now rewrite !in_turned. Qed.

Lemma flow_backward m s : forall u v, flow m (backward s) v u <-> flow m s u v.
Proof.
  unfold backward. induction s as [|r s IH]; simpl; intros u v; [intuition congruence|].
  rewrite flow_app. simpl. split.
  - intros [w [F [x [T <-]]]]. exists w. rewrite tells_turned in T. apply IH in F.
    split; [|exact F]. destruct T as [T|T]; auto.
  - intros [w [T F]]. exists w. split; [now apply IH|]. exists u.
    rewrite tells_turned. split; [|reflexivity]. destruct T as [T|T]; auto.
Qed.

Theorem accumulation_backward m G root s :
  root < size G ->
  (solves m G (accumulation_task G root) s <->
   solves m (reverse G) (broadcast_task [root]) (backward s)).
Proof.
  intros Hr. split; intros [L H].
  - split; [now apply legal_backward|]. intros v i Hv Hi _. simpl in *.
    assert (i = 0) by lia. subst i. apply after_flow. exists root. split; [now rewrite Nat.eqb_refl|].
    apply flow_backward. specialize (H root v Hr Hv (Nat.eqb_refl root)). apply after_flow in H.
    destruct H as [u [E F]]. apply Nat.eqb_eq in E. now subst.
  - split.
    + apply legal_backward in L. now rewrite reverse_twice, backward_twice in L.
    + intros v i Hv Hi Hg. simpl in *. apply Nat.eqb_eq in Hg. subst v.
      specialize (H i 0 Hi (le_n 1) eq_refl). apply after_flow in H. destruct H as [u [E F]].
      rewrite orb_false_r in E. apply Nat.eqb_eq in E. subst u.
      apply after_flow. exists i. split; [now apply Nat.eqb_refl|]. now apply flow_backward.
Qed.

Theorem accumulation_is_broadcast m G root M :
  root < size G -> (accumulation m G root M <-> broadcast m (reverse G) [root] M).
Proof.
  intros Hr. split.
  - intros [s [E H]]. exists (backward s). split.
    + unfold backward. now rewrite rev_length, map_length.
    + now apply accumulation_backward.
  - intros [s [E H]]. exists (backward s). split.
    + unfold backward. now rewrite rev_length, map_length.
    + apply accumulation_backward; [exact Hr|]. now rewrite backward_twice.
Qed.

(** A gossip run backwards is one. *)
Theorem gossip_backward m G M : gossip m G M <-> gossip m (reverse G) M.
Proof.
  assert (one : forall H, gossip m H M -> gossip m (reverse H) M).
  { intros H [s [E [L S]]]. exists (backward s). split.
    - unfold backward. now rewrite rev_length, map_length.
    - split; [now apply legal_backward|]. intros v i Hv Hi _. simpl in *.
      specialize (S i v Hi Hv eq_refl). apply after_flow in S. destruct S as [u [F S]].
      apply Nat.eqb_eq in F. subst u. apply after_flow. exists i. split; [apply Nat.eqb_refl|].
      now apply flow_backward. }
  split; [apply one|]. intros H. apply one in H. now rewrite reverse_twice in H.
Qed.

Theorem accumulation_refuted m G root M :
  (root <? size G) = true -> ~ broadcast m (reverse G) [root] M -> ~ accumulation m G root M.
Proof. rewrite Nat.ltb_lt. intros Hr N H. now apply N, accumulation_is_broadcast. Qed.

Theorem best_accumulation_refuted m G M :
  ~ from_best (reverse G) (fun v => broadcast m (reverse G) [v]) M ->
  ~ from_best G (accumulation m G) M.
Proof.
  intros N [v [Hv H]]. apply N. exists v. split; [exact Hv|]. now apply accumulation_is_broadcast.
Qed.
