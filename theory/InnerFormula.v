(** One-way gossip by its inner rounds: the clauses of the places at one end, clause for clause as schedsolve
    writes them (models/matching/claims/inner_rounds.py), and that the places of half of the nodes satisfy them,
    where from a node that is alone every arc leads to another place ([place_clauses_sound]). *)

From Coq Require Import List Bool Arith NArith PArith Lia FinFun.
From Schedsolve Require Import Definitions Replay Checker Variables Symmetry Automorphisms Refutation.
From Schedsolve Require Import ItemsFormula Theorems Reversal Premises InnerRounds InnerChoices InnerCounting.
Import ListNotations.
Local Open Scope bool_scope.

(** ** The clauses of the places *)

Definition variables := list (token * positive).

Definition place_variables (H : network) (next : positive) : variables :=
  combine (tokens H) (fresh next (length (tokens H))).

Definition is_pair (t : token) : bool := match t with Pair _ _ => true | _ => false end.
Definition is_merged (t : token) : bool := match t with Merged _ _ => true | _ => false end.

(** The variables of some places. *)
Definition those (kind : token -> bool) (vs : variables) : list positive :=
  map snd (filter (fun q => kind (fst q)) vs).

Definition taken (vs : variables) (v : node) : list positive :=
  those (fun t => negb (is_alone t) &&& touches t v) vs.
Definition alone_variable (vs : variables) (v : node) : list positive :=
  those (fun t => is_alone t &&& touches t v) vs.

Definition counted_variables (vs : variables) : list positive :=
  those is_pair vs ++ those is_merged vs ++ those is_merged vs ++ those is_alone vs.

Definition disjoint_clauses (H : network) (vs : variables) : list clause :=
  flat_map (fun v => one_at_most (taken vs v ++ alone_variable vs v)) (seq 0 (size H)).

(** From a node that is alone every arc leads to one that is taken. *)
Definition next_to_places (H : network) (vs : variables) : list clause :=
  map (fun p => map (pair false) (alone_variable vs (fst p)) ++ map (pair true) (taken vs (snd p)))
    (callable telegraph H).

(** All that is said of the places at one end, and the first variable that is free after them. *)
Definition place_clauses (H : network) (next : positive) : list clause * positive :=
  let vs := place_variables H next in
  match counted (half H) (after_fresh next (length (tokens H))) [] (counted_variables vs) with
  | (clauses, enough, free) =>
    (disjoint_clauses H vs ++ clauses ++ [map (pair true) (last_one enough)] ++ next_to_places H vs, free)
  end.

(** ** What the places say *)

Definition means (b : assignment) (vs : variables) (says : token -> bool) : Prop :=
  forall q, In q vs -> b (snd q) = says (fst q).

Lemma means_combine b (says : token -> bool) l : forall xs, map b xs = map says l -> means b (combine l xs)
  says.
Proof.
  induction l as [|t l IH]; intros [|x xs] E q Hq; try discriminate; simpl in *; try tauto.
  injection E as E1 E2. destruct Hq as [<-|Hq]; [exact E1|now apply (IH xs)].
Qed.

Lemma in_those kind vs x : In x (those kind vs) <-> exists t, In (t, x) vs /\ kind t = true.
Proof.
  unfold those. rewrite in_map_iff. split.
  - intros [[t y] [<- H]]. apply filter_In in H. now exists t.
  - intros [t [H K]]. exists (t, x). split; [reflexivity|]. now apply filter_In.
Qed.

Lemma first_of_combine {A B} (l : list A) : forall k : list B, length l = length k -> map fst (combine l k)
  = l.
Proof.
  induction l as [|x l IH]; intros [|y k] E; try discriminate; simpl; [reflexivity|]. f_equal. apply IH.
  now injection E.
Qed.

Lemma second_of_combine {A B} (l : list A) : forall k : list B, length l = length k -> map snd (combine l k)
  = k.
Proof.
  induction l as [|x l IH]; intros [|y k] E; try discriminate; simpl; [reflexivity|]. f_equal. apply IH.
  now injection E.
Qed.

Lemma tokens_of H next : map fst (place_variables H next) = tokens H.
Proof. apply first_of_combine. now rewrite fresh_length. Qed.

