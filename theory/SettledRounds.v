(** One-way gossip: rounds in which no call can be added, nor others take the place of some, and no exchange of
    receivers makes them larger as vectors over the links ([settled]), and what that means as clauses, which
    are those that schedsolve writes (schedsolve/export/coq_busy_ends.py). *)

From Coq Require Import List Bool Arith NArith Lia Permutation.
From Schedsolve Require Import Definitions Replay Checker Variables Symmetry Refutation.
From Schedsolve Require Import ItemsFormula Premises FewestCalls.
Import ListNotations.
Local Open Scope bool_scope.

Section Round.
Variable G : network.

(** Which links are called in a round. *)
Definition marks (r : round) : list bool :=
  map (fun p => told telegraph r (fst p) (snd p)) (callable telegraph G).

Lemma marks_length r : length (marks r) = length (callable telegraph G).
Proof. unfold marks. apply map_length. Qed.

(** Calls may be exchanged for others if the same nodes call, and the same are called. *)
Definition settled (r : round) : Prop := legal_round telegraph G r /\
  forall q, legal_round telegraph G q -> (forall u, calling r u -> calling q u) ->
    (forall v, called r v -> called q v) ->
    length q <= length r /\ (length q = length r -> at_least (marks r) (marks q) = true).

(** ** The clauses *)

(** Some link at one of these nodes is called in round t. *)
Definition takes_part (links : placed_links) (t : nat) (u v : node) : named_clause :=
  map (fun p => (true, Call t (fst p)))
    (filter (fun p => one_of [u; v] (fst (snd p)) ||| one_of [u; v] (snd (snd p))) links).

(** No call can be added to round t. *)
Definition no_pair_idle (links : placed_links) (t : nat) : list named_clause :=
  map (fun p => takes_part links t (fst (snd p)) (snd (snd p))) links.

(** Nor two in the place of one: if u and v are idle, p does not call q, where u may call q, and p may call v. *)
Definition no_detour (links : placed_links) (t : nat) : list named_clause :=
  flat_map (fun a : nat * (node * node) => flat_map (fun b : nat * (node * node) => flat_map (fun c : nat * (node * node) =>
    let p := fst (snd a) in let q := snd (snd a) in let u := fst (snd b) in let v := snd (snd c) in
    if (snd (snd b) =? q) &&& (fst (snd c) =? p) &&& negb (u =? p) &&& negb (v =? q) &&& negb (u =? v)
    then [(false, Call t (fst a)) :: takes_part links t u v] else [])
    (filter (fun c : nat * (node * node) => fst (snd c) =? fst (snd a)) links))
    (filter (fun b : nat * (node * node) => snd (snd b) =? snd (snd a)) links)) links.

(** Nor do two calls become a larger round if their receivers are exchanged. *)
Definition no_exchange (links : placed_links) (t : nat) : list named_clause :=
  let pairs := map snd links in
  flat_map (fun a : nat * (node * node) => flat_map (fun b : nat * (node * node) =>
    let u := fst (snd a) in let v := snd (snd a) in let x := fst (snd b) in let y := snd (snd b) in
    if (fst a <? fst b) &&& negb (u =? x) &&& negb (v =? y) &&& among pairs (u, y) &&& among pairs (x, v)
       &&& ((place_of (u, y) pairs <? fst a) ||| (place_of (x, v) pairs <? fst a))
    then [[(false, Call t (fst a)); (false, Call t (fst b))]] else []) links) links.

Definition settled_clauses (t : nat) : list named_clause :=
  let links := placed 0 (callable telegraph G) in
  no_pair_idle links t ++ no_detour links t ++ no_exchange links t.

(** ** A settled round satisfies them *)

Section Settled.
Variables (s : schedule) (t : nat).

Let r := nth t s [].
Let links := placed 0 (callable telegraph G).
Let val := says telegraph G (gossip_task G) s.

Hypothesis settled_r : settled r.

Lemma satisfied_or_not (c : named_clause) :
  named_satisfied val c \/ forall b x, In (b, x) c -> val x = negb b.
