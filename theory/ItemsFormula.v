(** The plain formula for "M rounds suffice" of a task with many items, clause for clause as schedsolve writes
    it (models/matching/claims/formula.py, [gossip_formula]); every schedule gives a model of it
    ([items_formula_sound]). *)

From Coq Require Import List Bool Arith NArith Lia.
From Schedsolve Require Import Definitions Replay Checker Variables.
Import ListNotations.
Local Open Scope bool_scope.

Section Formula.
Variables (m : mode) (G : network) (T : task).
Variables slots M : nat.   (* rounds with variables of their own, rounds *)

Definition nodes := seq 0 (size G).
Definition kinds := seq 0 (items T).

(** The links at a node, out of those given with their numbers. *)
Definition touching_in (placed_links : list (nat * (node * node))) (v : node) : list nat :=
  map fst (filter (fun p => (fst (snd p) =? v) ||| (snd (snd p) =? v)) placed_links).

(** The links over which a node is told something, each with who tells it. *)
Definition callers_in (placed_links : list (nat * (node * node))) (v : node) : list (nat * node) :=
  flat_map (fun p =>
    if snd (snd p) =? v then [(fst p, fst (snd p))]
    else if is_telephone m &&& (fst (snd p) =? v) then [(fst p, snd (snd p))] else []) placed_links.

Definition touching := touching_in (placed 0 (callable m G)).
Definition callers := callers_in (placed 0 (callable m G)).

(** What is used again and again is computed once. *)
Definition tabulated {A} (f : node -> A) : list (node * A) := map (fun v => (v, f v)) nodes.

Lemma in_tabulated {A} (f : node -> A) p : In p (tabulated f) -> fst p < size G /\ snd p = f (fst p).
Proof.
  unfold tabulated. intros H. apply in_map_iff in H. destruct H as [v [<- Hv]]. apply in_seq in Hv.
  simpl. split; [lia|reflexivity].
Qed.

(** In every round every node takes part in at most one call. *)
Definition one_call_a_node : list named_clause :=
  let links := placed 0 (callable m G) in
  let table := tabulated (touching_in links) in
  flat_map (fun t => flat_map (fun p => at_most_one (map (Call t) (snd p))) table) (seq 0 slots).

(** A node that knows an item after round t knew it before, or is called in round t; and if u calls it, it knew
    it before, or u did. *)
Definition step (t : nat) (v : node) (told_by : list (nat * node)) (i : item) : list named_clause :=
  let now := (false, Held (S t) v i) in
  let before := (true, Held t v i) in
  let called := fun p : nat * node => Call (t mod slots) (fst p) in
  (now :: before :: map (fun p => (true, called p)) told_by)
  :: map (fun p => [now; before; (false, called p); (true, Held t (snd p) i)]) told_by.

Definition steps : list named_clause :=
  let links := placed 0 (callable m G) in
  let table := tabulated (callers_in links) in
  flat_map (fun t => flat_map (fun p => flat_map (step t (fst p) (snd p)) kinds) table) (seq 0 M).

(** Before round 1 a node knows just its items, after the last round those of its goal. *)
Definition first_and_last : list named_clause :=
  flat_map (fun v => flat_map (fun i =>
    [(start T v i, Held 0 v i)] :: if goal T v i then [[(true, Held M v i)]] else []) kinds) nodes.

Definition items_formula : list named_clause := one_call_a_node ++ steps ++ first_and_last.

(** ** What a schedule makes of the variables *)

Variable s : schedule.
Hypothesis rounds : length s = M.
Hypothesis solved : solves m G T s.
Hypothesis repeated : forall t, t < M -> t mod slots < slots /\
  forall u v, tells m (nth t s []) u v <-> tells m (nth (t mod slots) s []) u v.
Hypothesis few_slots : slots <= M.

Definition says (x : var) : bool :=
  match x with
  | Call t a => let p := nth a (callable m G) (0, 0) in told m (nth t s []) (fst p) (snd p)
  | Held t v i => nth v (known m (size G) (firstn t s) (fun u => start T u i)) false
  end.

