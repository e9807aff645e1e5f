(** One-way gossip by its inner rounds: what the first two rounds and the last two leave to be done, steps 1 to 3
    of models/matching/claims/inner_rounds.py.

    Half of the nodes do not call in the first round, half of them are not called in the last ([silent_nodes]);
    so the items of the first, the givers, come to the second, the takers, in the rounds between.  The first of
    these rounds puts an item at two nodes, or at one; the last of them, backwards, does the same for the takers
    ([token], [says_token]).  These places are disjoint ([disjoint]), they count just as many as
    there are givers ([just_so_many]), and the rounds within have to bring all items that are left from place to
    place ([reached]). *)

From Coq Require Import List Bool Arith Lia.
From Schedsolve Require Import Definitions Replay Variables Reversal Premises SettledRounds BusyEnds InnerCounting.
Import ListNotations.
Local Open Scope bool_scope.

(** ** Places *)

(** An item is at two neighbours, the smaller first; or at the second node of a call between two givers, whose
    other item is dropped; or at one node alone. *)
Inductive token := Pair (u v : node) | Merged (u v : node) | Alone (v : node).

Definition is_alone (k : token) : bool := match k with Alone _ => true | _ => false end.
Definition touches (k : token) (v : node) : bool :=
  match k with Pair u w | Merged u w => (u =? v) ||| (w =? v) | Alone u => u =? v end.

(** The number of the item, and the nodes that know it. *)
Definition item_of (k : token) : item := match k with Pair u _ => u | Merged _ v | Alone v => v end.
Definition nodes_of (k : token) : list node :=
  match k with Pair u v => [u; v] | Merged _ v | Alone v => [v] end.
Definition in_order (k : token) : Prop := match k with Pair u v => u < v | _ => True end.

Definition pair_of (u v : node) : token := Pair (Nat.min u v) (Nat.max u v).

(** No item is dropped, and nobody else knows one, in these rounds of a network with n nodes. *)
Section Places.
Variables (n : nat) (O : list node) (r : round).

Definition leads_out (u v : node) : bool := told telegraph r u v &&& one_of O u &&& negb (one_of O v).
Definition within (u v : node) : bool := told telegraph r u v &&& one_of O u &&& one_of O v.
Definition left_alone (v : node) : bool :=
  one_of O v &&& forallb (fun u => negb (told telegraph r v u ||| within u v)) (seq 0 n).

Definition says_token (k : token) : bool :=
  match k with
  | Pair u v => leads_out u v ||| leads_out v u
  | Merged u v => within u v
  | Alone v => left_alone v
  end.

