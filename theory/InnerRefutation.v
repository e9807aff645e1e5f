(** One-way gossip by its inner rounds: the whole formula, clause for clause as schedsolve writes it
    (models/matching/claims/inner_rounds.py) where it excludes no numbers of calls by prices, its step 6.  A
    largest choice (InnerChoices.v) gives a model of it ([no_largest_choice]), so a refutation of it refutes the
    rounds ([inner_rounds_refuted]). *)

From Coq Require Import List Bool Arith NArith PArith Lia.
From Schedsolve Require Import Definitions Replay Checker Variables Symmetry Automorphisms Refutation.
From Schedsolve Require Import ItemsFormula Theorems Reversal Premises.
From Schedsolve Require Import InnerRounds InnerChoices InnerCounting InnerFormula InnerPlaces.
Import ListNotations.
Local Open Scope bool_scope.

Definition clauses_below (next : positive) (cs : list clause) : bool :=
  forallb (forallb (fun l => (snd l <? next)%positive)) cs.

Lemma clauses_below_spec next cs c : clauses_below next cs = true -> In c cs -> below next c.
Proof.
  unfold clauses_below. rewrite forallb_forall. intros H Hc l Hl. specialize (H c Hc).
  rewrite forallb_forall in H. now apply Pos.ltb_lt, H.
Qed.

(** A model stays one if other variables change. *)
Lemma model_same next a b cs : clauses_below next cs = true -> same_below next a b -> model a cs ->
  model b cs.
Proof.
  intros B S M c Hc. apply (satisfied_same next a b c);
    [now apply (clauses_below_spec next cs)|exact S|now apply M].
Qed.

Section Formula.
Variables (G : network) (k : nat).   (* rounds within *)

Let n := size G.
Let slots := N.of_nat k.
Let count := N.of_nat (length (callable telegraph G)).
Let kinds := N.of_nat n.

(* What is local here is computed once in the formula, and once in what is tested of it. *)
Definition rounds_clauses : list named_clause :=
  one_call_a_node telegraph G k ++ steps telegraph G (gossip_task G) k k.
Let held (t v i : nat) : positive := number slots count kinds kinds (Held t v i).

(** Places of items, places of takers, and whether there is such an item. *)
Let first_free : positive := free telegraph G n k k.
Let starts : variables := place_variables G first_free.
Let start_seconds : list positive := second_variables G first_free.
Let second_free : positive := snd (place_clauses G first_free).
Let stops : variables := place_variables (reverse G) second_free.
Let stop_seconds : list positive := second_variables (reverse G) second_free.
Let third_free : positive := snd (place_clauses (reverse G) second_free).
Let there : list positive := fresh third_free n.
Let last_free : positive := after_fresh third_free n.

(** At first only the nodes of its place hold an item; at a pair it has the number of the smaller node. *)
Definition begin_clauses (starts : variables) : list clause :=
  flat_map (fun v => flat_map (fun i =>
    if v =? i then []
    else [(false, held 0 v i) :: map (pair true) (those (same_token (Pair i v)) starts)]) (seq 0 n))
      (seq 0 n).