Lemma round_legal t : t < M -> legal_round m G (nth t s []).
Proof. intros H. apply solved. apply nth_In. lia. Qed.

Lemma says_call t a u v : nth_error (callable m G) a = Some (u, v) ->
  (says (Call t a) = true <-> tells m (nth t s []) u v).
Proof. intros H. simpl. rewrite (nth_error_nth _ _ _ H). simpl. apply told_spec. Qed.

Lemma firstn_legal t : legal m G (firstn t s).
Proof.
  intros r Hr. apply solved. rewrite <- (firstn_skipn t s). apply in_or_app. now left.
Qed.

Definition knows (t : nat) : knowledge := after m (firstn t s) (fun u j => start T u j = true).

Lemma says_held t v i : v < size G -> (says (Held t v i) = true <-> knows t v i).
Proof.
  intros Hv. simpl. unfold knows.
  destruct (known_spec m G (firstn t s) (fun u j => start T u j = true) (fun u => start T u i) i
              (firstn_legal t)) as [_ D]; [tauto|]. now apply D.
Qed.

Lemma after_last r s' K : after m (s' ++ [r]) K = after_round m r (after m s' K).
Proof. revert K. induction s' as [|q s' IH]; simpl; intros K; [reflexivity|apply IH]. Qed.

Lemma firstn_next {A} (l : list A) d : forall t, t < length l -> firstn (S t) l = firstn t l ++ [nth t l d].
Proof.
  induction l as [|x l IH]; simpl; intros t H; [lia|]. destruct t as [|t]; [reflexivity|].
  simpl. f_equal. apply IH. lia.
Qed.

Lemma knows_next t v i : t < M ->
  (knows (S t) v i <-> knows t v i \/ exists u, tells m (nth t s []) u v /\ knows t u i).
Proof.
  intros H. unfold knows. rewrite (firstn_next s []) by lia. rewrite after_last. reflexivity.
Qed.

Lemma touching_spec v a : In a (touching v) <->
  exists x y, nth_error (callable m G) a = Some (x, y) /\ (x = v \/ y = v).
Proof.
  unfold touching, touching_in. rewrite in_map_iff. split.
  - intros [[k [x y]] [<- H]]. apply filter_In in H. destruct H as [H E].
    apply in_placed0 in H. simpl in E. rewrite or_true, !Nat.eqb_eq in E. simpl. eauto.
  - intros [x [y [H E]]]. exists (a, (x, y)). split; [reflexivity|]. apply filter_In.
    split; [now apply in_placed0|]. simpl. now rewrite or_true, !Nat.eqb_eq.
Qed.

Lemma callers_spec v a u : In (a, u) (callers v) ->
  exists x y, nth_error (callable m G) a = Some (x, y) /\
    ((x = u /\ y = v) \/ (m = telephone /\ x = v /\ y = u)).
Proof.
  unfold callers, callers_in. rewrite in_flat_map. intros [[k [x y]] [H E]]. apply in_placed0 in H. simpl in E.
  destruct (y =? v) eqn:Y.
  - apply Nat.eqb_eq in Y. destruct E as [E|[]]. inversion E; subst. exists u, v. auto.
  - destruct (is_telephone m &&& (x =? v)) eqn:X; [|destruct E].
    rewrite and_true, is_telephone_spec, Nat.eqb_eq in X. destruct X as [Hm ->].
    destruct E as [E|[]]. injection E as -> ->. exists v, u. tauto.
Qed.

