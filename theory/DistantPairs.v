(** Gossip refuted by some of its pairs of nodes: the formula "the items of these nodes reach those within M
    rounds", clause for clause as schedsolve writes it (models/matching/claims/distant_pairs.py).  Of a node and an
    item it asks only in the rounds between its distance from the item's own node and the last in which it is of
    use to some goal that it learns the item.  Every gossip gives a model ([pairs_formula_sound]), whichever the
    pairs are; so if the formula is refuted, so many rounds do not suffice ([distant_pairs_refuted]). *)

From Coq Require Import List Bool Arith NArith PArith Lia FMapPositive.
From Schedsolve Require Import Definitions Replay Checker Variables Symmetry Automorphisms.
From Schedsolve Require Import ItemsFormula Counting Refutation Theorems Reversal.
Import ListNotations.
Local Open Scope bool_scope.

(** ** Distances, as far as M rounds go *)

Definition distance_map := Map.t nat.

(** What is not in the map is too far. *)
Definition distance (far : nat) (d : distance_map) (v : node) : nat :=
  match Map.find (key v) d with Some k => k | None => far end.

(** Neighbours of nodes at distance k that were not met before get distance k + 1. *)
Fixpoint spread (next : node -> list node) (fuel k : nat) (front : list node) (d : distance_map) :
  distance_map :=
  match fuel with
  | 0 => d
  | S fuel' =>
    let step := fold_left (fun found v =>
      match Map.find (key v) (snd found) with
      | Some _ => found
      | None => (v :: fst found, Map.add (key v) (S k) (snd found))
      end) (flat_map next front) ([], d) in
    spread next fuel' (S k) (fst step) (snd step)
  end.

Definition distances_from (next : node -> list node) (far : nat) (starts : list node) : distance_map :=
  spread next far 0 starts (fold_left (fun d v => Map.add (key v) 0 d) starts (Map.empty nat)).

Section Formula.
Variables (m : mode) (G : network) (M : nat) (pairs : list (node * node)).

(** The items that are followed, each once, in the order in which they are named; and the nodes to reach. *)
Definition followed : list item :=
  rev (fold_left (fun met p => if one_of met (fst p) then met else fst p :: met) pairs []).
Definition goals (i : item) : list node := map snd (filter (fun p => fst p =? i) pairs).

