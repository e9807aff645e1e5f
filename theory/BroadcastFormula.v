(** The plain formula for "M rounds suffice" of a broadcast or multicast, clause for clause as schedsolve writes
    it (models/matching/claims/formula.py, [broadcast_formula]).  Only useful calls are asked about: those from
    a node that knows the item to one that does not.  Every schedule gives a model ([one_item_sound]). *)

From Coq Require Import List Bool Arith NArith Lia.
From Schedsolve Require Import Definitions Replay Checker Variables ItemsFormula.
Import ListNotations.
Local Open Scope bool_scope.

(** The sources are given, or there is at most one. *)
Inductive origin := given (sources : list node) | at_most_one_source.

Section Formula.
Variables (G : network) (o : origin) (targets : list node) (M : nat).

Definition arcs := placed 0 (callable telegraph G).
Definition into_in (arcs : list (nat * (node * node))) (v : node) : list nat :=
  map fst (filter (fun p => snd (snd p) =? v) arcs).
Definition out_of_in (arcs : list (nat * (node * node))) (u : node) : list nat :=
  map fst (filter (fun p => fst (snd p) =? u) arcs).
Definition into := into_in arcs.
Definition out_of := out_of_in arcs.

(** A call goes from a node informed before to one not informed before, which is informed after. *)
Definition useful (t : nat) (p : nat * (node * node)) : list named_clause :=
  [[(false, Call t (fst p)); (true, Held t (fst (snd p)) 0)];
   [(false, Call t (fst p)); (false, Held t (snd (snd p)) 0)];
   [(false, Call t (fst p)); (true, Held (S t) (snd (snd p)) 0)]].

(** Every node is called by one at most, and calls one at most; who is informed after a round was so before, or
    is called; who was informed stays so. *)
Definition around (t : nat) (v : node) (called calling : list nat) : list named_clause :=
  at_most_one (map (Call t) called) ++ at_most_one (map (Call t) calling) ++
  [(false, Held (S t) v 0) :: (true, Held t v 0) :: map (fun a => (true, Call t a)) called;
   [(false, Held t v 0); (true, Held (S t) v 0)]].

Definition informed_first : list named_clause :=
  match o with
  | given sources => map (fun v => [(one_of sources v, Held 0 v 0)]) (seq 0 (size G))
  | at_most_one_source => at_most_one (map (fun v => Held 0 v 0) (seq 0 (size G)))
  end.

Definition one_item_formula : list named_clause :=
  (let links := arcs in
   let table := tabulated G (fun v => (into_in links v, out_of_in links v)) in
   flat_map (fun t => flat_map (useful t) links
     ++ flat_map (fun p => around t (fst p) (fst (snd p)) (snd (snd p))) table) (seq 0 M))
  ++ informed_first
  ++ map (fun v => [(true, Held M v 0)]) targets.

(** ** What a schedule makes of the variables *)

Variables (m : mode) (sources : list node) (goals : node -> item -> bool) (s : schedule).
Let T := Task 1 (fun v _ => one_of sources v) goals.
Hypothesis rounds : length s = M.
Hypothesis solved : solves m G T s.
Hypothesis sourced : match o with
  | given l => l = sources
  | at_most_one_source => exists w, sources = [w]
  end.
Hypothesis wanted : forall v, In v targets -> v < size G /\ goals v 0 = true.

Definition informed (t : nat) (v : node) : bool :=
  nth v (known m (size G) (firstn t s) (fun u => start T u 0)) false.

Definition tells_news (x : var) : bool :=
  match x with
  | Call t a =>
    let p := nth a (callable telegraph G) (0, 0) in
    told m (nth t s []) (fst p) (snd p) &&& informed t (fst p) &&& negb (informed t (snd p))
  | Held t v _ => informed t v
  end.

Let knows := knows m T s.

Lemma informed_spec t v : v < size G -> (informed t v = true <-> knows t v 0).
Proof. intros Hv. exact (says_held m G T s solved t v 0 Hv). Qed.

Lemma news t a u v : nth_error (callable telegraph G) a = Some (u, v) ->
  (tells_news (Call t a) = true <->
   tells m (nth t s []) u v /\ informed t u = true /\ informed t v = false).
Proof.
  intros H. simpl. rewrite (nth_error_nth _ _ _ H). simpl.
  rewrite !and_true, told_spec, negb_true_iff. tauto.
Qed.