Lemma callers_complete v u : may_call m G u v -> exists a, In (a, u) (callers v).
Proof.
  intros C.
  assert (B : u < v \/ v < u \/ u = v) by lia.
  assert (N : u <> v) by (destruct C as [[_ [_ [? _]]] _]; assumption).
  assert (H : In (u, v) (callable m G) \/ (m = telephone /\ In (v, u) (callable m G))).
  { rewrite !callable_spec. destruct m.
    - left. split; [exact C|]. discriminate.
    - destruct B as [B|[B|B]]; [left; auto|right|contradiction].
      split; [reflexivity|]. split; [|auto]. destruct C as [A C]. split; [now apply C|auto]. }
  unfold callers, callers_in. destruct H as [H|[Hm H]]; apply In_nth_error in H; destruct H as [a H]; exists a;
    apply in_flat_map.
  - exists (a, (u, v)). split; [now apply in_placed0|]. simpl. rewrite Nat.eqb_refl. now left.
  - exists (a, (v, u)). split; [now apply in_placed0|]. simpl.
    destruct (u =? v) eqn:E; [apply Nat.eqb_eq in E; contradiction|].
    rewrite Nat.eqb_refl, Hm. now left.
Qed.

(** A call over a link at which u tells v something, as the variable says it. *)
Lemma says_caller t v a u : In (a, u) (callers v) ->
  (says (Call t a) = true <-> tells m (nth t s []) u v).
Proof.
  intros H. apply callers_spec in H. destruct H as [x [y [H [[-> ->]|[Hm [-> ->]]]]]].
  - now apply says_call.
  - rewrite (says_call t a v u H). split; intros X; rewrite Hm in *; now apply tells_symmetric.
Qed.

Lemma one_call_sound : named_model says one_call_a_node.
Proof.
  apply named_model_flat_map. intros t Ht. apply in_seq in Ht.
  apply named_model_flat_map. intros [v l] Hp. apply in_tabulated in Hp. destruct Hp as [_ E]. simpl in E.
  subst l. change (touching_in (placed 0 (callable m G))) with touching. cbn [snd].
  apply at_most_one_sound.
  - assert (D : NoDup (touching v)) by apply NoDup_places. clear - D.
    induction D as [|a l N D IH]; simpl; constructor; auto.
    intros H. apply in_map_iff in H. destruct H as [b [E H]]. congruence.
  - intros x y Hx Hy Cx Cy. apply in_map_iff in Hx, Hy.
    destruct Hx as [a [<- Ha]]. destruct Hy as [b [<- Hb]]. f_equal.
    apply touching_spec in Ha, Hb.
    destruct Ha as [x [y [Ea Ha]]]. destruct Hb as [z [w [Eb Hb]]].
    rewrite (says_call t a x y Ea) in Cx. rewrite (says_call t b z w Eb) in Cy.
    assert (L : legal_round m G (nth t s [])) by (apply round_legal; lia).
    pose proof (legal_tells _ _ _ _ _ L Cx) as [[_ [_ [Nx _]]] _].
    pose proof (legal_tells _ _ _ _ _ L Cy) as [[_ [_ [Nz _]]] _].
    apply (same_place m G a b (x, y)); [exact Ea|]. rewrite Eb. f_equal.
    assert (Lx : m = telephone -> x < y).
    { pose proof (nth_error_In _ _ Ea) as I. apply callable_spec in I. tauto. }
    assert (Lz : m = telephone -> z < w).
    { pose proof (nth_error_In _ _ Eb) as I. apply callable_spec in I. tauto. }
    pose proof (one_partner _ (proj2 L)) as P.
    assert (Q : forall p q, tells m (nth t s []) p q -> talk (nth t s []) p q /\ talk (nth t s []) q p).
    { intros p q X. split; [now apply tells_talk in X|]. apply tells_talk in X. unfold talk in *. tauto. }
    destruct (Q _ _ Cx) as [Q1 Q2]. destruct (Q _ _ Cy) as [Q3 Q4].
    destruct Ha as [Ha|Ha]; destruct Hb as [Hb|Hb]; subst.
    + f_equal. apply (P v); auto.
    + exfalso. assert (E : y = z) by (apply (P v); auto). subst z.
      destruct m; [|specialize (Lx eq_refl); specialize (Lz eq_refl); lia].
      destruct Cx as [Cx|[? _]]; [|discriminate]. destruct Cy as [Cy|[? _]]; [|discriminate].
      now apply (no_way_back _ _ _ (proj2 L) Cx).
    + exfalso. assert (E : x = w) by (apply (P v); auto). subst w.
      destruct m; [|specialize (Lx eq_refl); specialize (Lz eq_refl); lia].
      destruct Cx as [Cx|[? _]]; [|discriminate]. destruct Cy as [Cy|[? _]]; [|discriminate].
      now apply (no_way_back _ _ _ (proj2 L) Cx).
    + f_equal. apply (P v); auto.