Lemma variable_of H next t : In t (tokens H) -> exists x, In (t, x) (place_variables H next).
Proof.
  intros Ht. rewrite <- (tokens_of H next) in Ht. apply in_map_iff in Ht. destruct Ht as [[u x] [<- Hq]].
  now exists x.
Qed.

Lemma token_in H next q : In q (place_variables H next) -> In (fst q) (tokens H).
Proof. intros Hq. rewrite <- (tokens_of H next). now apply in_map. Qed.

Lemma token_ordered H t : In t (tokens H) -> in_order t.
Proof.
  unfold tokens. rewrite !in_app_iff. destruct t as [u v|u v|v]; simpl; auto. intros [Ht|[Ht|Ht]].
  - unfold pairs in Ht. apply in_map_iff in Ht. destruct Ht as [[x y] [E Ht]]. injection E as -> ->.
    unfold neighbours in Ht. apply filter_In in Ht. destruct Ht as [_ Ht]. rewrite and_true in Ht.
    now apply Nat.ltb_lt.
  - apply in_map_iff in Ht. destruct Ht as [? [? _]]. discriminate.
  - apply in_map_iff in Ht. destruct Ht as [? [? _]]. discriminate.
Qed.

Lemma tokens_once H : NoDup (tokens H).
Proof.
  assert (M : forall (f : node * node -> token) l, (forall x y, f x = f y -> x = y) -> NoDup l ->
    NoDup (map f l)).
  { intros f l I. now apply Injective_map_NoDup. }
  unfold tokens. apply NoDup_app_intro; [|apply NoDup_app_intro|].
  - apply M; [intros [x y] [z w] E; simpl in E; congruence|].
    apply NoDup_filter, NoDup_list_prod; apply seq_NoDup.
  - apply M; [intros [x y] [z w] E; simpl in E; congruence|apply NoDup_callable].
  - apply Injective_map_NoDup; [intros x y E; congruence|apply seq_NoDup].
  - intros t A B. apply in_map_iff in A, B. destruct A as [? [<- _]]. destruct B as [? [? _]]. discriminate.
  - intros t A B. apply in_app_or in B. apply in_map_iff in A. destruct A as [? [<- _]].
    destruct B as [B|B]; apply in_map_iff in B; destruct B as [? [? _]]; discriminate.
Qed.

Lemma filter_first (kind : token -> bool) (vs : variables) :
  map fst (filter (fun q => kind (fst q)) vs) = filter kind (map fst vs).
Proof. induction vs as [|[t x] vs IH]; simpl; [reflexivity|]. destruct (kind t); simpl; now rewrite IH. Qed.

Lemma those_true b says kind vs : means b vs says ->
  length (filter b (those kind vs)) = length (filter says (filter kind (map fst vs))).
