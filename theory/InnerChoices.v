(** One-way gossip by its inner rounds, steps 4 and 5 of models/matching/claims/inner_rounds.py: of all choices
    of givers, takers and calls between the first round and the last, those with the fewest nodes whose place is
    itself alone, from which every arc leads to another place ([alone_next_to_places]); and of these one whose
    places are lexicographically largest, so at least its images ([largest_among_images]).  If there is a
    gossip, there is such a choice ([inner_choices_refuted]). *)

From Coq Require Import List Bool Arith Lia.
From Schedsolve Require Import Definitions Replay Variables Symmetry Automorphisms Reversal Premises.
From Schedsolve Require Import SettledRounds BusyEnds InnerCounting InnerRounds.
Import ListNotations.
Local Open Scope bool_scope.

(** Who gives, who takes, the second round of a gossip, the rounds within, and the last round but one. *)
Record choice := Choice {
  givers : list node; takers : list node; opening : round; within_rounds : schedule; closing : round }.

Definition rounds_of (c : choice) : schedule := framed (opening c) (within_rounds c) (closing c).

(** It is one backwards on the network with its arcs reversed. *)
Definition back (c : choice) : choice :=
  Choice (takers c) (givers c) (map turned (closing c)) (backward (within_rounds c)) (map turned (opening c)).

Lemma rounds_back c : rounds_of (back c) = backward (rounds_of c).
Proof. unfold rounds_of. now rewrite framed_backward. Qed.

Section Choices.
Variables (p k : nat).

Definition chosen (G : network) (c : choice) : Prop :=
  some_nodes p G (givers c) /\ some_nodes p G (takers c) /\ legal telegraph G (rounds_of c) /\
  length (within_rounds c) = k /\
  forall o d, In o (givers c) -> In d (takers c) -> flow telegraph (rounds_of c) o d.

Lemma chosen_back G c : chosen G c -> chosen (reverse G) (back c).
Proof.
  intros [O [D [L [E F]]]]. split; [exact D|]. split; [exact O|]. split; [|split].
  - rewrite rounds_back. now apply legal_backward.
  - simpl. unfold backward. now rewrite rev_length, map_length.
  - rewrite rounds_back. intros d o Hd Ho. apply flow_backward. now apply F.
Qed.

(** ** Step 4: the fewest nodes alone *)

Definition alone_at (n : nat) (O : list node) (r : round) : nat := length (filter (left_alone n O r)
  (seq 0 n)).
Definition all_alone (n : nat) (c : choice) : nat :=
  alone_at n (givers c) (opening c) + alone_at n (takers c) (map turned (closing c)).

Definition least_alone (G : network) (c : choice) : Prop :=
  chosen G c /\ forall d, chosen G d -> all_alone (size G) c <= all_alone (size G) d.

Lemma alone_back n c : all_alone n (back c) = all_alone n c.
Proof. unfold all_alone, back. simpl. rewrite turned_twice. lia. Qed.

Lemma least_back G c : least_alone G c -> least_alone (reverse G) (back c).
Proof.
  intros [C Least]. split; [now apply chosen_back|]. intros d Cd. simpl. rewrite alone_back.
  apply chosen_back in Cd. rewrite reverse_twice in Cd. specialize (Least (back d) Cd).
  now rewrite alone_back in Least.
Qed.

(** Let o call v in place of what the two do. *)
Definition others (o v : node) (r : round) : round :=
  filter (fun c => negb (one_of [o; v] (fst c) ||| one_of [o; v] (snd c))) r.

Lemma in_others o v r x y : In (x, y) (others o v r) <->
  In (x, y) r /\ x <> o /\ x <> v /\ y <> o /\ y <> v.
Proof.
  unfold others. rewrite filter_In, negb_true_iff, <- not_true_iff_false, or_true, !one_of_spec. simpl.
  intuition congruence.
Qed.