Qed.

Lemma steps_sound : named_model says steps.
Proof.
  apply named_model_flat_map. intros t Ht. apply in_seq in Ht.
  apply named_model_flat_map. intros [v l] Hp. apply in_tabulated in Hp. destruct Hp as [Hv E].
  simpl in Hv, E. subst l. change (callers_in (placed 0 (callable m G))) with callers. cbn [fst snd].
  apply named_model_flat_map. intros i Hi c Hc.
  assert (H : t < M) by lia. destruct (repeated t H) as [_ Rep].
  destruct (says (Held (S t) v i)) eqn:Now.
  2:{ exists false, (Held (S t) v i). split; [|exact Now]. unfold step in Hc.
      destruct Hc as [<-|Hc]; [now left|]. apply in_map_iff in Hc. destruct Hc as [p [<- _]]. now left. }
  destruct (says (Held t v i)) eqn:Before.
  { exists true, (Held t v i). split; [|exact Before]. unfold step in Hc.
    destruct Hc as [<-|Hc]; [right; now left|]. apply in_map_iff in Hc. destruct Hc as [p [<- _]].
    right; now left. }
  apply says_held in Now; [|lia]. apply knows_next in Now; [|exact H].
  destruct Now as [Now|[u [Tu Ku]]]; [apply says_held in Now; [congruence|lia]|].
  assert (L : legal_round m G (nth t s [])) by now apply round_legal.
  destruct Hc as [<-|Hc].
  - destruct (callers_complete v u (legal_tells _ _ _ _ _ L Tu)) as [a Ha].
    exists true, (Call (t mod slots) a). split.
    + right; right. apply in_map_iff. now exists (a, u).
    + apply (says_caller _ v a u Ha). now apply Rep.
  - apply in_map_iff in Hc. destruct Hc as [[a w] [<- Hw]]. simpl snd. simpl fst.
    destruct (says (Call (t mod slots) a)) eqn:C.
    + exists true, (Held t w i). split; [simpl; tauto|].
      apply (says_caller _ v a w Hw) in C. apply Rep in C.
      assert (E : u = w) by (apply (one_speaker m G (nth t s []) u w v); auto). subst w.
      apply says_held; [|exact Ku]. destruct (legal_tells _ _ _ _ _ L Tu) as [[? _] _]. assumption.
    + exists false, (Call (t mod slots) a). split; [simpl; tauto|exact C].
Qed.

Lemma first_and_last_sound : named_model says first_and_last.
Proof.
  apply named_model_flat_map. intros v Hv. apply in_seq in Hv.
  apply named_model_flat_map. intros i Hi c Hc. apply in_seq in Hi. destruct Hc as [<-|Hc].
  - exists (start T v i), (Held 0 v i). split; [now left|]. simpl.
    unfold known. simpl. now rewrite nth_map_seq by lia.
  - destruct (goal T v i) eqn:Hg; [|destruct Hc]. destruct Hc as [<-|[]].
    exists true, (Held M v i). split; [now left|]. apply says_held; [lia|].
    unfold knows. rewrite <- rounds, firstn_all. apply solved; auto; lia.
Qed.

Theorem items_formula_sound : named_model says items_formula.
Proof.
  unfold items_formula. rewrite !named_model_app.
  split; [apply one_call_sound|]. split; [apply steps_sound|apply first_and_last_sound].
Qed.

End Formula.
