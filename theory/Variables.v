(** The variables of the formulas, "link number a is called in round t" and "node v knows item i after round t",
    and their numbers, which are those that schedsolve gives them. *)

From Coq Require Import List Bool Arith NArith Lia Sorting.Sorted.
From Schedsolve Require Import Definitions Replay Checker.
Import ListNotations.
Local Open Scope bool_scope.

(** Rounds and links count from 0; [Held t] is after t rounds. *)
Inductive var := Call (t a : nat) | Held (t v i : nat).

Definition named_clause := list (bool * var).
Definition valuation := var -> bool.
Definition named_satisfied (a : valuation) (c : named_clause) : Prop :=
  exists b x, In (b, x) c /\ a x = b.
Definition named_model (a : valuation) (f : list named_clause) : Prop :=
  forall c, In c f -> named_satisfied a c.

(** No two of the variables hold, said pair by pair. *)
Fixpoint at_most_one (l : list var) : list named_clause :=
  match l with
  | [] => []
  | x :: l' => map (fun y => [(false, x); (false, y)]) l' ++ at_most_one l'
  end.

Lemma at_most_one_sound a l :
  NoDup l -> (forall x y, In x l -> In y l -> a x = true -> a y = true -> x = y) ->
  named_model a (at_most_one l).
Proof.
  induction l as [|x l IH]; simpl; intros D H c Hc; [destruct Hc|].
  inversion D as [|? ? Nx Dl]; subst. apply in_app_or in Hc. destruct Hc as [Hc|Hc].
  - apply in_map_iff in Hc. destruct Hc as [y [<- Hy]].
    destruct (a x) eqn:Ax.
    + exists false, y. split; [simpl; auto|]. destruct (a y) eqn:Ay; [|reflexivity].
      assert (x = y) by (apply H; auto). subst. contradiction.
    + exists false, x. simpl; auto.
  - apply IH; auto.
Qed.

Lemma named_model_app a f g : named_model a (f ++ g) <-> named_model a f /\ named_model a g.
Proof.
  unfold named_model. split.
  - intros H. split; intros c Hc; apply H, in_or_app; auto.
  - intros [H1 H2] c Hc. apply in_app_or in Hc. destruct Hc; auto.
Qed.

Lemma named_model_flat_map {A} a (f : A -> list named_clause) l :
  (forall x, In x l -> named_model a (f x)) -> named_model a (flat_map f l).
Proof. intros H c Hc. apply in_flat_map in Hc. destruct Hc as [x [Hx Hc]]. now apply (H x). Qed.

(** ** The numbers *)

Section Numbers.
Variables slots count nodes kinds : N.   (* rounds with variables of their own, links, nodes, items *)

Definition number (x : var) : positive :=
  match x with
  | Call t a => N.succ_pos (N.of_nat t * count + N.of_nat a)
  | Held t v i => N.succ_pos (slots * count + ((N.of_nat t * nodes + N.of_nat v) * kinds + N.of_nat i))
  end.

Definition fits (x : var) : bool :=
  match x with
  | Call t a => (N.of_nat t <? slots)%N &&& (N.of_nat a <? count)%N
  | Held _ v i => (N.of_nat v <? nodes)%N &&& (N.of_nat i <? kinds)%N
  end.

Definition named (p : positive) : var :=
  let k := Pos.pred_N p in
  if (k <? slots * count)%N then Call (N.to_nat (k / count)) (N.to_nat (k mod count))
  else
    let q := (k - slots * count)%N in
    Held (N.to_nat (q / kinds / nodes)) (N.to_nat ((q / kinds) mod nodes)) (N.to_nat (q mod kinds)).

Lemma divided a b c : (b < c -> (a * c + b) / c = a /\ (a * c + b) mod c = b)%N.
Proof.
  intros H. split.
  - rewrite N.div_add_l by lia. rewrite N.div_small by exact H. lia.
  - rewrite N.add_comm, N.mod_add by lia. now apply N.mod_small.
Qed.

Lemma named_number x : fits x = true -> named (number x) = x.
Proof.
  unfold named. destruct x as [t a|t v i]; simpl; rewrite and_true, !N.ltb_lt; intros [H1 H2];
    rewrite N.pos_pred_succ.
  - assert (B : (N.of_nat t * count + N.of_nat a < slots * count)%N).
    { apply N.lt_le_trans with (N.succ (N.of_nat t) * count)%N; [lia|].
      apply N.mul_le_mono_r. lia. }
    apply N.ltb_lt in B. rewrite B.
    destruct (divided (N.of_nat t) (N.of_nat a) count H2) as [-> ->].
    now rewrite !Nnat.Nat2N.id.
  - assert (B : (slots * count + ((N.of_nat t * nodes + N.of_nat v) * kinds + N.of_nat i)
                 <? slots * count)%N = false) by (apply N.ltb_ge; lia).
    rewrite B. rewrite N.add_comm, N.add_sub.
    destruct (divided (N.of_nat t * nodes + N.of_nat v) (N.of_nat i) kinds H2) as [-> ->].
    destruct (divided (N.of_nat t) (N.of_nat v) nodes H1) as [-> ->].
    now rewrite !Nnat.Nat2N.id.