(** How far a node is from the item's own node, and how far the nearest goal is from it. *)
Record asked := Asked { of_item : item; from_item : distance_map; to_goal : distance_map }.

Definition all_asked (arcs : list (node * node)) : list asked :=
  let forwards := table_of arcs in
  let backwards := table_of (map turned arcs) in
  map (fun i => Asked i (distances_from (next_in forwards) (S M) [i])
    (distances_from (next_in backwards) (S M) (goals i))) followed.

(** Distances that are right: the item's own node is at none, and no arc leads over two. *)
Definition right_distances (arcs : list (node * node)) (w : asked) : bool :=
  (distance (S M) (from_item w) (of_item w) =? 0)
  &&& forallb (fun a => (distance (S M) (from_item w) (snd a) <=? S (distance (S M) (from_item w) (fst a)))
    &&& (distance (S M) (to_goal w) (fst a) <=? S (distance (S M) (to_goal w) (snd a)))) arcs.

Definition in_window (w : asked) (v : node) (t : nat) : bool :=
  negb (v =? of_item w) &&& (distance (S M) (from_item w) v <=? t)
  &&& (t + distance (S M) (to_goal w) v <=? M).

(** ** The formula *)

(** A node that holds the item after round t + 1 held it before, if that is asked, or is called by a node that
    did, if that is asked, or by its own node. *)
Definition learnt (w : asked) (v : node) (told_by : list (nat * node)) (t : nat) : list named_clause :=
  let i := of_item w in
  let unless := (false, Held (S t) v i) :: if in_window w v t then [(true, Held t v i)] else [] in
  map (fun p => unless ++ [(false, Call t (fst p)); (true, Held t (snd p) i)])
    (filter (fun p => negb (snd p =? i) &&& in_window w (snd p) t) told_by)
  ++ [unless ++ map (fun p => (true, Call t (fst p)))
    (filter (fun p => (snd p =? i) ||| in_window w (snd p) t) told_by)].

Definition of_node (w : asked) (p : node * list (nat * node)) : list named_clause :=
  let d := distance (S M) (from_item w) (fst p) in
  let r := distance (S M) (to_goal w) (fst p) in
  flat_map (learnt w (fst p) (snd p))
    (filter (fun t => negb (fst p =? of_item w) &&& (d <=? S t) &&& (S t + r <=? M)) (seq 0 M)).

Definition pairs_formula : list named_clause :=
  let links := placed 0 (callable m G) in
  let table := tabulated G (callers_in m links) in
  one_call_a_node m G M
  ++ flat_map (fun w => flat_map (of_node w) table) (all_asked (callable telegraph G))
  ++ map (fun p => [(true, Held M (snd p) (fst p))]) pairs.

Definition pairs_fit : bool :=
  let arcs := callable telegraph G in
  forallb (fun p => (fst p <? size G) &&& (snd p <? size G)) pairs
  &&& forallb (right_distances arcs) (all_asked arcs).

(** ** Every gossip gives a model *)

Variable s : schedule.
Hypothesis rounds : length s = M.
Hypothesis solved : solves m G (gossip_task G) s.
Hypothesis fit : pairs_fit = true.

Let T := gossip_task G.
Let says := says m G T s.
Let knows := knows m T s.

Lemma own_rounds_repeated : forall t, t < M -> t mod M < M /\
  forall u v, tells m (nth t s []) u v <-> tells m (nth (t mod M) s []) u v.
Proof. intros t H. rewrite Nat.mod_small by exact H. split; [exact H|reflexivity]. Qed.

Let calling_node := callers_complete m G T M M s rounds solved own_rounds_repeated (le_n M).
Let calls_it := says_caller m G T M M s rounds solved own_rounds_repeated (le_n M).

Lemma right_of w : In w (all_asked (callable telegraph G)) ->
  distance (S M) (from_item w) (of_item w) = 0 /\
  forall u v, arc G u v -> distance (S M) (from_item w) v <= S (distance (S M) (from_item w) u) /\
    distance (S M) (to_goal w) u <= S (distance (S M) (to_goal w) v).
Proof.
  intros H. unfold pairs_fit in fit. cbv zeta in fit. rewrite and_true, !forallb_forall in fit.
  destruct fit as [_ R]. specialize (R w H). unfold right_distances in R.
  rewrite and_true, Nat.eqb_eq, forallb_forall in R. destruct R as [Z R]. split; [exact Z|].
  intros u v A. specialize (R (u, v)). simpl fst in R. simpl snd in R.
  rewrite and_true, !Nat.leb_le in R. apply R. apply callable_spec.
  split; [split; [exact A|discriminate]|discriminate].
Qed.

Lemma known_late w t v : In w (all_asked (callable telegraph G)) -> t <= M -> v < size G ->
  knows t v (of_item w) -> distance (S M) (from_item w) v <= t.
Proof.
  intros H Ht Hv K. destruct (right_of w H) as [Z R].
  replace t with (length (firstn t s) + 0) by (rewrite firstn_length; lia).
  apply (distance_window m G (firstn t s) (of_item w) (distance (S M) (from_item w))
    (firstn_legal m G T s solved t) (fun u j => start T u j = true)); auto.
  - intros u Hu Su. simpl in Su. apply Nat.eqb_eq in Su. subst u. lia.
  - intros u x A. now apply R.
Qed.

(** Where it is not asked whether a node holds an item, it does not, or too late. *)
Lemma window_before w v u t : In w (all_asked (callable telegraph G)) -> S t <= M -> u < size G ->
  in_window w v (S t) = true -> (u = v \/ arc G u v) -> knows t u (of_item w) -> u <> of_item w ->
  in_window w u t = true.
Proof.
  intros H Ht Hu W A K N. pose proof (known_late w t u H ltac:(lia) Hu K) as L.
  destruct (right_of w H) as [Z R]. unfold in_window in W |- *.
  rewrite !and_true, !Nat.leb_le in W |- *. destruct W as [[_ _] W].
  assert (E : negb (u =? of_item w) = true) by now apply negb_true_iff, Nat.eqb_neq.
  destruct A as [->|A]; [repeat split; auto; lia|]. destruct (R u v A) as [_ B]. repeat split; auto; lia.
Qed.

Lemma learnt_sound w v t : In w (all_asked (callable telegraph G)) -> S t <= M -> v < size G ->
  in_window w v (S t) = true -> named_model says (learnt w v (callers m G v) t).
Proof.
  intros H Ht Hv W. set (i := of_item w).
  assert (D : (says (Held (S t) v i) = false \/ (in_window w v t = true /\ says (Held t v i) = true)) \/
    exists u a, In (a, u) (callers m G v) /\ says (Call t a) = true /\ u < size G /\ knows t u i /\
      (u =? i) ||| in_window w u t = true /\ (forall b x, In (b, x) (callers m G v) ->
        says (Call t b) = true -> x = u)).
  { destruct (says (Held (S t) v i)) eqn:Now; [|auto].
    apply (says_held m G T s solved) in Now; [|exact Hv].
    apply (knows_next m T M M s rounds (le_n M)) in Now; [|lia]. destruct Now as [Now|[u [Tu Ku]]].
    - left; right. split; [|now apply (says_held m G T s solved)].
      destruct (Nat.eq_dec v i) as [E|N].
      + exfalso. unfold in_window in W. subst i. rewrite E, Nat.eqb_refl in W. discriminate.
      + apply (window_before w v v t); auto.
    - right. assert (L : legal_round m G (nth t s [])) by (apply solved, nth_In; lia).
      pose proof (legal_tells _ _ _ _ _ L Tu) as C. pose proof C as [Arc _].
      destruct (calling_node v u C) as [a Ha]. exists u, a. split; [exact Ha|].
      split; [now apply (calls_it t v a u Ha)|]. split; [apply Arc|]. split; [exact Ku|]. split.
      + apply or_true. destruct (Nat.eq_dec u i) as [E|N]; [left; now apply Nat.eqb_eq|right].
        apply (window_before w v u t); auto. apply Arc.
      + intros b x Hb Cb. apply (calls_it t v b x Hb) in Cb.
        now apply (one_speaker m G (nth t s []) x u v). }
  intros c Hc. unfold learnt in Hc. cbv zeta in Hc. fold i in Hc.
  destruct D as [[D|[Wt D]]|[u [a [Ha [Ca [Hu [Ku [Wu Only]]]]]]]].
  - exists false, (Held (S t) v i). split; [|exact D]. apply in_app_or in Hc.
    destruct Hc as [Hc|[<-|[]]]; [|now left]. apply in_map_iff in Hc. destruct Hc as [p [<- _]]. now left.
  - exists true, (Held t v i). split; [|exact D]. rewrite Wt in Hc. apply in_app_or in Hc.
    destruct Hc as [Hc|[<-|[]]]; [|right; now left]. apply in_map_iff in Hc. destruct Hc as [p [<- _]].
    right; now left.
  - apply in_app_or in Hc. destruct Hc as [Hc|[<-|[]]].
    + apply in_map_iff in Hc. destruct Hc as [[b x] [<- Hb]]. apply filter_In in Hb. destruct Hb as [Hb _].
      simpl. destruct (says (Call t b)) eqn:Cb.
      * exists true, (Held t x i). split; [right; apply in_or_app; right; simpl; auto|].
        rewrite (Only b x Hb Cb). apply (says_held m G T s solved); [exact Hu|exact Ku].
      * exists false, (Call t b). split; [right; apply in_or_app; right; simpl; auto|exact Cb].
    + exists true, (Call t a). split; [|exact Ca]. right. apply in_or_app. right. apply in_map_iff.
      exists (a, u). split; [reflexivity|]. apply filter_In. split; [exact Ha|exact Wu].
Qed.

Theorem pairs_formula_sound : named_model says pairs_formula.
Proof.
  unfold pairs_formula. cbv zeta. rewrite !named_model_app. split; [|split].
  - exact (one_call_sound m G T M M s rounds solved own_rounds_repeated (le_n M)).
  - apply named_model_flat_map. intros w Hw. apply named_model_flat_map. intros [v l] Hv.
    apply in_tabulated in Hv. destruct Hv as [Hv E]. simpl in Hv, E. subst l.
    apply named_model_flat_map. intros t Ht. apply filter_In in Ht. destruct Ht as [Ht W].
    apply in_seq in Ht. now apply learnt_sound.
  - intros c Hc. apply in_map_iff in Hc. destruct Hc as [[i j] [<- Hp]]. simpl.
    unfold pairs_fit in fit. cbv zeta in fit. rewrite and_true, forallb_forall in fit.
    destruct fit as [In_G _]. specialize (In_G (i, j) Hp). rewrite and_true, !Nat.ltb_lt in In_G.
    destruct In_G as [Hi Hj]. simpl in Hi, Hj. exists true, (Held M j i). split; [now left|].
    apply (says_held m G T s solved); [exact Hj|]. unfold ItemsFormula.knows. rewrite <- rounds, firstn_all.
    apply solved; auto.
Qed.

End Formula.

Definition refutes_pairs (m : mode) (G : network) (M : nat) (pairs : list (node * node)) (proof : list N) :
  bool :=
  let f := pairs_formula m G M pairs in
  pairs_fit G M pairs &&& numbers_fit m G (size G) M M f []
  &&& refuted_by (full_formula m G (size G) M M f []) proof.

Theorem distant_pairs_refuted m G M pairs proof :
  refutes_pairs m G M pairs proof = true -> ~ gossip m G M.
Proof.
  unfold refutes_pairs. rewrite !and_true. intros [[F N] R] [s [E S]].
  apply (no_solution m G (size G) M M (pairs_formula m G M pairs) schedule
    (fun s => length s = M /\ solves m G (gossip_task G) s) (fun s => says m G (gossip_task G) s)
    (fun _ s => s) []) with (proof := proof) (x := s); auto;
    try (intros ? []; fail); try (intros ? ? []; fail).
  - intros x [Ex Sx]. now apply pairs_formula_sound.
  - intros l x k p [].
Qed.