Lemma in_arcs a u v : In (a, (u, v)) arcs -> nth_error (callable telegraph G) a = Some (u, v) /\ arc G u v.
Proof.
  intros H. apply in_placed0 in H. split; [exact H|]. apply nth_error_In in H.
  apply callable_spec in H. destruct H as [[A _] _]. exact A.
Qed.

Lemma legal_at t : t < M -> legal_round m G (nth t s []).
Proof. intros H. apply solved. apply nth_In. lia. Qed.

Lemma informed_next t v : t < M -> v < size G ->
  (informed (S t) v = true <->
   informed t v = true \/ exists u, tells m (nth t s []) u v /\ informed t u = true).
Proof.
  intros H Hv. rewrite !informed_spec by exact Hv. unfold knows.
  rewrite (knows_next m T M M s rounds (le_n M) t v 0 H). apply or_iff_compat_l.
  split; intros [u [Tu Ku]]; exists u; (split; [exact Tu|]);
    (assert (Hu : u < size G) by (destruct (legal_tells _ _ _ _ _ (legal_at t H) Tu) as [[? _] _]; assumption));
    now apply informed_spec.
Qed.

Lemma NoDup_calls t l : NoDup l -> NoDup (map (Call t) l).
Proof.
  intros D. induction D as [|a l N D IH]; simpl; constructor; auto.
  intros H. apply in_map_iff in H. destruct H as [b [E H]]. congruence.
Qed.

Lemma into_spec v a : In a (into v) <-> exists u, In (a, (u, v)) arcs.
Proof.
  unfold into, into_in. rewrite in_map_iff. split.
  - intros [[k [x y]] [<- H]]. apply filter_In in H. destruct H as [H E]. simpl in E.
    apply Nat.eqb_eq in E. subst. now exists x.
  - intros [u H]. exists (a, (u, v)). split; [reflexivity|]. apply filter_In.
    split; [exact H|]. simpl. apply Nat.eqb_refl.
Qed.

Lemma out_of_spec u a : In a (out_of u) <-> exists v, In (a, (u, v)) arcs.
Proof.
  unfold out_of, out_of_in. rewrite in_map_iff. split.
  - intros [[k [x y]] [<- H]]. apply filter_In in H. destruct H as [H E]. simpl in E.
    apply Nat.eqb_eq in E. subst. now exists y.
  - intros [v H]. exists (a, (u, v)). split; [reflexivity|]. apply filter_In.
    split; [exact H|]. simpl. apply Nat.eqb_refl.
Qed.

Lemma useful_sound t p : t < M -> In p arcs -> named_model tells_news (useful t p).
Proof.
  intros H. destruct p as [a [u v]]. intros Ha c Hc. apply in_arcs in Ha. destruct Ha as [Ha Ar].
  destruct (tells_news (Call t a)) eqn:E.
  - apply (news t a u v Ha) in E. destruct E as [Tu [Iu Nv]].
    unfold useful in Hc. simpl in Hc. destruct Hc as [<-|[<-|[<-|[]]]].
    + exists true, (Held t u 0). split; [simpl; auto|exact Iu].
    + exists false, (Held t v 0). split; [simpl; auto|exact Nv].
    + exists true, (Held (S t) v 0). split; [simpl; auto|]. simpl.
      apply informed_next; [exact H|apply Ar|]. right. now exists u.
  - exists false, (Call t a). split; [|exact E].
    unfold useful in Hc. simpl in Hc. destruct Hc as [<-|[<-|[<-|[]]]]; now left.
Qed.

Lemma arc_place a b p : In (a, p) arcs -> In (b, p) arcs -> a = b.
Proof.
  intros Ha Hb. apply in_placed0 in Ha. apply in_placed0 in Hb. now apply (same_place telegraph G a b p).
Qed.