(** At last a node of each taker's place holds each item that there is. *)
Definition end_clauses (starts stops : variables) (there : list positive) : list clause :=
  map (fun q => [(false, snd q); (true, nth (item_of (fst q)) there 1%positive)]) starts
  ++ flat_map (fun q => map (fun i =>
    (false, snd q) :: (false, nth i there 1%positive) :: map (fun v => (true, held k v i)) (nodes_of (fst q)))
    (seq 0 n)) stops.

Let links : list token := pairs G.
Let moved_links (l : list node) : list token := map (moved_token (image l)) links.
Let vector_variables : list positive := start_seconds ++ those is_pair starts.

Let compared (vs : variables) (seconds : list positive) (l : list node) : list (positive * positive) :=
  combine vector_variables
    (map (fun v => of_node seconds (image l v)) (seq 0 n) ++ map (variable_at vs) (moved_links l)).

Let identity : list node := seq 0 n.

Let all_compared (images : list (list node)) : list (list (positive * positive)) :=
  map (compared starts start_seconds) images
  ++ if directed G then [] else map (compared stops stop_seconds) (identity :: images).

Definition inner_formula (images : list (list node)) : list clause :=
  (map (numbered slots count kinds kinds) rounds_clauses
   ++ fst (place_clauses G first_free) ++ fst (place_clauses (reverse G) second_free)
   ++ begin_clauses starts ++ end_clauses starts stops there)
  ++ symmetry_clauses last_free (all_compared images).

(** All that is tested before the proof is read: automorphisms are such, and variables have the right
      numbers. *)
Definition inner_fits (images : list (list node)) : bool :=
  (0 <? n)
  &&& forallb (is_automorphism telegraph G) (identity :: images)
  &&& forallb (forallb (fun l => fits slots count kinds kinds (snd l))) rounds_clauses
  &&& forallb (fun t => forallb (fun v => forallb (fun i =>
        fits slots count kinds kinds (Held t v i) &&& (held t v i <? first_free)%positive) (seq 0 n))
          (seq 0 n)) [0; k]
  &&& clauses_below first_free (map (numbered slots count kinds kinds) rounds_clauses)
  &&& clauses_below second_free (fst (place_clauses G first_free))
  &&& clauses_below third_free (fst (place_clauses (reverse G) second_free))
  &&& clauses_below last_free (begin_clauses starts ++ end_clauses starts stops there)
  &&& forallb (forallb (fun p => (fst p <? last_free)%positive &&& (snd p <? last_free)%positive))
    (all_compared images)
  &&& forallb (fun l => forallb (has_variable starts) (moved_links l)) images
  &&& (directed G ||| forallb (fun l => forallb (has_variable stops) (moved_links l)) (identity :: images)).

(** ** What a choice makes of the variables *)

Variable c : choice.
Hypothesis largest_c : largest (half G) k G c.

Let least_c : least_alone (half G) k G c := proj1 largest_c.
Let chosen_c : chosen (half G) k G c := proj1 least_c.

Let at_start := says_token n (givers c) (opening c).
Let at_stop := says_token n (takers c) (map turned (closing c)).
Let sched := within_rounds c.

Definition known_first (v : node) (i : item) : bool :=
  existsb (fun t => at_start t &&& (item_of t =? i) &&& one_of (nodes_of t) v) (tokens G).
Definition is_there (i : item) : bool := existsb (fun t => at_start t &&& (item_of t =? i)) (tokens G).

Let T : task := Task n known_first (fun _ _ => false).

Lemma sched_legal : legal telegraph G sched.
Proof. destruct chosen_c as [_ [_ [L _]]]. apply legal_framed in L. apply L. Qed.

Lemma sched_length : length sched = k.
Proof. apply chosen_c. Qed.

Lemma sched_solves : solves telegraph G T sched.
Proof. split; [exact sched_legal|]. intros v i _ _ E. discriminate. Qed.

Lemma rounds_sound : named_model (says telegraph G T sched) rounds_clauses.
Proof.
  assert (R : forall t, t < k -> t mod k < k /\ forall u v,
    tells telegraph (nth t sched []) u v <-> tells telegraph (nth (t mod k) sched []) u v).
  { intros t Ht. rewrite Nat.mod_small by exact Ht. split; [exact Ht|]. tauto. }
  unfold rounds_clauses. apply named_model_app. split.
  - exact (one_call_sound telegraph G T k k sched sched_length sched_solves R (le_n k)).
  - exact (steps_sound telegraph G T k k sched sched_length sched_solves R (le_n k)).
Qed.

Lemma legal_ends : legal_round telegraph G (opening c) /\ legal_round telegraph (reverse G)
  (map turned (closing c)).
Proof.
  destruct chosen_c as [_ [_ [L _]]]. apply legal_framed in L. destruct L as [Lo [_ Lc]]. split; [exact Lo|].
  assert (B : legal telegraph (reverse G) (backward [closing c])).
  { apply legal_backward. intros q [<-|[]]. exact Lc. }
  apply B. now left.
Qed.

Lemma known_last v i x t : In t (tokens G) -> at_start t = true -> item_of t = i -> In x (nodes_of t) ->
  flow telegraph sched x v -> v < n -> says telegraph G T sched (Held k v i) = true.
Proof.
  intros Ht St E Hx F Hv.
  apply (says_held telegraph G T sched sched_solves k v i Hv).
  unfold knows. rewrite <- sched_length at 1. rewrite firstn_all. apply after_flow. exists x.
  split; [|exact F].
  apply existsb_exists. exists t. split; [exact Ht|]. rewrite !and_true, one_of_spec, Nat.eqb_eq. auto.
Qed.

Section Model.
Variable b : assignment.
Hypothesis start_means : means b starts at_start.
Hypothesis second_means : of_nodes b start_seconds n (second (givers c) (opening c)).
Hypothesis stop_means : means b stops at_stop.
Hypothesis there_means : map b there = map is_there (seq 0 n).
Hypothesis held_means : forall t v i, t = 0 \/ t = k -> v < n -> i < n ->
  b (held t v i) = says telegraph G T sched (Held t v i).

Lemma begin_sound : model b (begin_clauses starts).
Proof.
  intros d Hd. unfold begin_clauses in Hd. apply in_flat_map in Hd. destruct Hd as [v [Hv Hd]].
  apply in_flat_map in Hd. destruct Hd as [i [Hi Hd]]. apply in_seq in Hv, Hi.
  destruct (Nat.eqb_spec v i) as [|N]; [destruct Hd|]. destruct Hd as [<-|[]].
  destruct (b (held 0 v i)) eqn:B; [|exists (false, held 0 v i); split; [now left|exact B]].
  rewrite held_means in B by (auto; lia).
  apply (says_held telegraph G T sched sched_solves 0 v i) in B; [|lia].
  unfold knows in B. simpl in B. apply existsb_exists in B. destruct B as [t [Ht B]].
  rewrite !and_true, one_of_spec, Nat.eqb_eq in B. destruct B as [[St E] Hn].
  destruct t as [u w|u w|w]; simpl in E, Hn; subst; [|destruct Hn as [->|[]]; congruence..].
  destruct Hn as [->|[->|[]]]; [congruence|].
  destruct (variable_of G first_free _ Ht) as [x Hx]. exists (true, x). split.
  - right. apply in_map. apply in_those. exists (Pair i v). split; [exact Hx|now apply same_token_spec].
  - exact (eq_trans (start_means _ Hx) St).
Qed.

Lemma there_at i : i < n -> b (nth i there 1%positive) = is_there i.
Proof.
  intros Hi. transitivity (nth i (map b there) (b 1%positive)); [now rewrite map_nth|].
  rewrite there_means. rewrite (nth_indep _ _ (is_there 0)) by now rewrite map_length, seq_length.
  rewrite map_nth. now rewrite seq_nth.
Qed.

Lemma item_inside t : In t (tokens G) -> item_of t < n.
Proof. intros Ht. destruct (token_inside G t Ht) as [I _]. apply I. destruct t; simpl; auto. Qed.

Lemma end_sound : model b (end_clauses starts stops there).
Proof.
  unfold end_clauses. apply model_app. split.
  - intros d Hd. apply in_map_iff in Hd. destruct Hd as [q [<- Hq]].
    pose proof (token_in G first_free q Hq) as Ht.
    destruct (b (snd q)) eqn:B; [|exists (false, snd q); split; [now left|exact B]].
    exists (true, nth (item_of (fst q)) there 1%positive). split; [right; now left|].
    unfold holds. simpl. rewrite there_at by now apply item_inside. apply existsb_exists. exists (fst q).
    split; [exact Ht|]. rewrite and_true, Nat.eqb_refl, <- (start_means q Hq). auto.
  - intros d Hd. apply in_flat_map in Hd. destruct Hd as [q [Hq Hd]]. apply in_map_iff in Hd.
    destruct Hd as [i [<- Hi]]. apply in_seq in Hi.
    destruct (b (snd q)) eqn:B; [|exists (false, snd q); split; [now left|exact B]].
    destruct (b (nth i there 1%positive)) eqn:E;
      [|exists (false, nth i there 1%positive); split; [right; now left|exact E]].
    rewrite there_at in E by lia. apply existsb_exists in E. destruct E as [t [Ht E]].
    rewrite and_true, Nat.eqb_eq in E. destruct E as [St Et]. rewrite (stop_means q Hq) in B.
    destruct chosen_c as [_ [_ [L [_ F]]]].
    destruct (reached G (givers c) (takers c) (opening c) sched (closing c) t (fst q) L F St B)
      as [x [y [Hx [Hy Fl]]]].
    assert (Ly : y < n).
    { apply (proj1 (token_inside (reverse G) (fst q) (token_in (reverse G) second_free q Hq))), Hy. }
    exists (true, held k y i). split; [right; right; apply in_map_iff; now exists y|].
    unfold holds. simpl. rewrite held_means by (auto; lia). now apply (known_last y i x t).
Qed.

Lemma compared_sound vs seconds O r l : means b vs (says_token n O r) ->
  of_nodes b seconds n (second O r) -> (forall v, v < n -> image l v < n) ->
  forallb (has_variable vs) (moved_links l) = true ->
  at_least (vector G c) (image_vector G (image l) O r) = true -> values b (compared vs seconds l) = true.
Proof.
  intros M Sec In_l H A. rewrite forallb_forall in H. unfold values, compared.
  assert (Vector : map b vector_variables = vector G c).
  { unfold vector_variables, vector, says_vector. rewrite map_app. f_equal; [exact second_means|].
    rewrite (those_values b at_start is_pair starts start_means). unfold starts. now rewrite tokens_of, only_pairs. }
  assert (Len : length vector_variables
    = length (map (fun v => of_node seconds (image l v)) (seq 0 n) ++ map (variable_at vs) (moved_links l))).
  { rewrite <- (map_length b vector_variables), Vector. unfold vector, says_vector, moved_links, links.
    now rewrite !app_length, !map_length. }
  rewrite <- (map_map fst b), <- (map_map snd b), first_of_combine, second_of_combine by exact Len.
  rewrite <- A, Vector. f_equal. unfold image_vector, says_vector. rewrite map_app, !map_map. f_equal.
  - apply map_ext_in. intros v Hv. apply in_seq in Hv. apply (of_node_value b seconds n); [exact Sec|].
    apply In_l. lia.
  - unfold moved_links, links in *. rewrite map_map. apply map_ext_in. intros t Ht. apply variable_means; [exact M|].
    apply H. now apply in_map.
Qed.

End Model.

Theorem no_largest_choice images proof : inner_fits images = true -> refuted_by (inner_formula images)
  proof = true -> False.
Proof.
  unfold inner_fits. rewrite !and_true, or_true. cbv beta.
  intros [[[[[[[[[[Some_node A] F] Hold] B0] B1] B2] B3] B4] V1] V2] Refuted.
  apply Nat.ltb_lt in Some_node. rewrite forallb_forall in A, B4, V1, Hold.
  destruct legal_ends as [Lo Lc]. destruct chosen_c as [SO [SD _]].
  set (a := of_names slots count kinds kinds (says telegraph G T sched)).
  destruct (place_clauses_sound G (givers c) (opening c) first_free Some_node Lo SO) with (a := a)
    as [b1 [S1 [M1 [N1 C1]]]].
  { intros u v Au Arc. now apply (alone_next_to_places (half G) k G c u v least_c). }
  destruct (place_clauses_sound (reverse G) (takers c) (map turned (closing c)) second_free Some_node Lc SD)
    with (a := b1) as [b2 [S2 [M2 [N2 C2]]]].
  { intros u v Au Arc. apply (alone_next_to_places (half G) k (reverse G) (back c) u v);
      [now apply least_back|exact Au|exact Arc]. }
  destruct (fresh_values (map is_there (seq 0 n)) third_free b2) as [b [S3 E3]].
  rewrite map_length, seq_length in E3. fold there in E3.
  assert (Le1 : (first_free <= second_free)%positive) by apply place_clauses_next.
  assert (Le2 : (second_free <= third_free)%positive) by apply place_clauses_next.
  assert (Sb1 : same_below second_free b1 b).
  { intros x Hx. rewrite S3 by lia. now apply S2. }
  assert (Sa : same_below first_free a b).
  { intros x Hx. rewrite Sb1 by lia. now apply S1. }
  assert (Mb1 : means b starts at_start).
  { intros q Hq. rewrite Sb1; [now apply M1|]. now apply (place_variables_below G first_free). }
  assert (Mb2 : means b stops at_stop).
  { intros q Hq. rewrite S3; [now apply M2|]. now apply (place_variables_below (reverse G) second_free). }
  assert (Nb1 : of_nodes b start_seconds n (second (givers c) (opening c))).
  { unfold of_nodes. fold n in N1. rewrite <- N1. apply map_ext_in. intros x Hx.
    apply Sb1. now apply (second_variables_below G first_free). }
  assert (Nb2 : of_nodes b stop_seconds n (second (takers c) (map turned (closing c)))).
  { unfold of_nodes. change (size (reverse G)) with n in N2. rewrite <- N2. apply map_ext_in. intros x Hx.
    apply S3. now apply (second_variables_below (reverse G) second_free). }
  assert (Held_b : forall t v i, t = 0 \/ t = k -> v < n -> i < n ->
    b (held t v i) = says telegraph G T sched (Held t v i)).
  { intros t v i Ht Hv Hi. specialize (Hold t ltac:(simpl; intuition)). rewrite forallb_forall in Hold.
    specialize (Hold v ltac:(apply in_seq; lia)). rewrite forallb_forall in Hold.
    specialize (Hold i ltac:(apply in_seq; lia)). rewrite and_true in Hold. destruct Hold as [Fit Low].
    apply Pos.ltb_lt in Low. rewrite Sa by exact Low. unfold a, of_names, held. now rewrite named_number. }
  destruct (symmetry_clauses_sound (all_compared images) last_free
    (map (numbered slots count kinds kinds) rounds_clauses
     ++ fst (place_clauses G first_free) ++ fst (place_clauses (reverse G) second_free)
     ++ begin_clauses starts ++ end_clauses starts stops there) b) as [d [_ Md]].
  - intros pairs Hp p Hq. specialize (B4 pairs Hp). rewrite forallb_forall in B4. specialize (B4 p Hq).
    now rewrite and_true, !Pos.ltb_lt in B4.
  - pose proof (after_fresh_le n third_free) as Le3. fold last_free in Le3.
    intros d Hd l Hl. apply in_app_or in Hd.
    destruct Hd as [Hd|Hd]; [|apply in_app_or in Hd; destruct Hd as [Hd|Hd];
      [|apply in_app_or in Hd; destruct Hd as [Hd|Hd]]].
    + pose proof (clauses_below_spec _ _ d B0 Hd l Hl). lia.
    + pose proof (clauses_below_spec _ _ d B1 Hd l Hl). lia.
    + pose proof (clauses_below_spec _ _ d B2 Hd l Hl). lia.
    + exact (clauses_below_spec _ _ d B3 Hd l Hl).
  - intros pairs Hp. unfold all_compared in Hp. apply in_app_or in Hp.
    assert (Auto : forall l, In l (identity :: images) -> automorphism telegraph G (image l)
      (image (inverse n l))).
    { intros l Hl. now apply is_automorphism_spec, A. }
    assert (Stay : forall l, In l (identity :: images) -> forall v, v < n -> image l v < n).
    { intros l Hl v Hv. destruct (Auto l Hl) as [B _]. now apply B. }
    destruct Hp as [Hp|Hp].
    + apply in_map_iff in Hp. destruct Hp as [l [<- Hl]].
      apply (compared_sound b Mb1 Nb1 starts start_seconds _ _ l Mb1 Nb1 (Stay l (or_intror Hl)) (V1 l Hl)).
      now apply (largest_among_images (half G) k G _ _ c (Auto l (or_intror Hl)) largest_c).
    + case_eq (directed G); intros U; rewrite U in Hp; [destruct Hp|]. apply in_map_iff in Hp. destruct Hp as [l [<- Hl]].
      destruct V2 as [V2|V2]; [congruence|]. rewrite forallb_forall in V2.
      apply (compared_sound b Mb1 Nb1 stops stop_seconds _ _ l Mb2 Nb2 (Stay l Hl) (V2 l Hl)).
      now apply (largest_among_images (half G) k G _ _ c (Auto l Hl) largest_c).
  - rewrite !model_app. split; [|split; [|split; [|split]]].
    + apply (model_same first_free a b _ B0 Sa). now apply numbered_model, rounds_sound.
    + apply (model_same second_free b1 b _ B1 Sb1 C1).
    + apply (model_same third_free b2 b _ B2 S3 C2).
    + now apply begin_sound.
    + now apply end_sound.
  - exact (refuted_sound _ _ _ Refuted Md).
Qed.

End Formula.

Definition refutes_inner (G : network) (M : nat) (images : list (list node)) (proof : list N) : bool :=
  (4 <=? M) &&& inner_fits G (M - 4) images &&& refuted_by (inner_formula G (M - 4) images) proof.

Theorem inner_rounds_refuted G M images proof : refutes_inner G M images proof = true ->
  ~ gossip telegraph G M.
Proof.
  unfold refutes_inner. rewrite !and_true, Nat.leb_le. intros [[L F] R].
  replace M with (4 + (M - 4)) by lia. apply inner_choices_refuted. intros c C.
  exact (no_largest_choice G (M - 4) c C images proof F R).
Qed.