Qed.

Definition numbered (c : named_clause) : clause := map (fun l => (fst l, number (snd l))) c.
Definition of_names (a : valuation) : assignment := fun p => a (named p).

Lemma numbered_model a f :
  forallb (forallb (fun l => fits (snd l))) f = true -> named_model a f ->
  model (of_names a) (map numbered f).
Proof.
  intros F M c Hc. apply in_map_iff in Hc. destruct Hc as [d [<- Hd]].
  destruct (M d Hd) as [b [x [Hx E]]]. exists (b, number x). split.
  - unfold numbered. apply in_map_iff. now exists (b, x).
  - unfold holds, of_names. simpl. rewrite named_number; [exact E|].
    rewrite forallb_forall in F. specialize (F d Hd). rewrite forallb_forall in F. exact (F _ Hx).
Qed.

End Numbers.

(** ** The links of a network *)

Lemma NoDup_app_intro {A} (l k : list A) :
  NoDup l -> NoDup k -> (forall x, In x l -> ~ In x k) -> NoDup (l ++ k).
Proof.
  intros Dl Dk H. induction Dl as [|x l Nx Dl IH]; simpl; [exact Dk|]. constructor.
  - intros Hx. apply in_app_or in Hx. destruct Hx as [Hx|Hx]; [contradiction|].
    apply (H x); [now left|exact Hx].
  - apply IH. intros y Hy. apply H. now right.
Qed.

Lemma NoDup_rows {A B} (f : A -> list B) l :
  NoDup l -> (forall u, NoDup (f u)) -> NoDup (flat_map (fun u => map (pair u) (f u)) l).
Proof.
  intros D F. induction D as [|u l N D IH]; simpl; [constructor|]. apply NoDup_app_intro.
  - specialize (F u). induction F as [|v k Nv F IHk]; simpl; constructor; [|exact IHk].
    intros H. apply in_map_iff in H. destruct H as [w [E H]]. congruence.
  - exact IH.
  - intros p H1 H2. apply in_map_iff in H1. destruct H1 as [v [<- _]].
    apply in_flat_map in H2. destruct H2 as [w [Hw H2]]. apply in_map_iff in H2.
    destruct H2 as [x [E _]]. inversion E; subst. contradiction.
Qed.

Lemma NoDup_list_prod {A B} (l : list A) (k : list B) : NoDup l -> NoDup k -> NoDup (list_prod l k).
Proof.
  intros Dl Dk. replace (list_prod l k) with (flat_map (fun u => map (pair u) k) l); [now apply NoDup_rows|].
  induction l as [|x l IH]; simpl; [reflexivity|]. inversion Dl; subst. now rewrite IH.
Qed.

(** Numbers in order, each once. *)
Fixpoint placed_in (v : node) (l : list node) : list node :=
  match l with
  | [] => [v]
  | x :: l' => if v =? x then l else if v <? x then v :: l else x :: placed_in v l'
  end.
Definition in_order_once : list node -> list node := fold_right placed_in [].

Lemma in_placed_in v u l : In u (placed_in v l) <-> u = v \/ In u l.
Proof.
  induction l as [|x l IH]; simpl; [intuition|]. destruct (v =? x) eqn:E.
  - apply Nat.eqb_eq in E. subst. simpl. intuition.
  - destruct (v <? x); simpl; rewrite ?IH; intuition.
Qed.

Lemma in_once u l : In u (in_order_once l) <-> In u l.
Proof. induction l as [|v l IH]; simpl; [reflexivity|]. rewrite in_placed_in, IH. intuition. Qed.

Lemma increasing_placed v l : StronglySorted lt l -> StronglySorted lt (placed_in v l).
Proof.
  intros S. induction S as [|x l S IH F]; simpl; [repeat constructor|]. destruct (v =? x) eqn:E.
  - now constructor.
  - apply Nat.eqb_neq in E. destruct (v <? x) eqn:L.
    + apply Nat.ltb_lt in L. constructor; [now constructor|]. constructor; [exact L|].
      apply Forall_impl with (2 := F). intros. lia.
    + apply Nat.ltb_ge in L. constructor; [exact IH|]. apply Forall_forall. intros u Hu.
      apply in_placed_in in Hu. rewrite Forall_forall in F. destruct Hu as [->|Hu]; [lia|auto].
Qed.