Lemma others_ends o v r : NoDup (ends r) -> NoDup (ends (others o v r)).
Proof.
  unfold others. induction r as [|[x y] r IH]; simpl; intros D; [constructor|].
  inversion D as [|? ? Nx D']; subst. inversion D' as [|? ? Ny D'']; subst. specialize (IH D'').
  assert (Sub : forall z, In z (ends (others o v r)) -> In z (ends r)).
  { intros z Hz. apply in_flat_map in Hz. destruct Hz as [c [Hc Hz]]. unfold others in Hc.
    apply filter_In in Hc. apply in_flat_map. exists c. tauto. }
  unfold others in Sub. match goal with |- context [if ?b then _ else _] => destruct b end; [|exact IH].
  simpl. constructor.
  - intros [->|H]; [apply Nx; now left|]. apply Nx. right. now apply Sub.
  - constructor; [|exact IH]. intros H. apply Ny. now apply Sub.
Qed.

Theorem alone_next_to_places G c o v : least_alone G c ->
  left_alone (size G) (givers c) (opening c) o = true -> arc G o v ->
  exists x y, In (x, y) (opening c) /\ In x (givers c) /\ (x = v \/ y = v).
Proof.
  intros [[SO [SD [L [E F]]]] Least] A Arc. destruct c as [O D r m q]. unfold rounds_of in *. simpl in *.
  destruct (existsb (fun c => one_of O (fst c) &&& one_of [fst c; snd c] v) r) eqn:X.
  { apply existsb_exists in X. destruct X as [[x y] [C X]]. rewrite and_true, !one_of_spec in X. simpl in X.
    exists x, y. intuition. }
  exfalso. assert (Unused : forall x y, In (x, y) r -> In x O -> x <> v /\ y <> v).
  { intros x y C Gx. rewrite <- not_true_iff_false, existsb_exists in X.
    split; intros Q; apply X; exists (x, y); (split; [exact C|]); rewrite and_true, !one_of_spec; simpl;
      auto. }
  clear X. pose proof L as L'. apply legal_framed in L'. destruct L' as [[Arcs Dis] [Lm Lq]].
  pose proof (legal_inside_round G r (conj Arcs Dis)) as I.
  apply (left_alone_spec (size G) O r I) in A. destruct A as [Go [N1 N2]].
  assert (Kept : forall x y, In (x, y) r -> In x O -> In (x, y) (others o v r)).
  { intros x y C Gx. destruct (Unused x y C Gx) as [U1 U2]. apply in_others. split; [exact C|].
    split; [intros ->; now apply (N1 y)|]. split; [exact U1|].
    split; [intros ->; now apply (N2 x)|exact U2]. }
  set (r' := (o, v) :: others o v r).
  assert (Lr : legal_round telegraph G r').
  { destruct Arc as [Ho [Hv [N Arc]]]. split.
    - intros x y [Q|C]; [injection Q as <- <-; split; [unfold arc; auto|discriminate]|].
      apply in_others in C. now apply Arcs.
    - simpl. assert (No : forall z, In z (ends (others o v r)) -> z <> o /\ z <> v).
      { intros z Hz. apply in_flat_map in Hz. destruct Hz as [[x y] [C Hz]]. apply in_others in C.
        simpl in Hz. destruct Hz as [<-|[<-|[]]]; tauto. }
      constructor; [|constructor; [|now apply others_ends]].
      + intros [Q|H]; [now symmetry in Q|]. now apply No in H.
      + intros H. now apply No in H. }
  pose proof (legal_inside_round G r' Lr) as I'.
  assert (C : chosen G (Choice O D r' m q)).
  { split; [exact SO|]. split; [exact SD|]. split; [|split; [exact E|]].
    - apply legal_framed. auto.
    - unfold rounds_of. simpl. intros g d Hg Hd. specialize (F g d Hg Hd). apply flow_framed in F.
      apply flow_framed. destruct F as [x [y [Hx Rest]]]. exists x, y. split; [|exact Rest].
      destruct Hx as [Hx|Hx]; [now left|right]. right. now apply Kept. }
  specialize (Least _ C). unfold all_alone in Least. simpl in Least.
  enough (alone_at (size G) O r' < alone_at (size G) O r) by lia.
  unfold alone_at. apply count_less with (o := o).
  - intros x H. apply (left_alone_spec (size G) O r' I') in H. destruct H as [Gx [M1 M2]].
    apply (left_alone_spec (size G) O r I). split; [exact Gx|]. split.
    + intros u C'. apply (M1 u). right. now apply Kept.
    + intros u Gu C'. apply (M2 u Gu). right. now apply Kept.
  - apply in_seq. destruct Arc as [? _]. lia.
  - apply not_true_is_false. rewrite (left_alone_spec (size G) O r' I'). intros [_ [M1 _]].
    apply (M1 v). now left.
  - apply (left_alone_spec (size G) O r I). auto.
Qed.

(** ** Step 5: the lexicographically largest *)

Definition tokens (G : network) : list token := pairs G ++ merged G ++ lonely G.

Lemma token_inside G t : In t (tokens G) ->
  (forall v, In v (nodes_of t) -> v < size G) /\ match t with Merged u _ => u < size G | _ => True end.
Proof.
  intros Ht. unfold tokens in Ht. rewrite !in_app_iff in Ht.
  assert (Not : forall {A} (f : A -> token) l, (forall x, f x <> t) -> ~ In t (map f l)).
  { intros A f l N H. apply in_map_iff in H. destruct H as [x [E _]]. now apply (N x). }
  destruct t as [u v|u v|v]; destruct Ht as [Ht|[Ht|Ht]]; try (exfalso; revert Ht; apply Not; intros;
    discriminate).
  - unfold pairs in Ht. apply in_map_iff in Ht. destruct Ht as [[x y] [E Ht]]. injection E as -> ->.
    unfold neighbours in Ht. apply filter_In in Ht. rewrite in_prod_iff, !in_seq in Ht.
    split; [|exact I]. intros w [<-|[<-|[]]]; lia.
  - apply in_merged in Ht. destruct Ht as [Hu [Hv _]]. split; [|exact Hu]. intros w [<-|[]]. exact Hv.
  - apply in_lonely in Ht. split; [|exact I]. intros w [<-|[]]. exact Ht.
Qed.

Definition vector (G : network) (c : choice) : list bool :=
  says_vector (size G) (givers c) (opening c) (seq 0 (size G)) (pairs G).

Definition largest (G : network) (c : choice) : Prop :=
  least_alone G c /\ forall d, least_alone G d -> at_least (vector G c) (vector G d) = true.

Definition moved_token (f : node -> node) (t : token) : token :=
  match t with Pair u v => pair_of (f u) (f v) | Merged u v => Merged (f u) (f v) | Alone v => Alone (f v)
    end.

Section Moved.
Variables (G : network) (f g : node -> node).
Hypothesis A : automorphism telegraph G f g.

Definition moved_choice (c : choice) : choice :=
  Choice (map g (givers c)) (map g (takers c)) (move_round g (opening c)) (move g (within_rounds c))
    (move_round g (closing c)).

Lemma rounds_moved c : rounds_of (moved_choice c) = move g (rounds_of c).
Proof. unfold rounds_of, framed, move. simpl. now rewrite map_app. Qed.

Lemma g_one_to_one u v : u < size G -> v < size G -> g u = g v -> u = v.
Proof.
  intros Hu Hv E. destruct A as [B _]. destruct (B u Hu) as [_ [_ [_ <-]]].
  destruct (B v Hv) as [_ [_ [_ <-]]].
  now rewrite E.
Qed.

Lemma f_one_to_one u v : u < size G -> v < size G -> f u = f v -> u = v.
Proof.
  intros Hu Hv E. destruct A as [B _]. destruct (B u Hu) as [_ [_ [<- _]]].
  destruct (B v Hv) as [_ [_ [<- _]]].
  now rewrite E.
Qed.

Lemma moved_nodes l : some_nodes p G l -> some_nodes p G (map g l).
Proof.
  intros [D [E I]]. split; [|split; [now rewrite map_length|]].
  - clear E. induction D as [|v l N D IH]; simpl; constructor.
    + intros H. apply in_map_iff in H. destruct H as [u [E Hu]]. apply N.
      rewrite (g_one_to_one v u); auto; apply I; [now left|now right].
    + apply IH. intros v' H. apply I. now right.
  - intros v H. apply in_map_iff in H. destruct H as [u [<- Hu]]. now apply A, I.
Qed.

Lemma in_moved l v : (forall u, In u l -> u < size G) -> v < size G -> (In v (map g l) <-> In (f v) l).
Proof.
  intros I Hv. destruct A as [B _]. rewrite in_map_iff. split.
  - intros [u [<- Hu]]. destruct (B u (I u Hu)) as [_ [_ [_ ->]]]. exact Hu.
  - intros H. exists (f v). split; [now apply B|exact H].
Qed.

Lemma moved_flow s : forall u v, flow telegraph s u v -> flow telegraph (move g s) (g u) (g v).
Proof.
  induction s as [|r s IH]; simpl; intros u v; [now intros ->|]. intros [w [T H]]. exists (g w).
  split; [|now apply IH]. destruct T as [->|T]; [now left|right]. apply tells_call in T. apply tells_call.
  unfold move_round. apply in_map_iff. now exists (u, w).
Qed.

Lemma moved_chosen c : chosen G c -> chosen G (moved_choice c).
Proof.
  intros [O [D [L [E F]]]].
  split; [now apply moved_nodes|]. split; [now apply moved_nodes|].
  split; [rewrite rounds_moved; now apply (moved_legal telegraph G f g A)|].
  split; [simpl; unfold move; now rewrite map_length|].
  rewrite rounds_moved. cbn [moved_choice givers takers]. intros o d Ho Hd. apply in_map_iff in Ho, Hd.
  destruct Ho as [o' [<- Ho]]. destruct Hd as [d' [<- Hd]]. now apply moved_flow, F.
Qed.

Section Round.
Variables (O : list node) (r : round).
Hypothesis inside_O : forall v, In v O -> v < size G.
Hypothesis inside_r : inside (size G) r.

Lemma in_moved_round u v : u < size G -> v < size G -> (In (u, v) (move_round g r) <-> In (f u, f v) r).
Proof.
  intros Hu Hv. rewrite <- !tells_call. now apply (moved_tells telegraph G f g A).
Qed.

Lemma inside_moved : inside (size G) (move_round g r).
Proof.
  intros u v H. unfold move_round in H. apply in_map_iff in H. destruct H as [[x y] [E H]].
  injection E as <- <-. destruct (inside_r x y H). destruct A as [B _]. split; now apply B.
Qed.

Lemma moved_says t : (forall v, In v (nodes_of t) -> v < size G) -> (forall u v, t = Merged u v ->
  u < size G) ->
  says_token (size G) (map g O) (move_round g r) t = says_token (size G) O r (moved_token f t).
Proof.
  intros I I'. destruct A as [B _].
  assert (Out : forall u v, u < size G -> v < size G ->
    leads_out (map g O) (move_round g r) u v = leads_out O r (f u) (f v)).
  { intros u v Hu Hv. apply eq_iff_true. now rewrite !leads_out_spec, in_moved_round, !in_moved. }
  destruct t as [u v|u v|v]; simpl in I.
  - assert (Hu : u < size G) by auto. assert (Hv : v < size G) by auto.
    unfold moved_token, pair_of. cbn [says_token]. rewrite !Out by assumption.
    destruct (Nat.le_ge_cases (f u) (f v)) as [H|H].
    + now rewrite Nat.min_l, Nat.max_r by lia.
    + rewrite Nat.min_r, Nat.max_l by lia.
      destruct (leads_out O r (f u) (f v)), (leads_out O r (f v) (f u)); reflexivity.
  - assert (Hu : u < size G) by (now apply (I' u v)). assert (Hv : v < size G) by auto.
    simpl. apply eq_iff_true. now rewrite !within_spec, in_moved_round, !in_moved.
  - assert (Hv : v < size G) by auto. simpl. apply eq_iff_true.
    rewrite (left_alone_spec _ _ _ inside_moved), (left_alone_spec _ _ _ inside_r), in_moved by auto.
    apply and_iff_compat_l. split; intros [N1 N2]; split.
    + intros u C. destruct (inside_r _ _ C) as [_ Hu]. destruct (B u Hu) as [_ [Hg [_ E]]].
      apply (N1 (g u)). apply in_moved_round; auto. now rewrite E.
    + intros u Gu C. destruct (inside_r _ _ C) as [Hu _]. destruct (B u Hu) as [_ [Hg [_ E]]].
      apply (N2 (g u)); [now apply in_map|]. apply in_moved_round; auto. now rewrite E.
    + intros u C. destruct (inside_moved _ _ C) as [_ Hu]. apply in_moved_round in C; auto.
      now apply (N1 (f u)).
    + intros u Gu C. destruct (inside_moved _ _ C) as [Hu _]. apply in_moved_round in C; auto.
      apply in_moved in Gu; auto. now apply (N2 (f u)).
Qed.

Lemma moved_second v : v < size G -> second (map g O) (move_round g r) v = second O r (f v).
Proof.
  intros Hv. apply eq_iff_true. rewrite !second_spec. pose proof (in_moved O v inside_O Hv) as V.
  destruct A as [B _]. split.
  - intros [u [C [Gu Gv]]]. destruct (inside_moved _ _ C) as [Hu _]. exists (f u).
    apply in_moved_round in C; auto. apply in_moved in Gu; auto. apply V in Gv. auto.
  - intros [u [C [Gu Gv]]]. destruct (inside_r _ _ C) as [Hu _]. destruct (B u Hu) as [_ [Hg [_ E]]].
    exists (g u). split; [apply in_moved_round; auto; now rewrite E|].
    split; [now apply in_map|now apply V].
Qed.

Lemma moved_alone : alone_at (size G) (map g O) (move_round g r) <= alone_at (size G) O r.
Proof.
  unfold alone_at. destruct A as [B _].
  apply (no_more_than (fun x y => y = f x)); [apply NoDup_filter, seq_NoDup| |].
  - intros v H. apply filter_In in H. destruct H as [Hv H]. apply in_seq in Hv.
    exists (f v). split; [|reflexivity]. apply filter_In. split; [apply in_seq; split; [lia|apply B; lia]|].
    change (says_token (size G) O r (moved_token f (Alone v)) = true).
    rewrite <- moved_says; [exact H| |discriminate].
    intros w [<-|[]]. lia.
  - intros x y t Hx Hy -> E. apply filter_In in Hx, Hy. rewrite !in_seq in *.
    apply f_one_to_one; [lia|lia|exact E].
Qed.

End Round.

Lemma turned_moved r : map turned (move_round g r) = move_round g (map turned r).
Proof. unfold move_round. rewrite !map_map. now apply map_ext. Qed.

Lemma chosen_inside c : chosen G c -> inside (size G) (opening c) /\ inside (size G) (closing c).
Proof.
  intros [_ [_ [L _]]]. apply legal_framed in L. destruct L as [Lo [_ Lc]].
  split; now apply legal_inside_round.
Qed.

Lemma moved_least c : least_alone G c -> least_alone G (moved_choice c).
Proof.
  intros [C Least]. split; [now apply moved_chosen|]. intros d Cd. specialize (Least d Cd).
  destruct (chosen_inside c C) as [Io Ic]. destruct C as [[_ [_ IO]] [[_ [_ ID]] _]].
  pose proof (moved_alone (givers c) (opening c) IO Io) as H1.
  pose proof (moved_alone (takers c) (map turned (closing c)) ID) as H2.
  unfold all_alone in *. simpl. rewrite turned_moved. enough (inside (size G) (map turned (closing c))) as I.
  { specialize (H2 I). lia. }
  intros u v H. rewrite in_turned in H. destruct (Ic v u H). auto.
Qed.

End Moved.

(** On an undirected network a choice backwards is a choice. *)
Lemma same_arcs G u v : directed G = false -> (arc (reverse G) u v <-> arc G u v).
Proof. intros U. unfold arc, reverse. simpl. rewrite !in_turned. intuition congruence. Qed.

Lemma chosen_either_way G c : directed G = false -> chosen (reverse G) c -> chosen G c.
Proof.
  intros U [O [D [L [E F]]]]. split; [exact O|]. split; [exact D|]. split; [|now split].
  intros r Hr. destruct (L r Hr) as [Arcs Dis]. split; [|exact Dis]. intros u v C.
  destruct (Arcs u v C) as [X _]. split; [now apply (same_arcs G u v U)|discriminate].
Qed.

Lemma least_either_way G c : directed G = false -> least_alone G c -> least_alone G (back c).
Proof.
  intros U [C Least]. split; [apply (chosen_either_way _ _ U), chosen_back, C|].
  intros d Cd. rewrite alone_back. exact (Least d Cd).
Qed.

Definition image_vector (G : network) (f : node -> node) (O : list node) (r : round) : list bool :=
  says_vector (size G) O r (map f (seq 0 (size G))) (map (moved_token f) (pairs G)).

(** What a largest choice is at least: images of it, and, on an undirected network, of it backwards. *)
Theorem largest_among_images G f g c : automorphism telegraph G f g -> largest G c ->
  at_least (vector G c) (image_vector G f (givers c) (opening c)) = true
  /\ (directed G = false ->
  at_least (vector G c) (image_vector G f (takers c) (map turned (closing c))) = true).
Proof.
  intros A [Lc Large].
  assert (Image : forall d, least_alone G d -> vector G (moved_choice g d) =
    image_vector G f (givers d) (opening d)).
  { intros d [C _]. destruct (chosen_inside G d C) as [Io _]. destruct C as [[_ [_ IO]] _].
    unfold vector, image_vector, says_vector. rewrite !map_map. f_equal; apply map_ext_in.
    - intros v Hv. apply in_seq in Hv. apply (moved_second G f g A); [exact IO|exact Io|lia].
    - intros t Ht. destruct (token_inside G t (in_or_app _ _ _ (or_introl Ht))) as [I1 I2].
      apply (moved_says G f g A); [exact IO|exact Io|exact I1|]. intros u v ->. apply I2. }
  split.
  - rewrite <- (Image c Lc). apply Large. now apply (moved_least G f g A).
  - intros U. change (at_least (vector G c) (image_vector G f (givers (back c)) (opening (back c))) = true).
    rewrite <- (Image (back c)) by now apply least_either_way.
    apply Large. apply (moved_least G f g A). now apply least_either_way.
Qed.

(** If there is a choice, there is a largest one. *)
Theorem largest_refuted G : (forall c, ~ largest G c) -> forall c, ~ chosen G c.
Proof.
  intros N. apply (no_least (chosen G) (all_alone (size G))). intros x Cx Lx.
  assert (Ax : least_alone G x) by now split. revert Ax.
  apply (no_least (least_alone G) (fun y => 2 ^ (size G + length (pairs G)) - value (vector G y))). clear x Cx Lx.
  intros x Ax Lx. apply (N x). split; [exact Ax|]. intros y Ay. specialize (Lx y Ay).
  destruct (at_least (vector G x) (vector G y)) eqn:E; [reflexivity|exfalso].
  assert (Len : forall z, length (vector G z) = size G + length (pairs G)).
  { intros z. unfold vector, says_vector. now rewrite app_length, !map_length, seq_length. }
  apply less_value in E; [|now rewrite !Len]. pose proof (value_below (vector G y)) as V. rewrite Len in V.
  lia.
Qed.

End Choices.

(** ** A gossip makes a choice *)

Theorem choice_of_gossip G k : gossip telegraph G (4 + k) -> exists c, chosen (half G) k G c.
Proof.
  intros H. apply gossip_by_origins in H. destruct H as [first [middle [last [E [L R]]]]].
  pose proof L as L'. apply legal_framed in L'. destruct L' as [Lf [Lm Ll]].
  destruct (is_framed middle) as [opening [inside [closing ->]]]; [lia|].
  destruct (silent_nodes G first Lf) as [O [SO NO]].
  assert (Lt : legal_round telegraph (reverse G) (map turned last)).
  { assert (B : legal telegraph (reverse G) (backward [last])).
    { apply legal_backward. intros q [<-|[]]. exact Ll. }
    apply B. now left. }
  destruct (silent_nodes (reverse G) (map turned last) Lt) as [D [SD ND]].
  exists (Choice O D opening inside closing). split; [exact SO|]. split; [exact SD|]. split; [exact Lm|].
  split.
  - unfold framed in E. simpl in *. rewrite app_length in E. simpl in E. lia.
  - intros o d Ho Hd. apply R; [now apply SO|now apply SD|now apply NO|].
    intros [u C]. apply (ND d Hd). exists u. now apply in_turned.
Qed.

(** Steps 1 to 5: without a largest choice there is no gossip. *)
Theorem inner_choices_refuted G k : (forall c, ~ largest (half G) k G c) -> ~ gossip telegraph G (4 + k).
Proof.
  intros N H. apply choice_of_gossip in H. destruct H as [c C]. revert C. now apply largest_refuted.
Qed.