Lemma around_sound t v : t < M -> v < size G -> named_model tells_news (around t v (into v) (out_of v)).
Proof.
  intros H Hv. pose proof (legal_at t H) as L. unfold around. rewrite !named_model_app. split; [|split].
  - apply at_most_one_sound; [apply NoDup_calls, NoDup_places|].
    intros x y Hx Hy Cx Cy. apply in_map_iff in Hx. apply in_map_iff in Hy.
    destruct Hx as [a [<- Ha]]. destruct Hy as [b [<- Hb]]. f_equal.
    apply into_spec in Ha. apply into_spec in Hb. destruct Ha as [u Ha]. destruct Hb as [w Hb].
    apply (news t a u v (proj1 (in_arcs _ _ _ Ha))) in Cx.
    apply (news t b w v (proj1 (in_arcs _ _ _ Hb))) in Cy.
    assert (u = w) by (apply (one_speaker m G (nth t s []) u w v); tauto). subst w.
    now apply (arc_place a b (u, v)).
  - apply at_most_one_sound; [apply NoDup_calls, NoDup_places|].
    intros x y Hx Hy Cx Cy. apply in_map_iff in Hx. apply in_map_iff in Hy.
    destruct Hx as [a [<- Ha]]. destruct Hy as [b [<- Hb]]. f_equal.
    apply out_of_spec in Ha. apply out_of_spec in Hb. destruct Ha as [u Ha]. destruct Hb as [w Hb].
    apply (news t a v u (proj1 (in_arcs _ _ _ Ha))) in Cx.
    apply (news t b v w (proj1 (in_arcs _ _ _ Hb))) in Cy.
    assert (u = w) by (apply (one_listener m G (nth t s []) v u w); tauto). subst w.
    now apply (arc_place a b (v, u)).
  - intros c [<-|[<-|[]]].
    + destruct (informed t v) eqn:B; [exists true, (Held t v 0); simpl; auto|].
      destruct (informed (S t) v) eqn:A; [|exists false, (Held (S t) v 0); simpl; auto].
      apply informed_next in A; [|exact H|exact Hv]. destruct A as [A|[u [Tu Iu]]]; [congruence|].
      destruct (legal_tells _ _ _ _ _ L Tu) as [Ar _].
      assert (Hu : In (u, v) (callable telegraph G)).
      { apply callable_spec. split; [split; [exact Ar|discriminate]|discriminate]. }
      apply In_nth_error in Hu. destruct Hu as [a Ha]. exists true, (Call t a). split.
      * right; right. apply in_map_iff. exists a. split; [reflexivity|]. apply into_spec. exists u.
        now apply in_placed0.
      * apply (news t a u v Ha). auto.
    + destruct (informed t v) eqn:B; [|exists false, (Held t v 0); simpl; auto].
      exists true, (Held (S t) v 0). split; [simpl; auto|]. simpl. apply informed_next; auto.
Qed.

Lemma start_of v : v < size G -> informed 0 v = one_of sources v.
Proof. intros Hv. unfold informed, known. simpl. now rewrite nth_map_seq. Qed.

Theorem one_item_sound : named_model tells_news one_item_formula.
Proof.
  unfold one_item_formula. rewrite !named_model_app. split; [|split].
  - apply named_model_flat_map. intros t Ht. apply in_seq in Ht.
    rewrite named_model_app. split; apply named_model_flat_map.
    + intros p Hp. apply useful_sound; [lia|exact Hp].
    + intros [v l] Hv. apply in_tabulated in Hv. destruct Hv as [Hv E]. simpl in Hv, E. subst l.
      apply around_sound; [lia|exact Hv].
  - unfold informed_first. destruct o as [l|].
    + intros c Hc. apply in_map_iff in Hc. destruct Hc as [v [<- Hv]]. apply in_seq in Hv.
      exists (one_of l v), (Held 0 v 0). split; [now left|]. simpl. rewrite start_of by lia. now rewrite sourced.
    + destruct sourced as [w Hw]. apply at_most_one_sound.
      * assert (D : NoDup (seq 0 (size G))) by apply seq_NoDup.
        induction D as [|a l N D IH]; simpl; constructor; auto.
        intros H. apply in_map_iff in H. destruct H as [b [E H]]. congruence.
      * intros x y Hx Hy Cx Cy. apply in_map_iff in Hx. apply in_map_iff in Hy.
        destruct Hx as [u [<- Hu]]. destruct Hy as [v [<- Hv]]. apply in_seq in Hu. apply in_seq in Hv.
        unfold tells_news in Cx, Cy. rewrite start_of in Cx, Cy by lia.
        rewrite Hw in Cx, Cy. apply one_of_spec in Cx. apply one_of_spec in Cy.
        destruct Cx as [<-|[]]. destruct Cy as [<-|[]]. reflexivity.
  - intros c Hc. apply in_map_iff in Hc. destruct Hc as [v [<- Hv]]. destruct (wanted v Hv) as [Hn Hg].
    exists true, (Held M v 0). split; [now left|]. simpl. apply informed_spec; [exact Hn|].
    unfold knows, ItemsFormula.knows. rewrite <- rounds, firstn_all.
    apply solved; auto.
Qed.

End Formula.
