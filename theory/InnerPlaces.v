(** One-way gossip by its inner rounds: the places of half of the nodes satisfy their clauses (InnerFormula.v),
    where from a node that is alone every arc leads to another place ([place_clauses_sound]). *)

From Coq Require Import List Bool Arith NArith PArith Lia FinFun.
From Schedsolve Require Import Definitions Replay Checker Variables Symmetry Automorphisms Refutation.
From Schedsolve Require Import ItemsFormula Theorems Reversal Premises InnerRounds InnerChoices InnerCounting InnerFormula.
Import ListNotations.
Local Open Scope bool_scope.

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

Let seconds := second_variables H next.
Let idles := idle_variables H next.
Let second_at := second O r.
Let idle_at := idle (size H) O r.

Lemma taken_touched b v : means b vs says ->
  (exists x, In x (taken vs v) /\ b x = true) <-> touched O r v = true.
Proof.
  intros M. rewrite touched_spec. split.
  - intros [x [Hx Bx]]. apply in_those in Hx. destruct Hx as [t [Hq K]].
    rewrite and_true, negb_true_iff in K. destruct K as [K T].
    pose proof (M _ Hq) as E. cbn [fst snd] in E. rewrite Bx in E. symmetry in E.
    destruct (call_of (size H) O r t E (token_ordered H t (token_in H next _ Hq)) K)
      as [y [z [C [G [Q _]]]]].
    exists y, z. apply Q in T. auto.
  - intros [y [z [C [Gy T]]]].
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
    exists w. split; [|exact (eq_trans (M (t, w) Hw) St)].
    apply in_those. exists t. split; [exact Hw|]. now rewrite At, Tt.
Qed.

Lemma alone_means b v x : means b vs says -> In x (alone_variable vs v) -> b x = left_alone (size H) O r v.
Proof.
  intros M Hx. apply in_those in Hx. destruct Hx as [t [Hq K]]. rewrite and_true in K. destruct K as [K T].
  destruct t as [u w|u w|u]; try discriminate. simpl in T. apply Nat.eqb_eq in T. subst u. exact (M _ Hq).
Qed.

Lemma alone_there v : v < size H -> exists x, In x (alone_variable vs v).
Proof.
  intros Hv. destruct (variable_of H next (Alone v)) as [x Hx].
  { unfold tokens. rewrite !in_app_iff. right. right. now apply in_lonely. }
  exists x. apply in_those. exists (Alone v). split; [exact Hx|]. simpl. apply Nat.eqb_refl.
Qed.

Lemma disjoint_sound b : means b vs says -> of_nodes b idles (size H) idle_at ->
  model b (disjoint_clauses H vs idles).