(** Nodes that a giver's call touches, those that are of no place, and second nodes of merged places. *)
Definition touched (v : node) : bool :=
  existsb (fun c => one_of O (fst c) &&& one_of [fst c; snd c] v) r.
Definition idle (v : node) : bool := negb (left_alone v) &&& negb (touched v).
Definition second (v : node) : bool :=
  existsb (fun c => one_of O (fst c) &&& one_of O (snd c) &&& (snd c =? v)) r.

Lemma touched_spec v : touched v = true <-> exists x y, In (x, y) r /\ In x O /\ (x = v \/ y = v).
Proof.
  unfold touched. rewrite existsb_exists. split.
  - intros [[x y] [C X]]. rewrite and_true, !one_of_spec in X. simpl in X. exists x, y. tauto.
  - intros [x [y [C [G T]]]]. exists (x, y). split; [exact C|]. rewrite and_true, !one_of_spec. simpl. tauto.
Qed.

Lemma second_spec v : second v = true <-> exists u, In (u, v) r /\ In u O /\ In v O.
Proof.
  unfold second. rewrite existsb_exists. split.
  - intros [[x y] [C X]]. rewrite !and_true, !one_of_spec, Nat.eqb_eq in X. simpl in X.
    destruct X as [[Gx Gy] ->]. now exists x.
  - intros [u [C [Gu Gv]]]. exists (u, v). split; [exact C|]. rewrite !and_true, !one_of_spec, Nat.eqb_eq.
    now simpl.
Qed.

(** Calls of givers: of other givers, or that lead out. *)
Definition calls (givers_too : bool) : round :=
  filter (fun c => one_of O (fst c) &&& Bool.eqb (one_of O (snd c)) givers_too) r.

Lemma in_calls f x y : In (x, y) (calls f) <-> In (x, y) r /\ In x O /\ one_of O y = f.
Proof. unfold calls. rewrite filter_In, and_true, one_of_spec, eqb_true_iff. reflexivity. Qed.

Lemma leads_out_spec u v : leads_out u v = true <-> In (u, v) r /\ In u O /\ ~ In v O.
Proof.
  unfold leads_out. rewrite !and_true, negb_true_iff, told_call, one_of_spec, <- not_true_iff_false,
    one_of_spec.
  tauto.
Qed.

Lemma within_spec u v : within u v = true <-> In (u, v) r /\ In u O /\ In v O.
Proof. unfold within. rewrite !and_true, told_call, !one_of_spec. tauto. Qed.

Hypothesis inside_r : inside n r.

Lemma left_alone_spec v : left_alone v = true <->
  In v O /\ (forall u, ~ In (v, u) r) /\ (forall u, In u O -> ~ In (u, v) r).
Proof.
  unfold left_alone. rewrite and_true, one_of_spec, forallb_forall.
  assert (E : forall u, negb (told telegraph r v u ||| within u v) = true <->
    ~ In (v, u) r /\ ~ (In (u, v) r /\ In u O /\ In v O)).
  { intros u. rewrite negb_true_iff, <- not_true_iff_false, or_true, told_call, within_spec. tauto. }
  split.
  - intros [Hv H]. split; [exact Hv|]. split; intros u.
    + intros C. destruct (inside_r v u C) as [_ Hu].
      apply (proj1 (proj1 (E u) (H u ltac:(apply in_seq; lia)))), C.
    + intros Gu C. destruct (inside_r u v C) as [Hu _].
      apply (proj2 (proj1 (E u) (H u ltac:(apply in_seq; lia)))). tauto.
  - intros [Hv [N1 N2]]. split; [exact Hv|]. intros u _. apply E. split; [apply N1|].
    intros [C [Gu _]]. now apply (N2 u Gu).
Qed.

Hypothesis matching : NoDup (ends r).

Lemma same_call v x y z w : In (x, y) r -> In (z, w) r -> x = v \/ y = v -> z = v \/ w = v -> (x, y) = (z, w).
Proof.
  intros C1 C2. assert (P := one_partner r matching).
  assert (N : forall a b, In (a, b) r -> a <> b).
  { intros a b H ->. now apply (hears_only r b b b matching H). }
  assert (N1 := N _ _ C1). assert (N2 := N _ _ C2).
  intros [->| ->] [->| ->].
  - f_equal. apply (P v y w); auto; now right.
  - exfalso. now apply (hears_only r v y z matching C1).
  - exfalso. now apply (hears_only r v w x matching C2).
  - f_equal. apply (P v x z); auto; now left.
Qed.

(** The call that makes a place of two nodes. *)
Lemma call_of k : says_token k = true -> in_order k -> is_alone k = false ->
  exists x y, In (x, y) r /\ In x O /\ (forall v, touches k v = true <-> x = v \/ y = v) /\
    k = (if one_of O y then Merged x y else pair_of x y).
Proof.
  assert (Two : forall a b v, (a =? v) ||| (b =? v) = true <-> a = v \/ b = v).
  { intros a b v. now rewrite or_true, !Nat.eqb_eq. }
  destruct k as [u v|u v|v]; simpl; intros S Ord A; [| |discriminate].
  - apply or_true in S. unfold pair_of.
    destruct S as [S|S]; apply leads_out_spec in S; destruct S as [C [Gu Nv]].
    + exists u, v. destruct (one_of O v) eqn:E; [now apply one_of_spec in E|].
      rewrite Nat.min_l, Nat.max_r by lia. auto.
    + exists v, u. destruct (one_of O u) eqn:E; [now apply one_of_spec in E|].
      rewrite Nat.min_r, Nat.max_l by lia. split; [exact C|]. split; [exact Gu|]. split; [|reflexivity].
      intros w. rewrite Two. tauto.
  - apply within_spec in S. destruct S as [C [Gu Gv]]. exists u, v.
    apply one_of_spec in Gv. rewrite Gv. auto.
Qed.

Theorem disjoint a b v : says_token a = true -> says_token b = true -> in_order a -> in_order b ->
  touches a v = true -> touches b v = true -> a = b.
Proof.
  intros Sa Sb Oa Ob Ta Tb.
  assert (Mixed : forall k u, says_token k = true -> in_order k -> is_alone k = false ->
    touches k u = true -> left_alone u = true -> False).
  { intros k u Sk Ok Ak Tk L. destruct (call_of k Sk Ok Ak) as [x [y [C [Gx [T _]]]]].
    apply left_alone_spec in L. destruct L as [_ [N1 N2]]. apply T in Tk. destruct Tk as [->| ->].
    - now apply (N1 y).
    - now apply (N2 x). }
  destruct (is_alone a) eqn:Aa, (is_alone b) eqn:Ab.
  - destruct a, b; try discriminate. simpl in Ta, Tb. apply Nat.eqb_eq in Ta, Tb. congruence.
  - exfalso. destruct a; try discriminate. simpl in Ta. apply Nat.eqb_eq in Ta. subst. now apply (Mixed b v).
  - exfalso. destruct b; try discriminate. simpl in Tb. apply Nat.eqb_eq in Tb. subst. now apply (Mixed a v).
  - destruct (call_of a Sa Oa Aa) as [x [y [C [_ [T ->]]]]].
    destruct (call_of b Sb Ob Ab) as [z [w [C' [_ [T' ->]]]]].
    apply T in Ta. apply T' in Tb. pose proof (same_call v x y z w C C' Ta Tb) as E. injection E as -> ->.
    reflexivity.
