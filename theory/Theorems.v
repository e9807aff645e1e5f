(** What exported theorems rest on: a replayed schedule for "M rounds suffice", a refuted formula for "M - 1 do
    not", and that more rounds do no harm. *)

From Coq Require Import List Bool Arith NArith PArith Lia.
From Schedsolve Require Import Definitions Replay Checker Variables Symmetry Automorphisms.
From Schedsolve Require Import Refutation ItemsFormula BroadcastFormula.
Import ListNotations.
Local Open Scope bool_scope.

(** ** More rounds do no harm *)

Definition lasting (P : nat -> Prop) : Prop := forall M, P M -> P (S M).

Lemma suffices_lasting m G T : lasting (suffices m G T).
Proof.
  intros M [s [E [L H]]]. exists (s ++ [[]]). split; [rewrite app_length; simpl; lia|]. split.
  - intros r Hr. apply in_app_or in Hr. destruct Hr as [Hr|[<-|[]]]; [now apply L|].
    split; [intros u v []|constructor].
  - intros v i Hv Hi Hg. rewrite after_last. left. now apply H.
Qed.

Lemma from_best_lasting G P : (forall v, lasting (P v)) -> lasting (from_best G P).
Proof. intros H M [v [Hv Pv]]. exists v. split; [exact Hv|]. now apply H. Qed.

Lemma from_worst_lasting G P : (forall v, lasting (P v)) -> lasting (from_worst G P).
Proof. intros H M A v Hv. apply H. now apply A. Qed.

Lemma lasting_add P : lasting P -> forall M k, P M -> P (k + M).
Proof. intros L M k H. induction k as [|k IH]; simpl; [exact H|now apply L]. Qed.

Theorem exceeds P M : lasting P -> ~ P M -> forall k, P k -> S M <= k.
Proof.
  intros L N k Pk. destruct (le_lt_dec k M) as [B|B]; [|exact B].
  exfalso. apply N. replace M with ((M - k) + k) by lia. now apply lasting_add.
Qed.

Theorem optimal_by P M : lasting P -> P (S M) -> ~ P M -> optimal P (S M).
Proof. intros L H N. split; [exact H|now apply exceeds]. Qed.

Theorem optimal_by_bound (P : nat -> Prop) M : P M -> (forall k, P k -> M <= k) -> optimal P M.
Proof. now split. Qed.

Theorem optimal_none (P : nat -> Prop) : P 0 -> optimal P 0.
Proof. intros H. split; [exact H|]. intros. lia. Qed.

(** ** Schedules *)

Theorem by_schedule m G T s M :
  (length s =? M) &&& replay m G T s = true -> suffices m G T M.
Proof. rewrite and_true, Nat.eqb_eq. intros [<- H]. now apply replayed. Qed.

Theorem best_by_schedule G (P : node -> task) m (v : node) s M :
  (v <? size G) &&& (length s =? M) &&& replay m G (P v) s = true ->
  from_best G (fun u => suffices m G (P u)) M.
Proof.
  rewrite !and_true, Nat.ltb_lt, Nat.eqb_eq. intros [[Hv <-] H]. exists v. split; [exact Hv|].
  now apply replayed.
Qed.

(** One schedule for every node; each is filled up with rounds without calls. *)
Definition schedules_replay (m : mode) (G : network) (P : node -> task) (schedules : list schedule) (M : nat) : bool :=
  forallb (fun v => let s := nth v schedules [] in (length s <=? M) &&& replay m G (P v) s)
    (seq 0 (size G)).

Theorem worst_by_schedules m G P schedules M :
  schedules_replay m G P schedules M = true -> from_worst G (fun u => suffices m G (P u)) M.
Proof.
  unfold schedules_replay. rewrite forallb_forall. intros H v Hv.
  specialize (H v ltac:(apply in_seq; lia)). simpl in H. rewrite and_true, Nat.leb_le in H.
  destruct H as [B H]. apply replayed in H.
  replace M with ((M - length (nth v schedules [])) + length (nth v schedules [])) by lia.
  apply lasting_add; [apply suffices_lasting|exact H].
Qed.

(** From the worst node: some node is enough for a lower bound. *)
Theorem worst_refuted G (P : node -> nat -> Prop) v M :
  (v <? size G) = true -> ~ P v M -> ~ from_worst G P M.
Proof. rewrite Nat.ltb_lt. intros Hv N H. now apply N, H. Qed.

(** ** Refutations: tasks with many items, without symmetries *)

Definition refutes_task (m : mode) (G : network) (T : task) (M : nat) (proof : list N) : bool :=
  let f := items_formula m G T M M in
  numbers_fit m G (items T) M M f [] &&& refuted_by (full_formula m G (items T) M M f []) proof.

Lemma own_rounds {A} (R : A -> A -> Prop) (s : nat -> A) M :
  (forall x, R x x) -> forall t, t < M -> t mod M < M /\ R (s t) (s (t mod M)).
Proof. intros Refl t H. rewrite Nat.mod_small by exact H. auto. Qed.

Theorem task_refuted m G T M proof : refutes_task m G T M proof = true -> ~ suffices m G T M.
Proof.
  unfold refutes_task. rewrite and_true. intros [F C] [s [E S]].
  apply (no_solution m G (items T) M M (items_formula m G T M M) schedule
    (fun s => length s = M /\ solves m G T s) (fun s => says m G T s) (fun _ s => s) [])
    with (proof := proof) (x := s); try tauto; auto; try (intros ? []; fail); try (intros ? ? []; fail).
  - intros x [Ex Sx]. apply items_formula_sound; auto.
    intros t Ht. rewrite Nat.mod_small by exact Ht. split; [exact Ht|reflexivity].
  - intros l x k p [].
Qed.

(** ** Gossip *)

Definition refutes_gossip (m : mode) (G : network) (M : nat) (images : list (list node)) (proof : list N) : bool :=
  let f := items_formula m G (gossip_task G) M M in
  forallb (is_automorphism m G) images &&& numbers_fit m G (size G) M M f images
  &&& refuted_by (full_formula m G (size G) M M f images) proof.

(** The first round of the moved schedule, link by link. *)
Lemma told_moved m G l s k u v :
  automorphism m G (image l) (image (inverse (size G) l)) -> legal m G s ->
  nth_error (callable m G) k = Some (u, v) ->
  told m (nth 0 (move (image (inverse (size G) l)) s) []) u v =
  (let p := nth (moved_link m G l (u, v)) (callable m G) (0, 0) in told m (nth 0 s []) (fst p) (snd p)).
Proof.
  intros A L Hk. apply nth_error_In in Hk. pose proof Hk as C. apply callable_spec in C.
  destruct C as [[[Hu [Hv _]] _] _].
  rewrite (nth_error_nth _ _ _ (moved_link_spec m G l u v A Hk)).
  apply eq_iff_true. rewrite told_spec, (moved_first m G _ _ A) by assumption.
  unfold in_order. cbv zeta. destruct (is_telephone m &&& _) eqn:E; simpl; rewrite told_spec; [|reflexivity].
  rewrite and_true, is_telephone_spec in E. destruct E as [-> _].
  split; apply tells_symmetric.
Qed.

Theorem gossip_refuted m G M images proof :
  refutes_gossip m G M images proof = true -> ~ gossip m G M.
Proof.
  unfold refutes_gossip. rewrite !and_true, forallb_forall. intros [[A F] C] [s [E S]].
  apply (no_solution m G (size G) M M (items_formula m G (gossip_task G) M M) schedule
    (fun s => length s = M /\ solves m G (gossip_task G) s) (fun s => says m G (gossip_task G) s)
    (fun l => move (image (inverse (size G) l))) images) with (proof := proof) (x := s); auto.
  - intros x [Ex Sx]. apply items_formula_sound; auto.
    intros t Ht. rewrite Nat.mod_small by exact Ht. split; [exact Ht|reflexivity].
  - intros l x Hl [Ex Sx]. split; [unfold move; now rewrite map_length|].
    apply (moved_gossip m G (image l)); [now apply is_automorphism_spec, A|exact Sx].
  - intros l x k [u v] Hl [Ex [Lx _]] Hp. apply in_placed0 in Hp.
    pose proof (is_automorphism_spec _ _ _ (A l Hl)) as Al. simpl.
    rewrite (nth_error_nth _ _ _ Hp). simpl. now apply (told_moved m G l x k u v).
Qed.

(** ** Broadcast and multicast *)

(** The item starts at the given sources, or at one node somewhere. *)
Definition possible (o : origin) (G : network) (sources : list node) : Prop :=
  match o with
  | given l => l = sources
  | at_most_one_source => exists w, w < size G /\ sources = [w]
  end.

Definition keeps (G : network) (S : list node) (l : list node) : bool :=
  forallb (fun v => Bool.eqb (one_of S v) (one_of S (image l v))) (seq 0 (size G)).

Definition refutes_one_item (m : mode) (G : network) (o : origin) (targets : list node) (M : nat)
  (images : list (list node)) (proof : list N) : bool :=
  let f := one_item_formula G o targets M in
  forallb (fun l =>
    is_automorphism telegraph G l &&& is_automorphism m G l &&& keeps G targets l
    &&& match o with given starts => keeps G starts l | at_most_one_source => true end) images
  &&& forallb (fun v => v <? size G) targets
  &&& numbers_fit telegraph G 1 M M f images
  &&& refuted_by (full_formula telegraph G 1 M M f images) proof.

Lemma keeps_spec G S l : keeps G S l = true <->
  forall v, v < size G -> one_of S v = one_of S (image l v).
Proof.
  unfold keeps. rewrite forallb_forall. split.
  - intros H v Hv. apply eqb_true_iff. apply (H v). apply in_seq. lia.
  - intros H v Hv. apply in_seq in Hv. apply eqb_true_iff. apply H. lia.
Qed.

Definition moved_sources (o : origin) (G : network) (l sources : list node) : list node :=
  match o with
  | given _ => sources
  | at_most_one_source => map (image (inverse (size G) l)) sources
  end.

Lemma moved_sources_spec m o G l sources :
  automorphism m G (image l) (image (inverse (size G) l)) -> possible o G sources ->
  match o with given starts => keeps G starts l | at_most_one_source => true end = true ->
  possible o G (moved_sources o G l sources) /\
  forall v, v < size G -> one_of (moved_sources o G l sources) v = one_of sources (image l v).
Proof.
  intros [A _] Q K. destruct o as [S|]; cbn [moved_sources possible] in *.
  - subst S. split; [reflexivity|]. now apply keeps_spec.
  - destruct Q as [w [Hw ->]]. cbn [map]. destruct (A w Hw) as [_ [Hg [_ E]]]. split.
    + now exists (image (inverse (size G) l) w).
    + intros v Hv. apply eq_iff_true. rewrite !one_of_spec. simpl.
      destruct (A v Hv) as [_ [_ [F _]]]. split; intros [B|[]]; left; congruence.
Qed.

Theorem one_item_refuted m G o targets (goals : node -> item -> bool) M images proof :
  (forall v, v < size G -> goals v 0 = one_of targets v) ->
  refutes_one_item m G o targets M images proof = true ->
  forall sources, possible o G sources -> ~ suffices m G (Task 1 (fun v _ => one_of sources v) goals) M.
Proof.
  intros Goals R sources0 Q0 [s0 [E0 S0]]. unfold refutes_one_item in R.
  rewrite !and_true, !forallb_forall in R. destruct R as [[[A Tn] F] C].
  set (T := fun S => Task 1 (fun v _ => one_of S v) goals) in *.
  assert (Auto : forall l, In l images ->
    is_automorphism telegraph G l = true /\ is_automorphism m G l = true /\ keeps G targets l = true /\
    match o with given starts => keeps G starts l | at_most_one_source => true end = true).
  { intros l Hl. specialize (A l Hl). rewrite !and_true in A. tauto. }
  apply (no_solution telegraph G 1 M M (one_item_formula G o targets M) (list node * schedule)
    (fun x => possible o G (fst x) /\ length (snd x) = M /\ solves m G (T (fst x)) (snd x))
    (fun x => tells_news G m (fst x) goals (snd x))
    (fun l x => (moved_sources o G l (fst x), move (image (inverse (size G) l)) (snd x))) images)
    with (proof := proof) (x := (sources0, s0)); auto.
  - intros [S s] [Q [E Sx]]. apply one_item_sound with (M := M); auto.
    + destruct o as [|]; [exact Q|]. destruct Q as [w [_ ->]]. now exists w.
    + intros v Hv. specialize (Tn v Hv). apply Nat.ltb_lt in Tn. split; [exact Tn|].
      rewrite Goals by exact Tn. now apply one_of_spec.
  - intros l [S s] Hl [Q [E Sx]]. simpl in *. destruct (Auto l Hl) as [A1 [A2 [A3 A4]]].
    apply is_automorphism_spec in A1. apply is_automorphism_spec in A2.
    destruct (moved_sources_spec _ o G l S A2 Q A4) as [Q' Es]. split; [exact Q'|].
    split; [unfold move; now rewrite map_length|].
    apply (moved_multicast m G (image l) _ A2 S); auto.
    intros v Hv. rewrite !Goals; [now apply (proj1 (keeps_spec _ _ _) A3)|now apply A2|exact Hv].
  - intros l Hl. now apply Auto.
  - intros l [S s] k [u v] Hl [Q [E [Ls Sx]]] Hp. simpl in Q, E, Ls, Sx |- *.
    destruct (Auto l Hl) as [A1 [A2 [_ A4]]].
    apply is_automorphism_spec in A1. apply is_automorphism_spec in A2.
    destruct (moved_sources_spec _ o G l S A2 Q A4) as [_ Es].
    apply in_placed0 in Hp. rewrite (nth_error_nth _ _ _ Hp). simpl fst. simpl snd.
    pose proof (nth_error_In _ _ Hp) as Ha. pose proof Ha as Hc. apply callable_spec in Hc.
    destruct Hc as [[[Hu [Hv _]] _] _].
    pose proof (moved_link_spec telegraph G l u v A1 Ha) as Hm. unfold in_order in Hm. simpl in Hm.
    rewrite (nth_error_nth _ _ _ Hm). simpl fst. simpl snd.
    assert (St : forall S' w s', w < size G -> informed G m S' goals s' 0 w = one_of S' w).
    { intros S' w s' Hw. unfold informed, known. simpl. now rewrite nth_map_seq. }
    destruct (proj1 A1 u Hu) as [Fu _]. destruct (proj1 A1 v Hv) as [Fv _].
    rewrite !St by assumption. rewrite !Es by assumption.
    assert (Td : told m (nth 0 (move (image (inverse (size G) l)) s) []) u v =
                 told m (nth 0 s []) (image l u) (image l v)).
    { apply eq_iff_true. rewrite !told_spec. now apply (moved_first m G). }
    now rewrite Td.
Qed.

Theorem broadcast_refuted m G sources M images proof :
  refutes_one_item m G (given sources) (seq 0 (size G)) M images proof = true ->
  ~ broadcast m G sources M.
Proof.
  intros R. apply (one_item_refuted m G (given sources) (seq 0 (size G)) (fun _ _ => true) M images proof);
    [|exact R|reflexivity].
  intros v Hv. symmetry. apply one_of_spec, in_seq. lia.
Qed.

Theorem multicast_refuted m G sources targets M images proof :
  refutes_one_item m G (given sources) targets M images proof = true ->
  ~ multicast m G sources targets M.
Proof.
  intros R. now apply (one_item_refuted m G (given sources) targets _ M images proof).
Qed.

Theorem best_broadcast_refuted m G M images proof :
  refutes_one_item m G at_most_one_source (seq 0 (size G)) M images proof = true ->
  ~ from_best G (fun v => broadcast m G [v]) M.
Proof.
  intros R [v [Hv B]]. revert B.
  apply (one_item_refuted m G at_most_one_source (seq 0 (size G)) (fun _ _ => true) M images proof);
    [|exact R|].
  - intros u Hu. symmetry. apply one_of_spec, in_seq. lia.
  - now exists v.
Qed.