Proof.
  intros M Id c Hc. unfold disjoint_clauses in Hc. apply in_flat_map in Hc. destruct Hc as [v [Hv Hc]].
  apply in_seq in Hv. revert c Hc.
  set (l := filter (fun q => negb (is_alone (fst q)) &&& touches (fst q) v) vs ++
      filter (fun q => is_alone (fst q) &&& touches (fst q) v) vs).
  assert (E : states vs idles v =
    map snd (map (fun q : token * positive => (Some (fst q), snd q)) l ++ [(None, of_node idles v)])).
  { unfold states, taken, alone_variable, those, l. rewrite map_app, map_map, !map_app. simpl.
    now rewrite <- app_assoc. }
  assert (T : forall q, In q l -> In q vs /\ touches (fst q) v = true).
  { intros q Hq. apply in_app_or in Hq.
    destruct Hq as [Hq|Hq]; apply filter_In in Hq; rewrite and_true in Hq; tauto. }
  assert (Busy : forall q, In q l -> b (snd q) = true -> b (of_node idles v) = true -> False).
  { intros q Hq Bq Bi. rewrite (of_node_value b idles (size H) idle_at v Id) in Bi by lia.
    unfold idle_at, idle in Bi. rewrite and_true, !negb_true_iff in Bi. destruct Bi as [NA NT].
    destruct (T q Hq) as [Hv' Tq]. destruct q as [t x]. cbn [fst snd] in *.
    destruct (is_alone t) eqn:K.
    - rewrite (alone_means b v x M) in Bq; [congruence|]. apply in_those. exists t. now rewrite K, Tq.
    - assert (X : touched O r v = true); [|congruence]. apply (taken_touched b v M). exists x.
      split; [|exact Bq]. apply in_those. exists t. now rewrite K, Tq. }
  rewrite E. apply one_at_most_sound.
  - pose proof (filter_first (fun t => negb (is_alone t) &&& touches t v) vs) as F1. cbv beta in F1.
    pose proof (filter_first (fun t => is_alone t &&& touches t v) vs) as F2. cbv beta in F2.
    assert (Once : NoDup (map fst l)).
    { unfold l. rewrite map_app, F1, F2. unfold vs. rewrite tokens_of.
      apply NoDup_app_intro; try apply NoDup_filter, tokens_once.
      intros t A B. apply filter_In in A, B. destruct A as [_ A]. destruct B as [_ B].
      destruct (is_alone t); discriminate. }
    rewrite map_app, map_map. simpl. rewrite <- (map_map fst Some). apply NoDup_app_intro.
    + apply Injective_map_NoDup; [intros x y Q; congruence|exact Once].
    + constructor; [intros []|constructor].
    + intros t A [<-|[]]. apply in_map_iff in A. destruct A as [? [? _]]. discriminate.
  - intros p q Hp Hq Bp Bq. apply in_app_or in Hp, Hq.
    destruct Hp as [Hp|[<-|[]]], Hq as [Hq|[<-|[]]]; [| | |reflexivity].
    + apply in_map_iff in Hp, Hq. destruct Hp as [p' [<- Hp]]. destruct Hq as [q' [<- Hq]]. cbn [fst snd] in *.
      f_equal. apply T in Hp, Hq. destruct Hp as [Hp Tp]. destruct Hq as [Hq Tq].
      rewrite (M p' Hp) in Bp. rewrite (M q' Hq) in Bq.
      apply (disjoint (size H) O r inside_r (proj2 legal_r) (fst p') (fst q') v); auto;
        apply (token_ordered H), (token_in H next); assumption.
    + exfalso. apply in_map_iff in Hp. destruct Hp as [p' [<- Hp]]. now apply (Busy p' Hp).
    + exfalso. apply in_map_iff in Hq. destruct Hq as [q' [<- Hq]]. now apply (Busy q' Hq).
Qed.

Lemma called_means b v : means b vs says ->
  (exists x, In x (those (is_called v) vs) /\ b x = true) <-> second_at v = true.
Proof.
  intros M. unfold second_at. rewrite second_spec. split.
  - intros [x [Hx Bx]]. apply in_those in Hx. destruct Hx as [t [Hq K]]. destruct t as [u w|u w|w]; try discriminate.
    simpl in K. apply Nat.eqb_eq in K. subst w. pose proof (M _ Hq) as E. cbn [fst snd] in E. rewrite Bx in E.
    symmetry in E. apply within_spec in E. now exists u.
  - intros [u Hu]. assert (Ht : In (Merged u v) (tokens H)).
    { unfold tokens. rewrite !in_app_iff. right. left. apply in_merged.
      exact (proj1 (proj1 legal_r u v (proj1 Hu))). }
    destruct (variable_of H next _ Ht) as [x Hx]. exists x. split.
    + apply in_those. exists (Merged u v). split; [exact Hx|apply Nat.eqb_refl].
    + refine (eq_trans (M _ Hx) _). now apply within_spec.
Qed.

Lemma state_sound b : means b vs says -> of_nodes b seconds (size H) second_at ->
  of_nodes b idles (size H) idle_at -> model b (state_clauses H vs seconds idles).
Proof.
  intros M Sec Id c Hc. unfold state_clauses in Hc. apply in_flat_map in Hc. destruct Hc as [v [Hv Hc]].
  apply in_seq in Hv.
  pose proof (of_node_value b seconds (size H) second_at v Sec ltac:(lia)) as ES.
  pose proof (of_node_value b idles (size H) idle_at v Id ltac:(lia)) as EI.
  destruct Hc as [<-|[<-|Hc]].
  - assert (X : exists x, In x (states vs idles v) /\ b x = true).
    { unfold states. destruct (touched O r v) eqn:T.
      - apply (taken_touched b v M) in T. destruct T as [x [Hx Bx]]. exists x. rewrite in_app_iff. auto.
      - destruct (alone_there v ltac:(lia)) as [x Hx]. pose proof (alone_means b v x M Hx) as E.
        destruct (left_alone (size H) O r v) eqn:L.
        + exists x. rewrite !in_app_iff. auto.
        + exists (of_node idles v). rewrite !in_app_iff. split; [right; right; now left|].
          rewrite EI. unfold idle_at, idle. now rewrite L, T. }
    destruct X as [x [Hx Bx]]. exists (true, x). split; [now apply in_map|exact Bx].
  - destruct (b (of_node seconds v)) eqn:B; [|exists (false, of_node seconds v); split; [now left|exact B]].
    symmetry in ES. apply (called_means b v M) in ES. destruct ES as [x [Hx Bx]]. exists (true, x).
    split; [right; now apply in_map|exact Bx].
  - apply in_map_iff in Hc. destruct Hc as [x [<- Hx]].
    destruct (b x) eqn:B; [|exists (false, x); split; [simpl; auto|exact B]].
    exists (true, of_node seconds v). split; [now left|]. unfold holds. simpl. rewrite ES.
    apply (called_means b v M). now exists x.
Qed.

Lemma weighed_count b : means b vs says -> of_nodes b seconds (size H) second_at ->
  length (filter b (weighed H vs seconds)) = 2 * length (filter second_at (seq 0 (size H)))
    + length (filter (left_alone (size H) O r) (seq 0 (size H))).
Proof.
  intros M Sec. unfold weighed.
  assert (All : forall l, (forall v, In v l -> v < size H) ->
    length (filter b (flat_map (fun v => [of_node seconds v; of_node seconds v; variable_at vs (Alone v)]) l))
    = 2 * length (filter second_at l) + length (filter (left_alone (size H) O r) l)).
  { induction l as [|v l IH]; intros Hl; [reflexivity|]. specialize (IH (fun w Hw => Hl w (or_intror Hw))).
    assert (Hv : v < size H) by (apply Hl; now left).
    cbn [flat_map app]. rewrite !one_more, IH, (of_node_value b seconds (size H) second_at v Sec Hv).
    rewrite (variable_means b vs says (Alone v) M).
    - change (says (Alone v)) with (left_alone (size H) O r v). lia.
    - apply variable_known. unfold tokens. rewrite !in_app_iff. right. right. now apply in_lonely. }
  apply All. intros v Hv. apply in_seq in Hv. lia.
Qed.

Lemma next_to_places_sound b : means b vs says -> model b (next_to_places H vs).
Proof.
  intros M c Hc. unfold next_to_places in Hc. apply in_map_iff in Hc. destruct Hc as [[u v] [<- Huv]].
  apply callable_spec in Huv. destruct Huv as [[Arc _] _]. cbn [fst snd].
  destruct (alone_there u ltac:(apply Arc)) as [x Hx].
  destruct (b x) eqn:Bx.
  - rewrite (alone_means b u x M Hx) in Bx. pose proof (led_to u v Bx Arc) as T. apply touched_spec in T.
    apply (taken_touched b v M) in T. destruct T as [w [Hw Bw]].
    exists (true, w). split; [|exact Bw]. apply in_or_app. right. now apply in_map.
  - exists (false, x). split; [|exact Bx]. apply in_or_app. left. now apply in_map.
Qed.

Lemma three_each : length (weighed H vs seconds) = 3 * size H.
Proof.
  unfold weighed. rewrite <- (seq_length (size H) 0) at 2. generalize (seq 0 (size H)). intros l.
  induction l as [|v l IH]; simpl; [reflexivity|]. rewrite IH. simpl. lia.
Qed.

Lemma weighed_below x : In x (weighed H vs seconds) -> (x < after_seconds H next)%positive.
Proof.
  intros Hx. unfold weighed in Hx. apply in_flat_map in Hx. destruct Hx as [v [Hv Hx]]. apply in_seq in Hv.
  pose proof (after_fresh_le (size H) (after_places H next)) as L. fold (after_seconds H next) in L.
  assert (S : In (of_node seconds v) seconds).
  { apply nth_In. unfold seconds, second_variables. rewrite fresh_length. lia. }
  apply fresh_range in S. fold (after_seconds H next) in S.
  destruct Hx as [<-|[<-|[<-|[]]]]; [apply S|apply S|].
  assert (K : has_variable vs (Alone v) = true).
  { apply variable_known. unfold tokens. rewrite !in_app_iff. right. right. apply in_lonely. lia. }
  apply in_variable in K. destruct K as [t K]. apply in_combine_r in K. apply fresh_range in K.
  fold (after_places H next) in K. lia.
Qed.

Theorem place_clauses_sound a : exists b, same_below next a b /\ means b vs says /\
  of_nodes b seconds (size H) second_at /\ model b (fst (place_clauses H next)).
Proof.
  destruct (fresh_values (map says (tokens H)) next a) as [a1 [S1 E1]]. rewrite map_length in E1.
  fold (after_places H next) in *.
  destruct (fresh_values (map second_at (seq 0 (size H))) (after_places H next) a1) as [a2 [S2 E2]].
  rewrite map_length, seq_length in E2.
  destruct (fresh_values (map idle_at (seq 0 (size H))) (after_seconds H next) a2) as [a3 [S3 E3]].
  rewrite map_length, seq_length in E3.
  set (next3 := after_fresh (after_seconds H next) (size H)).
  assert (L1 : (next <= after_places H next)%positive) by apply after_fresh_le.
  assert (L2 : (after_places H next <= after_seconds H next)%positive) by apply after_fresh_le.
  assert (L3 : (after_seconds H next <= next3)%positive) by apply after_fresh_le.
  assert (Keep : forall b l m f (f0 : positive), of_nodes b l m f -> (forall x, In x l -> (x < f0)%positive) ->
    forall b', same_below f0 b b' -> of_nodes b' l m f).
  { intros b l m f f0 E B b' S. unfold of_nodes. rewrite <- E. apply map_ext_in. intros x Hx. now apply S, B. }
  assert (Bp : forall q, In q vs -> (snd q < after_places H next)%positive).
  { intros [t x] Hq. unfold vs, place_variables in Hq. apply in_combine_r in Hq. now apply fresh_range in Hq. }
  assert (Bs : forall x, In x seconds -> (x < after_seconds H next)%positive).
  { intros x Hx. now apply fresh_range in Hx. }
  assert (Bi : forall x, In x idles -> (x < next3)%positive).
  { intros x Hx. now apply fresh_range in Hx. }
  assert (M3 : means a3 vs says).
  { intros q Hq. specialize (Bp q Hq). rewrite S3, S2 by lia. revert q Hq Bp. 
    assert (M1 : means a1 vs says) by now apply means_combine.
    intros q Hq _. now apply M1. }
  assert (Sec3 : of_nodes a3 seconds (size H) second_at) by (apply (Keep a2 _ _ _ (after_seconds H next)); auto).
  pose proof (weighed_count a3 M3 Sec3) as W. pose proof (of_nodes_count _ _ _ _ E3) as I3. fold idles in I3.
  unfold place_clauses. fold vs seconds idles next3.
  pose proof (counted_sound (half H) (weighed H vs seconds) next3 [] a3 0 0) as C1.
  pose proof (counted_next (half H) (weighed H vs seconds) next3 []) as N1. revert C1 N1.
  destruct (counted (half H) next3 [] (weighed H vs seconds)) as [[cs weight] free] eqn:Counted. intros C1 N1. simpl in N1.
  destruct C1 as [a4 [S4 [M4 T4]]].
  { intros x Hx. apply weighed_below in Hx. lia. }
  { intros x []. }
  { now destruct (half H). }
  { lia. }
  pose proof (counted_below (half H) (weighed H vs seconds) next3 []) as B4. revert B4. rewrite Counted.
  intros B4. destruct B4 as [B4 B4'].
  { intros x Hx. apply weighed_below in Hx. lia. }
  { intros x []. }
  pose proof (counted_sound (half H - odd_one H) idles free [] a4 0 0) as C2. revert C2.
  destruct (counted (half H - odd_one H) free [] idles) as [[cs' few] free']. intros C2.
  destruct C2 as [b [S5 [M5 T5]]].
  { intros x Hx. specialize (Bi x Hx). lia. }
  { intros x []. }
  { now destruct (half H - odd_one H). }
  { lia. }
  assert (Sb : same_below next3 a3 b) by (intros x Hx; rewrite S5 by lia; now apply S4).
  assert (Mb : means b vs says).
  { intros q Hq. specialize (Bp q Hq). rewrite Sb by lia. now apply M3. }
  assert (Secb : of_nodes b seconds (size H) second_at).
  { apply (Keep a3 _ _ _ next3); auto. intros x Hx. specialize (Bs x Hx). lia. }
  assert (Idb : of_nodes b idles (size H) idle_at) by (apply (Keep a3 _ _ _ next3); auto).
  exists b. split; [intros x Hx; rewrite Sb, S3, S2 by lia; now apply S1|]. split; [exact Mb|].
  split; [exact Secb|]. cbn [fst]. rewrite !model_app.
  split; [now apply disjoint_sound|]. split; [now apply state_sound|].
  split; [intros c Hc; apply (satisfied_same free a4 b c); [now apply B4|exact S5|now apply M4]|].
  split; [exact M5|]. split; [|now apply next_to_places_sound].
  apply equal_sound. destruct half_O as [D [Lo I]].
  pose proof (just_so_many (size H) O r inside_r (proj2 legal_r) D I) as Just.
  fold second_at idle_at in Just. rewrite Lo in Just.
  rewrite <- skipn_map. rewrite (map_ext_in b a4 weight) by (intros x Hx; now apply S5, B4').
  assert (I4 : length (filter a4 idles) = length (filter idle_at (seq 0 (size H)))).
  { rewrite <- I3. f_equal. apply filter_ext_in. intros x Hx. apply S4. now apply Bi. }
  rewrite T4, T5, W, I4, three_each, !Nat.add_0_r. unfold idles, idle_variables. rewrite fresh_length.
  assert (Half : 2 * half H = size H + odd_one H /\ odd_one H <= 1).
  { unfold half, odd_one. pose proof (Nat.div_mod (size H) 2 ltac:(lia)).
    pose proof (Nat.mod_upper_bound (size H) 2 ltac:(lia)).
    pose proof (Nat.div_mod (size H + 1) 2 ltac:(lia)).
    pose proof (Nat.mod_upper_bound (size H + 1) 2 ltac:(lia)). lia. }
  unfold thresholds. rewrite !Nat.min_r by lia.
  replace (half H) with (odd_one H + (half H - odd_one H)) at 1 by lia. rewrite skipped.
  apply map_ext. intros j. apply eq_iff_true. rewrite !Nat.ltb_lt. unfold node in *. lia.
Qed.

End Sound.

Lemma after_seconds_le H next : (after_seconds H next <= snd (place_clauses H next))%positive.
Proof.
  unfold place_clauses. pose proof (after_fresh_le (size H) (after_seconds H next)) as L.
  pose proof (counted_next (half H) (weighed H (place_variables H next) (second_variables H next))
    (after_fresh (after_seconds H next) (size H)) []) as L1.
  destruct (counted _ _ _ _) as [[cs last] free].
  pose proof (counted_next (half H - odd_one H) (idle_variables H next) free []) as L2.
  destruct (counted _ _ _ _) as [[cs' last'] free']. simpl in *. lia.
Qed.

Lemma places_le H next : (next <= after_places H next <= after_seconds H next)%positive.
Proof. split; apply after_fresh_le. Qed.

Lemma place_clauses_next H next : (next <= snd (place_clauses H next))%positive.
Proof. pose proof (after_seconds_le H next). pose proof (places_le H next). lia. Qed.

Lemma place_variables_below H next q : In q (place_variables H next) ->
  (snd q < snd (place_clauses H next))%positive.
Proof.
  destruct q as [t x]. intros Hq. apply in_combine_r in Hq. apply fresh_range in Hq.
  pose proof (after_seconds_le H next). pose proof (places_le H next). unfold after_places in *. simpl. lia.
Qed.

Lemma second_variables_below H next x : In x (second_variables H next) ->
  (x < snd (place_clauses H next))%positive.
Proof.
  intros Hx. apply fresh_range in Hx. pose proof (after_seconds_le H next). unfold after_seconds in *. lia.
Qed.