Proof.
  unfold those. induction vs as [|[t x] vs IH]; intros M; [reflexivity|]. simpl.
  assert (M' : means b vs says) by (intros q Hq; apply M; now right).
  specialize (IH M'). pose proof (M (t, x) (or_introl eq_refl)) as E. simpl in E.
  destruct (kind t); simpl; [|exact IH]. rewrite E. destruct (says t); simpl; now rewrite IH.
Qed.

Lemma only (kind : token -> bool) c {A} (f : A -> token) l :
  (forall x, kind (f x) = c) -> filter kind (map f l) = if c then map f l else [].
Proof.
  intros E. induction l as [|x l IH]; simpl; [now destruct c|]. rewrite E, IH. now destruct c.
Qed.

Lemma all_counted b says H next : means b (place_variables H next) says ->
  length (filter b (counted_variables (place_variables H next))) = length (filter says (counted_tokens H)).
Proof.
  intros M. unfold counted_variables, counted_tokens. rewrite !filter_app, !app_length.
  rewrite !(those_true b says _ _ M), tokens_of.
  assert (P : filter is_pair (tokens H) = pairs H).
  { unfold tokens, pairs, merged, lonely. rewrite !filter_app.
    rewrite (only is_pair true), (only is_pair false), (only is_pair false) by reflexivity. apply app_nil_r. }
  assert (Q : filter is_merged (tokens H) = merged H).
  { unfold tokens, pairs, merged, lonely. rewrite !filter_app.
    rewrite (only is_merged false), (only is_merged true), (only is_merged false) by reflexivity.
    apply app_nil_r. }
  assert (R : filter is_alone (tokens H) = lonely H).
  { unfold tokens, pairs, merged, lonely. rewrite !filter_app.
    rewrite (only is_alone false), (only is_alone false), (only is_alone true) by reflexivity. reflexivity. }
  now rewrite P, Q, R.
Qed.

(** ** They satisfy their clauses *)

Section Sound.
Variables (H : network) (O : list node) (r : round) (next : positive).
Hypothesis some_node : 0 < size H.
Hypothesis legal_r : legal_round telegraph H r.
Hypothesis half_O : some_nodes (half H) H O.
Hypothesis led_to : forall u v, left_alone (size H) O r u = true -> arc H u v ->
  exists x y, In (x, y) r /\ In x O /\ (x = v \/ y = v).

Let vs := place_variables H next.
Let says := says_token (size H) O r.
Let inside_r := legal_inside_round H r legal_r.

Lemma disjoint_sound b : means b vs says -> model b (disjoint_clauses H vs).
Proof.
  intros M c Hc. unfold disjoint_clauses in Hc. apply in_flat_map in Hc. destruct Hc as [v [_ Hc]].
  revert c Hc.
  change (model b (one_at_most (taken vs v ++ alone_variable vs v))).
  unfold taken, alone_variable, those. rewrite <- map_app. apply one_at_most_sound.
  - pose proof (filter_first (fun t => negb (is_alone t) &&& touches t v) vs) as F1. cbv beta in F1.
    pose proof (filter_first (fun t => is_alone t &&& touches t v) vs) as F2. cbv beta in F2.
    rewrite map_app, F1, F2. unfold vs. rewrite tokens_of.
    apply NoDup_app_intro; try apply NoDup_filter, tokens_once.
    intros t A B. apply filter_In in A, B. destruct A as [_ A]. destruct B as [_ B].
    destruct (is_alone t); discriminate.
  - assert (T : forall q, In q (filter (fun q => negb (is_alone (fst q)) &&& touches (fst q) v) vs ++
      filter (fun q => is_alone (fst q) &&& touches (fst q) v) vs) -> In q vs /\ touches (fst q) v = true).
    { intros q Hq. apply in_app_or in Hq.
      destruct Hq as [Hq|Hq]; apply filter_In in Hq; rewrite and_true in Hq; tauto. }
    intros p q Hp Hq Bp Bq. apply T in Hp, Hq. destruct Hp as [Hp Tp]. destruct Hq as [Hq Tq].
    rewrite (M p Hp) in Bp. rewrite (M q Hq) in Bq.
    apply (disjoint (size H) O r inside_r (proj2 legal_r) (fst p) (fst q) v); auto;
      apply (token_ordered H), (token_in H next); assumption.
Qed.

Lemma next_to_places_sound b : means b vs says -> model b (next_to_places H vs).
Proof.
  intros M c Hc. unfold next_to_places in Hc. apply in_map_iff in Hc. destruct Hc as [[u v] [<- Huv]].
  apply callable_spec in Huv. destruct Huv as [[Arc _] _]. cbn [fst snd].
  assert (Hu : u < size H) by apply Arc.
  destruct (variable_of H next (Alone u)) as [x Hx].
  { unfold tokens. rewrite !in_app_iff. right. right. now apply in_lonely. }
  destruct (b x) eqn:Bx.
  - pose proof (M (Alone u, x) Hx) as E. cbn [fst snd] in E. rewrite Bx in E. symmetry in E.
    destruct (led_to u v E Arc) as [y [z [C [Gy T]]]].
    pose proof (proj1 (proj1 legal_r y z C)) as Arc'.
    assert (Y : exists t, In t (tokens H) /\ says t = true /\ is_alone t = false /\ touches t v = true).
    { destruct (one_of O z) eqn:Gz.
      - exists (Merged y z). apply one_of_spec in Gz. split.
        + unfold tokens. rewrite !in_app_iff. right. left. now apply in_merged.
        + split; [now apply within_spec|]. split; [reflexivity|]. simpl. now rewrite or_true, !Nat.eqb_eq.
      - rewrite <- not_true_iff_false, one_of_spec in Gz. exists (pair_of y z). split.
        + unfold tokens. rewrite !in_app_iff. left. now apply in_pairs.
        + unfold pair_of, says. cbn [says_token is_alone touches].
          rewrite or_true, !leads_out_spec, or_true, !Nat.eqb_eq.
          destruct (Nat.le_ge_cases y z) as [L|L].
          * rewrite Nat.min_l, Nat.max_r by lia. tauto.
          * rewrite Nat.min_r, Nat.max_l by lia. tauto. }
    destruct Y as [t [Ht [St [At Tt]]]]. destruct (variable_of H next t Ht) as [w Hw].
    exists (true, w). split; [|exact (eq_trans (M (t, w) Hw) St)].
    apply in_or_app. right. apply in_map. apply in_those. exists t. split; [exact Hw|].
    now rewrite At, Tt.
  - exists (false, x). split; [|exact Bx]. apply in_or_app. left. apply in_map. apply in_those.
    exists (Alone u). split; [exact Hx|]. simpl. apply Nat.eqb_refl.
Qed.

Theorem place_clauses_sound a : exists b, same_below next a b /\
  means b vs says /\ model b (fst (place_clauses H next)).
Proof.
  destruct (fresh_values (map says (tokens H)) next a) as [b1 [S1 E1]]. rewrite map_length in E1.
  set (next1 := after_fresh next (length (tokens H))).
  assert (M1 : means b1 vs says) by now apply means_combine.
  assert (Below : forall q, In q vs -> (snd q < next1)%positive).
  { intros [t x] Hq. unfold vs, place_variables in Hq. apply in_combine_r in Hq.
    now apply fresh_range in Hq. }
  pose proof (counted_sound (half H) (counted_variables vs) next1 [] b1 0 0) as Count.
  unfold place_clauses. fold vs next1. revert Count.
  destruct (counted (half H) next1 [] (counted_variables vs)) as [[cs last] free].
  intros Count. destruct Count as [b2 [S2 [M2 L2]]].
  { intros x Hx. assert (Hx' : exists kind, In x (those kind vs)).
    { unfold counted_variables in Hx. rewrite !in_app_iff in Hx. intuition eauto. }
    destruct Hx' as [kind Hx']. apply in_those in Hx'. destruct Hx' as [t [Hq _]]. apply (Below (t, x) Hq). }
  { intros x []. }
  { now destruct (half H). }
  { lia. }
  assert (Le : (next <= next1)%positive) by apply after_fresh_le.
  assert (M3 : means b2 vs says).
  { intros q Hq. rewrite S2 by now apply Below. now apply M1. }
  exists b2. split; [intros x Hx; rewrite S2 by lia; now apply S1|]. split; [exact M3|].
  cbn [fst snd]. rewrite !model_app. split; [now apply disjoint_sound|]. split; [exact M2|].
  split; [|now apply next_to_places_sound].
  intros c [<-|[]]. rewrite !Nat.add_0_r in L2.
  assert (Ones : half H <= length (filter b1 (counted_variables vs))).
  { unfold vs. rewrite (all_counted b1 says H next M1). destruct half_O as [D [<- I]]. now apply enough. }
  assert (Half : 0 < half H) by (unfold half; apply Nat.div_str_pos; lia).
  assert (Len : length (filter b1 (counted_variables vs)) <= length (counted_variables vs))
    by apply filter_length_le.
  destruct (last_threshold b2 last (half H) (length (counted_variables vs))
    (length (filter b1 (counted_variables vs))))
    as [x [Hx Bx]]; try lia; [exact L2|].
  rewrite Hx. exists (true, x). split; [now left|exact Bx].
Qed.

End Sound.

Lemma place_clauses_next H next : (next <= snd (place_clauses H next))%positive.
Proof.
  unfold place_clauses. pose proof (after_fresh_le (length (tokens H)) next) as L.
  pose proof (counted_next (half H) (counted_variables (place_variables H next))
    (after_fresh next (length (tokens H))) []) as L'.
  destruct (counted _ _ _ _) as [[cs last] free]. simpl in *. lia.
Qed.

Lemma place_variables_below H next q : In q (place_variables H next) ->
  (snd q < snd (place_clauses H next))%positive.
Proof.
  destruct q as [t x]. intros Hq. apply in_combine_r in Hq. apply fresh_range in Hq.
  pose proof (counted_next (half H) (counted_variables (place_variables H next))
    (after_fresh next (length (tokens H))) []) as L.
  unfold place_clauses. destruct (counted _ _ _ _) as [[cs last] free]. simpl in *. lia.
Qed.