Proof.
  induction c as [|[b x] c [H|H]].
  - right. intros b x [].
  - left. destruct H as [b' [x' [H E]]]. exists b', x'. split; [now right|exact E].
  - destruct (Bool.bool_dec (val x) b) as [E|N].
    + left. exists b, x. split; [now left|exact E].
    + right. intros b' x' [E|H']; [|now apply H]. injection E as <- <-.
      destruct (val x), b; simpl; congruence.
Qed.

Lemma in_links a u v : In (a, (u, v)) links <-> nth_error (callable telegraph G) a = Some (u, v).
Proof. apply in_placed0. Qed.

Lemma link_may_call a u v : In (a, (u, v)) links -> may_call telegraph G u v.
Proof. intros H. apply in_links, nth_error_In, callable_spec in H. tauto. Qed.

Lemma is_linked u v : may_call telegraph G u v -> exists a, In (a, (u, v)) links.
Proof.
  intros H. destruct (In_nth_error (callable telegraph G) (u, v)) as [a Ha].
  - apply callable_spec. split; [exact H|discriminate].
  - exists a. now apply in_links.
Qed.

Lemma idle_nodes u v : (forall b x, In (b, x) (takes_part links t u v) -> val x = negb b) ->
  ~ In u (ends r) /\ ~ In v (ends r).
Proof.
  intros N. assert (All : forall w, one_of [u; v] w = true -> ~ In w (ends r)).
  { intros w Hw H. unfold ends in H. apply in_flat_map in H. destruct H as [[x y] [H E]].
    destruct (is_linked x y) as [a Ha]; [now apply settled_r|].
    assert (T : val (Call t a) = true) by now apply (val_call G s t a x y Ha).
    assert (I : In (true, Call t a) (takes_part links t u v)).
    { unfold takes_part. apply in_map_iff. exists (a, (x, y)). split; [reflexivity|]. apply filter_In.
      split; [exact Ha|]. cbn [fst snd]. apply or_true.
      simpl in E. destruct E as [<-|[<-|[]]]; [left|right]; exact Hw. }
    apply N in I. rewrite T in I. discriminate. }
  split; apply All; apply one_of_spec; simpl; auto.
Qed.

Lemma no_pair_idle_sound : named_model val (no_pair_idle links t).
Proof.
  intros c Hc. unfold no_pair_idle in Hc. apply in_map_iff in Hc. destruct Hc as [[a [u v]] [<- Ha]].
  cbn [fst snd]. destruct (satisfied_or_not (takes_part links t u v)) as [H|N]; [exact H|exfalso].
  apply idle_nodes in N. destruct N as [Nu Nv]. pose proof (link_may_call a u v Ha) as C.
  destruct settled_r as [[A D] S]. destruct (S ((u, v) :: r)) as [Le _].
  - split.
    + intros x y [E|H]; [injection E as <- <-; exact C|now apply A].
    + simpl. destruct C as [[_ [_ [Nuv _]]] _]. constructor; [|now constructor].
      intros [E|H]; [now symmetry in E|contradiction].
  - intros w [x H]. exists x. now right.
  - intros w [x H]. exists x. now right.
  - simpl in Le. lia.
Qed.

Lemma without_call (q : round) c : In c q -> exists rest, Permutation q (c :: rest).
Proof.
  intros H. destruct (in_split _ _ H) as [l1 [l2 ->]]. exists (l1 ++ l2).
  apply Permutation_sym, Permutation_middle.
Qed.

Lemma ends_permuted (q p : round) : Permutation q p -> Permutation (ends q) (ends p).
Proof. apply Permutation_flat_map. Qed.

Lemma no_detour_sound : named_model val (no_detour links t).
Proof.
  apply named_model_flat_map. intros [a [p q]] Ha.
  apply named_model_flat_map. intros [b [u q']] Hb. apply filter_In in Hb. destruct Hb as [Hb _].
  apply named_model_flat_map. intros [d [p' v]] Hd. apply filter_In in Hd. destruct Hd as [Hd _].
  cbn [fst snd]. intros c Hc.
  destruct ((q' =? q) &&& (p' =? p) &&& negb (u =? p) &&& negb (v =? q) &&& negb (u =? v)) eqn:E; [|destruct Hc].
  destruct Hc as [<-|[]]. rewrite !and_true, !negb_true_iff, !Nat.eqb_eq, !Nat.eqb_neq in E.
  destruct E as [[[[-> ->] Nup] Nvq] Nuv].
  destruct (satisfied_or_not ((false, Call t a) :: takes_part links t u v)) as [H|N]; [exact H|exfalso].
  assert (Pq : In (p, q) r).
  { apply (val_call G s t a p q Ha). apply (N false). now left. }
  destruct (idle_nodes u v) as [Iu Iv]; [intros x y H; apply N; now right|].
  destruct (without_call r (p, q) Pq) as [rest P]. pose proof (ends_permuted _ _ P) as PE.
  destruct settled_r as [[A D] S]. pose proof (Permutation_NoDup PE D) as D'.
  assert (Iu' : ~ In u (ends ((p, q) :: rest))) by (intros H; apply Iu; now apply (Permutation_in _ (Permutation_sym PE))).
  assert (Iv' : ~ In v (ends ((p, q) :: rest))) by (intros H; apply Iv; now apply (Permutation_in _ (Permutation_sym PE))).
  simpl in D', Iu', Iv'. inversion D' as [|? ? Np D1]; subst. inversion D1 as [|? ? Nq D2]; subst. simpl in Np.
  destruct (S ((u, q) :: (p, v) :: rest)) as [Le _].
  - split.
    + intros x y [E|[E|H]]; [injection E as <- <-; now apply (link_may_call b)
        |injection E as <- <-; now apply (link_may_call d)|].
      apply A. apply (Permutation_in _ (Permutation_sym P)). now right.
    + simpl. repeat constructor; simpl; intuition congruence.
  - intros w [x H]. apply (Permutation_in _ P) in H. destruct H as [E|H].
    + injection E as <- <-. exists v. right. now left.
    + exists x. right. now right.
  - intros w [x H]. apply (Permutation_in _ P) in H. destruct H as [E|H].
    + injection E as <- <-. exists u. now left.
    + exists x. right. now right.
  - apply Permutation_length in P. simpl in Le, P. unfold round in *. lia.
Qed.

Lemma less_at (x y : list bool) : forall j, length x = length y ->
  (forall i, i < j -> nth i x false = nth i y false) -> nth j x false = false -> nth j y false = true ->
  at_least x y = false.
Proof.
  revert y. induction x as [|a x IH]; intros [|b y] j E Same X Y; try discriminate; [now destruct j|].
  injection E as E. destruct j as [|j]; simpl in X, Y |- *.
  - subst. reflexivity.
  - pose proof (Same 0 ltac:(lia)) as H. simpl in H. subst b. rewrite eqb_reflx.
    apply (IH y j E); [|exact X|exact Y]. intros i Hi. apply (Same (S i)). lia.
Qed.

Lemma marks_at q i u v : nth_error (callable telegraph G) i = Some (u, v) ->
  nth i (marks q) false = told telegraph q u v.
Proof.
  intros H. unfold marks.
  pose proof (map_nth_error (fun p => told telegraph q (fst p) (snd p)) _ _ H) as E. cbn [fst snd] in E.
  now apply nth_error_nth.
Qed.

Lemma told_call q u v : told telegraph q u v = true <-> In (u, v) q.
Proof. rewrite told_spec. apply tells_call. Qed.

(** The first of the links of the calls exchanged makes the round larger. *)
Lemma larger_exchanged a b j i u v x y rest : Permutation r ((u, v) :: (x, y) :: rest) ->
  In (a, (u, v)) links -> In (b, (x, y)) links -> a < b -> v <> y -> u <> x ->
  In (j, (u, y)) links -> In (i, (x, v)) links -> j < a \/ i < a ->
  at_least (marks r) (marks ((u, y) :: (x, v) :: rest)) = false.
Proof.
  intros P Ha Hb Lab Nvy Nux Hj Hi Less. apply in_links in Ha, Hb, Hj, Hi.
  destruct settled_r as [Legal _].
  assert (Calls : forall w z, In (w, z) r <-> (w, z) = (u, v) \/ (w, z) = (x, y) \/ In (w, z) rest).
  { intros w z. split.
    - intros H. apply (Permutation_in _ P) in H. simpl in H. intuition.
    - intros H. apply (Permutation_in _ (Permutation_sym P)). simpl. intuition. }
  assert (New : ~ In (u, y) r /\ ~ In (x, v) r).
  { assert (U : In (u, v) r) by (apply Calls; auto). assert (X : In (x, y) r) by (apply Calls; auto).
    apply tells_call in U, X. split; intros H; apply tells_call in H.
    - now apply Nvy, (one_listener telegraph G r u).
    - now apply Nvy, (one_listener telegraph G r x v y). }
  assert (Same : forall k w z, k < a -> nth_error (callable telegraph G) k = Some (w, z) ->
    (w, z) <> (u, v) /\ (w, z) <> (x, y)).
  { intros n w z Hn H. split; intros E; rewrite E in H.
    - pose proof (same_place _ _ _ _ _ H Ha). lia.
    - pose proof (same_place _ _ _ _ _ H Hb). lia. }
  apply less_at with (j := Nat.min j i).
  - now rewrite !marks_length.
  - intros n Hn. destruct (nth_error (callable telegraph G) n) as [[w z]|] eqn:E.
    + rewrite !(marks_at _ n w z E). apply eq_iff_true. rewrite !told_call, Calls. simpl.
      destruct (Same n w z ltac:(lia) E) as [N1 N2].
      assert (N3 : (u, y) <> (w, z)) by (intros Q; rewrite <- Q in E; pose proof (same_place _ _ _ _ _ E Hj); lia).
      assert (N4 : (x, v) <> (w, z)) by (intros Q; rewrite <- Q in E; pose proof (same_place _ _ _ _ _ E Hi); lia).
      tauto.
    + apply nth_error_None in E. rewrite !nth_overflow by (rewrite marks_length; lia). reflexivity.
  - destruct (Nat.min_spec j i) as [[_ ->]|[_ ->]].
    + rewrite (marks_at _ _ _ _ Hj). apply not_true_is_false. rewrite told_call. tauto.
    + rewrite (marks_at _ _ _ _ Hi). apply not_true_is_false. rewrite told_call. tauto.
  - destruct (Nat.min_spec j i) as [[_ ->]|[_ ->]].
    + rewrite (marks_at _ _ _ _ Hj), told_call. now left.
    + rewrite (marks_at _ _ _ _ Hi), told_call. right. now left.
Qed.

Lemma link_place u v : among (map snd links) (u, v) = true -> In (place_of (u, v) (map snd links), (u, v)) links.
Proof.
  intros H. apply among_spec in H. apply place_of_spec in H. apply in_links. rewrite <- H. f_equal.
  unfold links. symmetry. clear. generalize (callable telegraph G) 0. induction l as [|c l IH]; intros n; [reflexivity|].
  simpl. now rewrite IH.
Qed.

Lemma no_exchange_sound : named_model val (no_exchange links t).
Proof.
  apply named_model_flat_map. intros [a [u v]] Ha. apply named_model_flat_map. intros [b [x y]] Hb.
  cbn [fst snd]. intros c Hc.
  destruct ((a <? b) &&& negb (u =? x) &&& negb (v =? y) &&& among (map snd links) (u, y)
    &&& among (map snd links) (x, v)
    &&& ((place_of (u, y) (map snd links) <? a) ||| (place_of (x, v) (map snd links) <? a))) eqn:E; [|destruct Hc].
  destruct Hc as [<-|[]].
  rewrite !and_true, or_true, !negb_true_iff, !Nat.eqb_neq, !Nat.ltb_lt in E.
  destruct E as [[[[[Lab Nux] Nvy] Huy] Hxv] Less]. apply link_place in Huy, Hxv.
  set (clause := [(false, Call t a); (false, Call t b)]).
  destruct (satisfied_or_not clause) as [H|N]; [exact H|exfalso].
  assert (Cu : In (u, v) r) by (apply (val_call G s t a u v Ha), (N false); now left).
  assert (Cx : In (x, y) r) by (apply (val_call G s t b x y Hb), (N false); right; now left).
  destruct (without_call r (u, v) Cu) as [q P].
  assert (Cx' : In (x, y) q).
  { apply (Permutation_in _ P) in Cx. destruct Cx as [Q|H]; [congruence|exact H]. }
  destruct (without_call q (x, y) Cx') as [rest P']. apply (perm_skip (u, v)) in P'.
  pose proof (Permutation_trans P P') as PP. clear P P' Cx' q.
  pose proof (larger_exchanged a b _ _ u v x y rest PP Ha Hb Lab Nvy Nux Huy Hxv Less) as Worse.
  destruct settled_r as [[A D] S]. destruct (S ((u, y) :: (x, v) :: rest)) as [_ Better].
  - split.
    + intros w z [Q|[Q|H]]; [injection Q as <- <-; now apply (link_may_call _ _ _ Huy)
        |injection Q as <- <-; now apply (link_may_call _ _ _ Hxv)|].
      apply A. apply (Permutation_in _ (Permutation_sym PP)). right. now right.
    + apply (Permutation_NoDup (l := ends r)); [|exact D].
      eapply perm_trans; [apply ends_permuted; exact PP|]. simpl. apply perm_skip.
      change [v; x; y] with ([v] ++ [x; y]).
      apply (perm_trans (l' := x :: v :: y :: ends rest)); [apply perm_swap|].
      apply (perm_trans (l' := x :: y :: v :: ends rest)); [apply perm_skip, perm_swap|].
      apply (perm_trans (l' := y :: x :: v :: ends rest)); [apply perm_swap|apply Permutation_refl].
  - intros w [z H]. apply (Permutation_in _ PP) in H. destruct H as [Q|[Q|H]].
    + injection Q as <- <-. exists y. now left.
    + injection Q as <- <-. exists v. right. now left.
    + exists z. right. now right.
  - intros w [z H]. apply (Permutation_in _ PP) in H. destruct H as [Q|[Q|H]].
    + injection Q as <- <-. exists x. right. now left.
    + injection Q as <- <-. exists u. now left.
    + exists z. right. now right.
  - rewrite Better in Worse; [discriminate|]. symmetry. now rewrite (Permutation_length PP).
Qed.

Lemma settled_sound : named_model val (settled_clauses t).
Proof.
  unfold settled_clauses. fold links. rewrite !named_model_app.
  split; [exact no_pair_idle_sound|]. split; [exact no_detour_sound|exact no_exchange_sound].
Qed.

End Settled.

End Round.