Lemma increasing_once l : StronglySorted lt (in_order_once l).
Proof. induction l as [|v l IH]; simpl; [constructor|now apply increasing_placed]. Qed.

Lemma increasing_NoDup l : StronglySorted lt l -> NoDup l.
Proof.
  intros S. induction S as [|x l S IH F]; constructor; [|exact IH]. intros H.
  rewrite Forall_forall in F. specialize (F x H). lia.
Qed.

(** Every call that may be made, in the two-way mode once, with the lower end first; sorted. *)
Definition callable (m : mode) (G : network) : list (node * node) :=
  let t := table G in
  flat_map (fun u => map (pair u)
    (filter (fun v => if is_telephone m then (u <? v) &&& called_in m t u v else true)
      (in_order_once (next_in t u)))) (seq 0 (size G)).

Lemma callable_spec m G u v :
  In (u, v) (callable m G) <-> may_call m G u v /\ (m = telephone -> u < v).
Proof.
  unfold callable. cbv zeta. rewrite in_flat_map. split.
  - intros [w [_ H]]. apply in_map_iff in H. destruct H as [x [E H]]. inversion E; subst.
    apply filter_In in H. rewrite in_once in H. unfold table in H at 1. rewrite table_spec, arcs_spec in H.
    destruct H as [A H]. destruct m; simpl in H.
    + split; [split; [exact A|discriminate]|discriminate].
    + rewrite and_true, Nat.ltb_lt, called_in_spec in H. tauto.
  - intros [H1 H2]. pose proof H1 as [A _]. exists u. split; [apply in_seq; destruct A; lia|].
    apply in_map_iff. exists v. split; [reflexivity|]. apply filter_In. rewrite in_once. split.
    + unfold table. now rewrite table_spec, arcs_spec.
    + destruct m; [reflexivity|]. simpl. rewrite and_true, Nat.ltb_lt, called_in_spec. auto.
Qed.

Lemma NoDup_callable m G : NoDup (callable m G).
Proof.
  apply NoDup_rows; [apply seq_NoDup|]. intros u. apply NoDup_filter, increasing_NoDup, increasing_once.
Qed.

(** A list with the places of its elements. *)
Fixpoint placed {A} (k : nat) (l : list A) : list (nat * A) :=
  match l with
  | [] => []
  | x :: l' => (k, x) :: placed (S k) l'
  end.

Lemma in_placed {A} (l : list A) : forall k j x,
  In (j, x) (placed k l) <-> k <= j /\ nth_error l (j - k) = Some x.
Proof.
  induction l as [|y l IH]; simpl; intros k j x; split.
  - tauto.
  - intros [_ H]. destruct (j - k); discriminate.
  - intros [H|H].
    + inversion H; subst. rewrite Nat.sub_diag. split; [lia|reflexivity].
    + apply IH in H. destruct H as [H1 H2]. split; [lia|].
      now replace (j - k) with (S (j - S k)) by lia.
  - intros [H1 H2]. destruct (Nat.eq_dec j k) as [->|N].
    + left. rewrite Nat.sub_diag in H2. simpl in H2. congruence.
    + right. apply IH. split; [lia|]. now replace (j - k) with (S (j - S k)) in H2 by lia.
Qed.

Lemma in_placed0 {A} (l : list A) j x : In (j, x) (placed 0 l) <-> nth_error l j = Some x.
Proof. rewrite in_placed, Nat.sub_0_r. intuition lia. Qed.

Lemma placed_places {A} (l : list A) : forall k, map fst (placed k l) = seq k (length l).
Proof. induction l as [|x l IH]; simpl; intros k; [reflexivity|]. now rewrite IH. Qed.

Lemma NoDup_places {A} (f : nat * A -> bool) (l : list A) : NoDup (map fst (filter f (placed 0 l))).
Proof.
  assert (H : NoDup (map fst (placed 0 l))) by (rewrite placed_places; apply seq_NoDup).
  induction (placed 0 l) as [|p q IH]; simpl; [constructor|].
  simpl in H. inversion H as [|? ? N D]; subst. destruct (f p); simpl; [|auto].
  constructor; [|auto]. intros Hp. apply N. apply in_map_iff in Hp. destruct Hp as [x [E Hx]].
  apply in_map_iff. exists x. split; [exact E|]. now apply filter_In in Hx.
Qed.

Lemma same_place m G j k p :
  nth_error (callable m G) j = Some p -> nth_error (callable m G) k = Some p -> j = k.
Proof.
  intros Hj Hk. apply (proj1 (NoDup_nth_error _) (NoDup_callable m G)).
  - apply nth_error_Some. congruence.
  - congruence.
Qed.

(** ** Who talks to whom in a legal round *)