Qed.

(** A giver whose item is just there: what it knew before the round, the nodes of the place know after it, and
    nobody else. *)
Lemma giver_of k : says_token k = true -> exists o, In o O /\
  forall x, o = x \/ In (o, x) r -> In x (nodes_of k).
Proof.
  destruct k as [u v|u v|v]; simpl; intros S.
  - apply or_true in S. destruct S as [S|S]; apply leads_out_spec in S; destruct S as [C [Gu _]].
    + exists u. split; [exact Gu|]. intros x [->|C']; [now left|right; left].
      pose proof (same_call u u v u x C C' (or_introl eq_refl) (or_introl eq_refl)) as E. congruence.
    + exists v. split; [exact Gu|]. intros x [->|C']; [right; now left|left].
      pose proof (same_call v v u v x C C' (or_introl eq_refl) (or_introl eq_refl)) as E. congruence.
  - apply within_spec in S. destruct S as [C [_ Gv]]. exists v. split; [exact Gv|].
    intros x [->|C']; [now left|]. exfalso. now apply (hears_only r v x u matching C').
  - apply left_alone_spec in S. destruct S as [Gv [N _]]. exists v. split; [exact Gv|].
    intros x [->|C']; [now left|]. exfalso. now apply (N x).
Qed.

(** Each node is of one place, or idle: it is the first or the second of a call between two givers, it calls out
    as a giver or is called so, it is alone, or nothing of it. *)
Lemma kinds v : v < n ->
  Nat.b2n (one_of O v) = Nat.b2n (one_of (map fst (calls true)) v) + Nat.b2n (second v)
    + Nat.b2n (one_of (map fst (calls false)) v) + Nat.b2n (left_alone v) /\
  1 = Nat.b2n (one_of (map fst (calls true)) v) + Nat.b2n (second v)
    + Nat.b2n (one_of (map fst (calls false)) v) + Nat.b2n (one_of (map snd (calls false)) v)
    + Nat.b2n (left_alone v) + Nat.b2n (idle v).
Proof.
  intros Hv.
  assert (Caller : forall f, one_of (map fst (calls f)) v = true <-> exists y, In (v, y) r /\ In v O /\ one_of O y = f).
  { intros f. rewrite one_of_spec, in_map_iff. split.
    - intros [[x y] [<- H]]. exists y. now apply in_calls.
    - intros [y H]. exists (v, y). split; [reflexivity|now apply in_calls]. }
  assert (Called : one_of (map snd (calls false)) v = true <-> exists x, In (x, v) r /\ In x O /\ one_of O v = false).
  { rewrite one_of_spec, in_map_iff. split.
    - intros [[x y] [<- H]]. exists x. now apply in_calls.
    - intros [x H]. exists (x, v). split; [reflexivity|now apply in_calls]. }
  pose proof (Caller true) as CF. pose proof (Caller false) as CP. clear Caller.
  pose proof (second_spec v) as CS. pose proof (left_alone_spec v) as CA. pose proof (touched_spec v) as CT.
  pose proof (one_of_spec O v) as CO. unfold idle.
  assert (Only : forall x y z w, In (x, y) r -> In (z, w) r -> x = v \/ y = v -> z = v \/ w = v -> (x, y) = (z, w))
    by (intros x y z w; apply same_call).
  assert (No : ~ In (v, v) r) by (intros C; now apply (hears_only r v v v matching C)).
  assert (False_by : forall (b : bool) (Q : Prop), (b = true <-> Q) -> ~ Q -> b = false).
  { intros b Q E N. apply not_true_is_false. now rewrite E. }
  destruct (touched v) eqn:T.
  - destruct (proj1 CT eq_refl) as [x [y [C [Gx [->| ->]]]]].
    + rewrite (proj2 CO Gx).
      assert (S0 : second v = false).
      { apply (False_by _ _ CS). intros [u [C' _]].
        pose proof (Only _ _ _ _ C C' (or_introl eq_refl) (or_intror eq_refl)) as E. injection E as E1 E2. subst. contradiction. }
      assert (A0 : left_alone v = false) by (apply (False_by _ _ CA); intros [_ [N _]]; now apply (N y)).
      assert (Q0 : one_of (map snd (calls false)) v = false).
      { apply (False_by _ _ Called). intros [u [C' _]].
        pose proof (Only _ _ _ _ C C' (or_introl eq_refl) (or_intror eq_refl)) as E. injection E as E1 E2. subst. contradiction. }
      assert (Y : forall f, f = negb (one_of O y) -> ~ exists w, In (v, w) r /\ In v O /\ one_of O w = f).
      { intros f -> [w [C' [_ E]]].
        pose proof (Only _ _ _ _ C C' (or_introl eq_refl) (or_introl eq_refl)) as E'. injection E' as <-.
        destruct (one_of O y); discriminate. }
      rewrite S0, A0, Q0. destruct (one_of O y) eqn:Gy.
      * rewrite (proj2 CF) by now exists y. rewrite (False_by _ _ CP (Y false eq_refl)). now split.
      * rewrite (proj2 CP) by now exists y. rewrite (False_by _ _ CF (Y true eq_refl)). now split.
    + assert (N1 : forall f, ~ exists w, In (v, w) r /\ In v O /\ one_of O w = f).
      { intros f [w [C' _]].
        pose proof (Only _ _ _ _ C C' (or_intror eq_refl) (or_introl eq_refl)) as E. injection E as E1 E2. subst. contradiction. }
      rewrite (False_by _ _ CF (N1 true)), (False_by _ _ CP (N1 false)).
      assert (A0 : left_alone v = false) by (apply (False_by _ _ CA); intros [_ [_ N]]; now apply (N x)).
      rewrite A0. destruct (one_of O v) eqn:Gv.
      * rewrite (proj2 CS) by (exists x; split; [exact C|split; [exact Gx|now apply CO]]).
        assert (Q0 : one_of (map snd (calls false)) v = false).
        { apply (False_by _ _ Called). intros [u [_ [_ E]]]. discriminate. }
        rewrite Q0. now split.
      * rewrite (proj2 Called) by now exists x.
        assert (S0 : second v = false).
        { apply (False_by _ _ CS). intros [u [_ [_ G]]]. apply CO in G. discriminate. }
        rewrite S0. now split.
  - assert (N : forall x y, In (x, y) r -> In x O -> x = v \/ y = v -> False).
    { intros x y C G E. assert (X : false = true) by (apply CT; now exists x, y). discriminate. }
    assert (N1 : forall f, ~ exists w, In (v, w) r /\ In v O /\ one_of O w = f).
    { intros f [w [C [G _]]]. apply (N v w C G). now left. }
    rewrite (False_by _ _ CF (N1 true)), (False_by _ _ CP (N1 false)).
    assert (Q0 : one_of (map snd (calls false)) v = false).
    { apply (False_by _ _ Called). intros [u [C [G _]]]. apply (N u v C G). now right. }
    assert (S0 : second v = false).
    { apply (False_by _ _ CS). intros [u [C [G _]]]. apply (N u v C G). now right. }
    rewrite Q0, S0. destruct (one_of O v) eqn:Gv.
    + rewrite (proj2 CA); [now split|]. split; [now apply CO|]. split.
      * intros u C. apply (N v u C); [now apply CO|now left].
      * intros u G C. apply (N u v C G). now right.
    + assert (A0 : left_alone v = false).
      { apply (False_by _ _ CA). intros [G _]. apply CO in G. discriminate. }
      rewrite A0. now split.
Qed.

Lemma callers f : length (filter (one_of (map fst (calls f))) (seq 0 n)) = length (calls f).
Proof.
  rewrite members; [apply map_length| |].
  - apply NoDup_map_filter. now apply once_each.
  - intros v H. apply in_map_iff in H. destruct H as [[x y] [<- H]]. apply in_calls in H.
    now destruct (inside_r x y (proj1 H)).
Qed.

Lemma callees f : length (filter (one_of (map snd (calls f))) (seq 0 n)) = length (calls f).
Proof.
  rewrite members; [apply map_length| |].
  - apply NoDup_map_filter. now apply once_each.
  - intros v H. apply in_map_iff in H. destruct H as [[x y] [<- H]]. apply in_calls in H.
    now destruct (inside_r x y (proj1 H)).
Qed.

(** So the places count as many as there are givers. *)
Theorem just_so_many : NoDup O -> (forall v, In v O -> v < n) ->
  2 * length (filter second (seq 0 n)) + length (filter left_alone (seq 0 n)) + n
  = length (filter idle (seq 0 n)) + 2 * length O.
Proof.
  intros D I. pose proof (members O n D I) as EO.
  pose proof (callers true) as E1. pose proof (callees true) as E2.
  pose proof (callers false) as E3. pose proof (callees false) as E4.
  assert (E5 : length (filter second (seq 0 n)) = length (filter (one_of (map snd (calls true))) (seq 0 n))).
  { f_equal. apply filter_ext. intros v. apply eq_iff_true. rewrite second_spec, one_of_spec, in_map_iff. split.
    - intros [u [C [Gu Gv]]]. exists (u, v). split; [reflexivity|]. apply in_calls.
      split; [exact C|]. split; [exact Gu|now apply one_of_spec].
    - intros [[x y] [<- H]]. apply in_calls in H. exists x. simpl. now rewrite one_of_spec in H. }
  assert (All : forall l, (forall v, In v l -> v < n) ->
    length (filter (one_of O) l) = length (filter (one_of (map fst (calls true))) l) + length (filter second l)
      + length (filter (one_of (map fst (calls false))) l) + length (filter left_alone l) /\
    length l = length (filter (one_of (map fst (calls true))) l) + length (filter second l)
      + length (filter (one_of (map fst (calls false))) l) + length (filter (one_of (map snd (calls false))) l)
      + length (filter left_alone l) + length (filter idle l)).
  { induction l as [|v l IH]; intros H; [now split|].
    specialize (IH (fun w Hw => H w (or_intror Hw))). pose proof (kinds v (H v (or_introl eq_refl))) as K.
    rewrite !one_more. cbn [length]. lia. }
  specialize (All (seq 0 n) ltac:(intros v Hv; apply in_seq in Hv; lia)). rewrite seq_length in All. unfold node in *. lia.
Qed.

End Places.

(** ** What a network has of places *)

Definition neighbours (G : network) : list (node * node) :=
  filter (fun p => (fst p <? snd p) &&& (is_arc G (fst p) (snd p) ||| is_arc G (snd p) (fst p)))
    (list_prod (seq 0 (size G)) (seq 0 (size G))).

Definition pairs (G : network) : list token := map (fun p => Pair (fst p) (snd p)) (neighbours G).
Definition merged (G : network) : list token := map (fun p => Merged (fst p) (snd p)) (callable telegraph G).
Definition lonely (G : network) : list token := map Alone (seq 0 (size G)).

Lemma in_pairs G u v : arc G u v -> In (pair_of u v) (pairs G).
Proof.
  intros A. unfold pairs, pair_of. apply in_map_iff. exists (Nat.min u v, Nat.max u v). split; [reflexivity|].
  unfold neighbours. apply filter_In. destruct A as [Hu [Hv [N A]]].
  rewrite in_prod_iff, !in_seq, and_true, or_true, !is_arc_spec. simpl. rewrite Nat.ltb_lt.
  split; [lia|]. split; [lia|]. assert (Arc : arc G u v) by (unfold arc; auto).
  destruct (Nat.le_ge_cases u v) as [L|L].
  - left. now rewrite Nat.min_l, Nat.max_r by lia.
  - right. now rewrite Nat.min_r, Nat.max_l by lia.
Qed.

Lemma in_merged G u v : In (Merged u v) (merged G) <-> arc G u v.
Proof.
  unfold merged. rewrite in_map_iff. split.
  - intros [[x y] [E H]]. simpl in E. injection E as -> ->. apply callable_spec in H. apply H.
  - intros A. exists (u, v). split; [reflexivity|]. apply callable_spec.
    split; [split; [exact A|]|]; discriminate.
Qed.

Lemma in_lonely G v : In (Alone v) (lonely G) <-> v < size G.
Proof.
  unfold lonely. rewrite in_map_iff. split.
  - intros [w [E H]]. injection E as ->. apply in_seq in H. lia.
  - intros H. exists v. split; [reflexivity|]. apply in_seq. lia.
Qed.

Lemma legal_inside_round G r : legal_round telegraph G r -> inside (size G) r.
Proof. intros [A _] u v C. destruct (A u v C) as [[? [? _]] _]. auto. Qed.

(** Which nodes are second in a merged place, and then which links are pairs. *)
Definition says_vector (n : nat) (O : list node) (r : round) (nodes : list node) (links : list token) : list bool :=
  map (second O r) nodes ++ map (says_token n O r) links.

(** ** What the rounds within have to do *)

Theorem reached G O D opening middle closing a b :
  legal telegraph G (framed opening middle closing) ->
  (forall o d, In o O -> In d D -> flow telegraph (framed opening middle closing) o d) ->
  says_token (size G) O opening a = true -> says_token (size G) D (map turned closing) b = true ->
  exists x y, In x (nodes_of a) /\ In y (nodes_of b) /\ flow telegraph middle x y.
Proof.
  intros L F Sa Sb. apply legal_framed in L. destruct L as [Lo [_ Lc]].
  assert (Lt : legal_round telegraph (reverse G) (map turned closing)).
  { assert (B : legal telegraph (reverse G) (backward [closing])).
    { apply legal_backward. intros q [<-|[]]. exact Lc. }
    apply B. now left. }
  destruct (giver_of (size G) O opening (legal_inside_round G _ Lo) (proj2 Lo) a Sa) as [o [Go Po]].
  destruct (giver_of (size G) D (map turned closing) (legal_inside_round (reverse G) _ Lt) (proj2 Lt) b Sb)
    as [d [Gd Pd]].
  specialize (F o d Go Gd). apply flow_framed in F. destruct F as [x [y [Hx [F Hy]]]].
  exists x, y. split; [now apply Po|]. split; [|exact F]. apply Pd. rewrite in_turned.
  destruct Hy as [->|Hy]; [now left|now right].
Qed.

(** ** Half of the nodes *)

Definition some_nodes (p : nat) (G : network) (l : list node) : Prop :=
  NoDup l /\ length l = p /\ forall v, In v l -> v < size G.

Definition half (G : network) : nat := (size G + 1) / 2.

Lemma silent_nodes G r : legal_round telegraph G r ->
  exists l, some_nodes (half G) G l /\ forall v, In v l -> ~ calling r v.
Proof.
  intros L. set (silent := filter (fun v => if calling_dec r v then false else true) (seq 0 (size G))).
  set (loud := filter (fun v => if calling_dec r v then true else false) (seq 0 (size G))).
  assert (Split : length loud + length silent = size G).
  { unfold loud, silent. rewrite <- (seq_length (size G) 0) at 3. generalize (seq 0 (size G)). intros q.
    induction q as [|v q IH]; simpl; [reflexivity|]. destruct (calling_dec r v); simpl; lia. }
  assert (Few : length loud <= length r).
  { transitivity (length (map fst r)); [|now rewrite map_length].
    apply NoDup_incl_length; [apply NoDup_filter, seq_NoDup|].
    intros v H. apply filter_In in H. destruct H as [_ H].
    destruct (calling_dec r v) as [[w C]|]; [|discriminate].
    apply in_map_iff. now exists (v, w). }
  assert (Ends : 2 * length r <= size G).
  { rewrite <- ends_length. transitivity (length (seq 0 (size G))); [|now rewrite seq_length].
    apply NoDup_incl_length; [apply L|].
    intros v H. apply in_flat_map in H. destruct H as [[x y] [C H]].
    destruct (legal_inside_round G r L x y C). apply in_seq. simpl in H. destruct H as [<-|[<-|[]]]; lia. }
  assert (Enough : half G <= length silent).
  { unfold half. apply Nat.lt_succ_r, Nat.div_lt_upper_bound; lia. }
  assert (In_silent : forall v, In v (firstn (half G) silent) -> In v silent).
  { intros v H. rewrite <- (firstn_skipn (half G) silent). apply in_or_app. now left. }
  exists (firstn (half G) silent). split; [split; [|split]|].
  - assert (D : NoDup (firstn (half G) silent ++ skipn (half G) silent)).
    { rewrite firstn_skipn. apply NoDup_filter, seq_NoDup. }
    clear - D. induction (firstn (half G) silent) as [|v l IH]; [constructor|]. simpl in D.
    inversion D; subst. constructor; [|auto]. intros X. apply H1, in_or_app. now left.
  - now apply firstn_length_le.
  - intros v H. apply In_silent in H. apply filter_In in H. destruct H as [H _]. apply in_seq in H. lia.
  - intros v H. apply In_silent in H. apply filter_In in H. destruct H as [_ H].
    now destruct (calling_dec r v).
Qed.