Definition talk (r : round) (u v : node) : Prop := In (u, v) r \/ In (v, u) r.

Lemma tells_talk m r u v : tells m r u v -> talk r u v.
Proof. intros [H|[_ H]]; [now left|now right]. Qed.

Lemma tells_symmetric r u v : tells telephone r u v -> tells telephone r v u.
Proof. intros [H|[_ H]]; [right; auto|now left]. Qed.

Lemma ends_of r u v : In (u, v) r -> In u (ends r) /\ In v (ends r).
Proof. intros H. unfold ends. split; apply in_flat_map; exists (u, v); simpl; auto. Qed.

Lemma one_partner r : NoDup (ends r) -> forall v u w, u <> v -> w <> v -> talk r u v -> talk r w v -> u = w.
Proof.
  induction r as [|[x y] r IH]; intros D v u w Nu Nw Hu Hw; [destruct Hu as [[]|[]]|].
  simpl in D. inversion D as [|? ? Dx D1]; subst. inversion D1 as [|? ? Dy D2]; subst.
  assert (E : forall z, z <> v -> talk ((x, y) :: r) z v ->
              (x = z /\ y = v) \/ (x = v /\ y = z) \/ talk r z v).
  { intros z _ [[E|H]|[E|H]]; try (inversion E; subst); auto; right; right; [left|right]; exact H. }
  assert (F : forall z, talk r z v -> v <> x /\ v <> y).
  { intros z [H|H]; apply ends_of in H; split; intros ->; simpl in Dx; tauto. }
  destruct (E u Nu Hu) as [[-> ->]|[[-> ->]|Hu']]; destruct (E w Nw Hw) as [[A B]|[[A B]|Hw']];
    subst; try congruence; try (now apply (IH D2 v));
    try (destruct (F _ Hw'); congruence); try (destruct (F _ Hu'); congruence).
Qed.

(** Calls both ways between two nodes share both. *)
Lemma no_way_back r u v : NoDup (ends r) -> In (u, v) r -> ~ In (v, u) r.
Proof.
  intros D H1 H2. destruct (Nat.eq_dec u v) as [->|N].
  - clear H2. induction r as [|[x y] r IH]; [destruct H1|]. simpl in D.
    inversion D as [|? ? Dx D1]; subst. inversion D1; subst.
    destruct H1 as [H1|H1]; [inversion H1; subst; simpl in Dx; tauto|auto].
  - induction r as [|[x y] r IH]; [destruct H1|]. simpl in D.
    inversion D as [|? ? Dx D1]; subst. inversion D1 as [|? ? Dy D2]; subst.
    destruct H1 as [H1|H1]; destruct H2 as [H2|H2]; auto.
    + congruence.
    + inversion H1; subst. apply ends_of in H2. simpl in Dx. tauto.
    + inversion H2; subst. apply ends_of in H1. simpl in Dx. tauto.
Qed.

(** Who calls is not called. *)
Lemma hears_only r u v w : NoDup (ends r) -> In (u, v) r -> ~ In (w, u) r.
Proof.
  intros D H1 H2. induction r as [|[x y] r IH]; [destruct H1|]. simpl in D.
  inversion D as [|? ? Dx D1]; subst. inversion D1 as [|? ? Dy D2]; subst.
  destruct H1 as [H1|H1]; destruct H2 as [H2|H2]; auto.
  - inversion H1; inversion H2; subst. simpl in Dx. tauto.
  - inversion H1; subst. apply ends_of in H2. simpl in Dx. tauto.
  - inversion H2; subst. apply ends_of in H1. tauto.
Qed.

Lemma legal_tells m G r u v : legal_round m G r -> tells m r u v -> may_call m G u v.
Proof.
  intros [L _] [H|[-> H]]; [now apply L|]. destruct (L v u H) as [A B]. split; [now apply B|auto].
Qed.

Lemma one_speaker m G r u w v :
  legal_round m G r -> tells m r u v -> tells m r w v -> u = w.
Proof.
  intros L Hu Hw.
  destruct (legal_tells m G r u v L Hu) as [[_ [_ [Nu _]]] _].
  destruct (legal_tells m G r w v L Hw) as [[_ [_ [Nw _]]] _].
  apply (one_partner r (proj2 L) v); auto; eapply tells_talk; eauto.
Qed.

Lemma one_listener m G r u v w :
  legal_round m G r -> tells m r u v -> tells m r u w -> v = w.
Proof.
  intros L Hv Hw.
  destruct (legal_tells m G r u v L Hv) as [[_ [_ [Nv _]]] _].
  destruct (legal_tells m G r u w L Hw) as [[_ [_ [Nw _]]] _].
  apply (one_partner r (proj2 L) u); auto; apply tells_talk in Hv, Hw;
    unfold talk in *; tauto.
Qed.
