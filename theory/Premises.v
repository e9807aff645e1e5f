(** What may be asked of a one-way gossip, if there is one (docs/certificates.md): "origins and destinations"
    and "fewest calls".

    Origins.  1. Who does not call in the first round keeps its item for itself in it; who is not called in the
    last round learns nothing in it.  So the items of the first have to come to the second in the rounds
    between.  2. That is enough: whoever calls in the first round tells its item a node that does not call, and
    whoever is called in the last is told all by a node that is not called.

    Fewest calls.  Let u call v in round t, which has not called before, and call w in round t' without having
    been called since; leave the call to w out.  3. What u did not know before round t' did not take that call.
    4. v's item is such a one.  What u knew in round t, v knows after it, and nobody else has heard of v's item;
    so wherever v's item comes, all that u knew comes too.  5. So this is a gossip, with fewer calls.  6. The
    gossip run backwards has the fewest calls too. *)

From Coq Require Import List Bool Arith Lia.
From Schedsolve Require Import Definitions Replay Variables Reversal.
Import ListNotations.

Definition calling (r : round) (u : node) : Prop := exists v, In (u, v) r.
Definition called (r : round) (v : node) : Prop := exists u, In (u, v) r.

Definition gossips (G : network) (s : schedule) : Prop := solves telegraph G (gossip_task G) s.

(** ** Who learns whose item *)

Lemma tells_call r u v : tells telegraph r u v <-> In (u, v) r.
Proof. unfold tells. intuition congruence. Qed.

Lemma gossips_flow G s : gossips G s <->
  legal telegraph G s /\ forall u v, u < size G -> v < size G -> flow telegraph s u v.
Proof.
  unfold gossips, solves. simpl. apply and_iff_compat_l. split.
  - intros H u v Hu Hv. specialize (H v u Hv Hu eq_refl). apply after_flow in H.
    destruct H as [w [E F]]. apply Nat.eqb_eq in E. now subst.
  - intros H v i Hv Hi _. apply after_flow. exists i. split; [apply Nat.eqb_refl|]. now apply H.
Qed.

(** An item that nobody sends stays; a node that nobody calls learns nothing. *)
Lemma flow_stays s u : forall v, (forall r, In r s -> ~ calling r u) -> flow telegraph s u v -> v = u.
Proof.
  induction s as [|r s IH]; simpl; intros v N F; [now symmetry|].
  destruct F as [w [[E|T] F]].
  - subst w. apply IH; [|exact F]. intros q Hq. apply N. now right.
  - exfalso. apply (N r (or_introl eq_refl)). exists w. now apply tells_call.
Qed.

Lemma flow_came s v : forall u, (forall r, In r s -> ~ called r v) -> flow telegraph s u v -> u = v.
Proof.
  induction s as [|r s IH]; simpl; intros u N F; [exact F|].
  destruct F as [w [T F]]. apply IH in F; [|intros q Hq; apply N; now right]. subst w.
  destruct T as [E|T]; [exact E|]. exfalso. apply (N r (or_introl eq_refl)). exists u. now apply tells_call.
Qed.

Lemma flow_dec G s u v : legal telegraph G s -> u < size G -> v < size G ->
  {flow telegraph s u v} + {~ flow telegraph s u v}.
Proof.
  intros L Hu Hv.
  destruct (nth v (known telegraph (size G) s (Nat.eqb u)) false) eqn:E.
  - left. apply (known_spec telegraph G s (fun x _ => u = x) _ 0 L) in E;
      [|intros; apply Nat.eqb_eq|exact Hv].
    apply after_flow in E. destruct E as [x [<- F]]. exact F.
  - right. intros F. rewrite <- Bool.not_true_iff_false in E. apply E.
    apply (known_spec telegraph G s (fun x _ => u = x) _ 0 L); [intros; apply Nat.eqb_eq|exact Hv|].
    apply after_flow. now exists u.
Qed.

(** ** Origins and destinations *)

Definition framed (first : round) (middle : schedule) (last : round) : schedule := first :: middle ++ [last].

Lemma flow_framed first middle last u v : flow telegraph (framed first middle last) u v <->
  exists x y, (u = x \/ In (u, x) first) /\ flow telegraph middle x y /\ (y = v \/ In (y, v) last).
Proof.
  unfold framed. simpl. split.
  - intros [x [T F]]. apply flow_app in F. destruct F as [y [F [z [T' E]]]]. simpl in E. subst z.
    exists x, y. now rewrite tells_call in T, T'.
  - intros [x [y [T [F T']]]]. exists x. rewrite tells_call. split; [exact T|]. apply flow_app.
    exists y. split; [exact F|]. exists v. now rewrite tells_call.
Qed.

Lemma legal_framed G first middle last : legal telegraph G (framed first middle last) <->
  legal_round telegraph G first /\ legal telegraph G middle /\ legal_round telegraph G last.
Proof.
  unfold framed, legal. split.
  - intros L. split; [apply L; now left|]. split.
    + intros r Hr. apply L. right. apply in_or_app. now left.
    + apply L. right. apply in_or_app. right. now left.
  - intros [L1 [L2 L3]] r [<-|Hr]; [exact L1|]. apply in_app_or in Hr.
    destruct Hr as [Hr|[<-|[]]]; [now apply L2|exact L3].
Qed.

Lemma end_dec (side : call -> node) r x :
  {exists c, In c r /\ side c = x} + {~ exists c, In c r /\ side c = x}.
Proof.
  destruct (existsb (fun c => side c =? x) r) eqn:E.
  - left. apply existsb_exists in E. destruct E as [c [H E]]. exists c. now apply Nat.eqb_eq in E.
  - right. intros [c [H X]]. rewrite <- Bool.not_true_iff_false in E. apply E, existsb_exists.
    exists c. split; [exact H|now apply Nat.eqb_eq].
Qed.

Lemma calling_dec r u : {calling r u} + {~ calling r u}.
Proof.
  destruct (end_dec fst r u) as [H|N]; [left|right].
  - destruct H as [[x v] [H <-]]. now exists v.
  - intros [v H]. apply N. now exists (u, v).
Qed.

Lemma called_dec r v : {called r v} + {~ called r v}.
Proof.
  destruct (end_dec snd r v) as [H|N]; [left|right].
  - destruct H as [[u x] [H <-]]. now exists u.
  - intros [u H]. apply N. now exists (u, v).
Qed.

(** The items of nodes that do not call in the first round come to those that are not called in the last. *)
Definition origins_reach (G : network) (first : round) (middle : schedule) (last : round) : Prop :=
  forall u v, u < size G -> v < size G -> ~ calling first u -> ~ called last v -> flow telegraph middle u v.

Theorem origins G first middle last : legal telegraph G (framed first middle last) ->
  (gossips G (framed first middle last) <-> origins_reach G first middle last).
Proof.
  intros L. rewrite gossips_flow. split.
  - (* Step 1. *)
    intros [_ H] u v Hu Hv Nu Nv. specialize (H u v Hu Hv). apply flow_framed in H.
    destruct H as [x [y [[<-|T] [F [->|T']]]]]; [exact F| | |]; exfalso.
    + apply Nv. now exists y.
    + apply Nu. now exists x.
    + apply Nu. now exists x.
  - (* Step 2. *)
    intros H. split; [exact L|]. apply legal_framed in L. destruct L as [[A D] [_ [A' D']]].
    intros u v Hu Hv. apply flow_framed.
    assert (From : exists x, (u = x \/ In (u, x) first) /\ x < size G /\ ~ calling first x).
    { destruct (calling_dec first u) as [[x T]|N]; [|now exists u; auto]. exists x.
      split; [now right|]. split; [now destruct (A u x T) as [[_ [? _]] _]|].
      intros [w T']. now apply (hears_only first x w u D). }
    assert (To : exists y, (y = v \/ In (y, v) last) /\ y < size G /\ ~ called last y).
    { destruct (called_dec last v) as [[y T]|N]; [|now exists v; auto]. exists y.
      split; [now right|]. split; [now destruct (A' y v T) as [[? _] _]|].
      intros [w T']. now apply (hears_only last y v w D'). }
    destruct From as [x [T [Hx Nx]]], To as [y [T' [Hy Ny]]]. exists x, y.
    split; [exact T|]. split; [now apply H|exact T'].
Qed.

Corollary gossip_by_origins G k : gossip telegraph G (S (S k)) <->
  exists first middle last, length middle = k /\
    legal telegraph G (framed first middle last) /\ origins_reach G first middle last.
Proof.
  split.
  - intros [[|first s] [E H]]; [discriminate|]. injection E as E.
    destruct (exists_last (l := s)) as [middle [last ->]]; [intros ->; discriminate|].
    rewrite app_length in E. simpl in E. exists first, middle, last.
    split; [lia|]. split; [exact (proj1 H)|]. apply origins; [exact (proj1 H)|exact H].
  - intros [first [middle [last [E [L H]]]]]. exists (framed first middle last). split.
    + unfold framed. simpl. rewrite app_length. simpl. lia.
    + now apply origins.
Qed.

(** In the first round the same nodes may call any others instead, and in the last the same be called. *)
Corollary ends_exchanged G first first' middle last last' :
  gossips G (framed first middle last) -> legal_round telegraph G first' -> legal_round telegraph G last' ->
  (forall u, calling first u -> calling first' u) -> (forall v, called last v -> called last' v) ->
  gossips G (framed first' middle last').
Proof.
  intros H L1 L3 C R. pose proof (proj1 H) as L. apply origins in H; [|exact L].
  apply legal_framed in L. apply origins; [apply legal_framed; tauto|].
  intros u v Hu Hv Nu Nv. apply H; auto.
Qed.

(** ** Fewest calls *)

Definition calls (s : schedule) : nat := length (concat s).

(** No gossip in as many rounds costs less. *)
Definition least (cost : schedule -> nat) (G : network) (s : schedule) : Prop :=
  gossips G s /\ forall q, length q = length s -> gossips G q -> cost s <= cost q.

(** None has fewer calls. *)
Definition fewest : network -> schedule -> Prop := least calls.

Lemma calls_app s q : calls (s ++ q) = calls s + calls q.
Proof. unfold calls. now rewrite concat_app, app_length. Qed.

Lemma calls_backward s : calls (backward s) = calls s.
Proof.
  unfold backward. induction s as [|r s IH]; [reflexivity|]. simpl. rewrite calls_app, IH.
  unfold calls. simpl. rewrite app_nil_r, !app_length, map_length. apply Nat.add_comm.
Qed.

Lemma gossips_backward G s : gossips G s -> gossips (reverse G) (backward s).
Proof.
  rewrite !gossips_flow. intros [L H]. split; [now apply legal_backward|].
  intros u v Hu Hv. apply flow_backward. now apply H.
Qed.

(** Step 6. *)
Lemma least_backward cost G s : (forall q, cost (backward q) = cost q) ->
  least cost G s -> least cost (reverse G) (backward s).
Proof.
  intros Same [H F]. split; [now apply gossips_backward|]. intros q E Hq.
  assert (Len : forall p, length (backward p) = length p).
  { intros p. unfold backward. now rewrite rev_length, map_length. }
  rewrite Same, <- (Same q). apply F; [now rewrite Len, E, Len|].
  apply gossips_backward in Hq. now rewrite reverse_twice in Hq.
Qed.

(** A round without one of its calls. *)
Definition omit (c : call) (r : round) : round := filter (fun d => negb (same c d)) r.

Lemma in_omit c r d : In d (omit c r) <-> In d r /\ d <> c.
Proof.
  unfold omit. rewrite filter_In, Bool.negb_true_iff, <- Bool.not_true_iff_false, same_spec. intuition.
Qed.

Lemma omit_shorter c r : In c r -> length (omit c r) < length r.
Proof.
  unfold omit. induction r as [|d r IH]; simpl; [intros []|].
  assert (Le : forall k, length (filter (fun d => negb (same c d)) k) <= length k).
  { clear. induction k as [|d k IH]; simpl; [lia|]. destruct (negb (same c d)); simpl; lia. }
  intros [->|H].
  - assert (E : same c c = true) by now apply same_spec. rewrite E. simpl. apply le_n_S, Le.
  - specialize (IH H). destruct (negb (same c d)); simpl; [now apply le_n_S|now apply le_S].
Qed.

Lemma omit_ends c r : NoDup (ends r) -> NoDup (ends (omit c r)).
Proof.
  unfold omit. induction r as [|[x y] r IH]; simpl; intros D; [constructor|].
  inversion D as [|? ? Nx D']; subst. inversion D' as [|? ? Ny D'']; subst.
  assert (Sub : forall z, In z (ends (filter (fun d => negb (same c d)) r)) -> In z (ends r)).
  { intros z Hz. apply in_flat_map in Hz. destruct Hz as [d [Hd Hz]]. apply filter_In in Hd.
    apply in_flat_map. exists d. tauto. }
  specialize (IH D''). destruct (negb (same c (x, y))); [|exact IH]. simpl. constructor.
  - intros [->|H]; [apply Nx; now left|]. apply Nx. right. now apply Sub.
  - constructor; [|exact IH]. intros H. apply Ny. now apply Sub.
Qed.

Lemma omit_legal G c r : legal_round telegraph G r -> legal_round telegraph G (omit c r).
Proof.
  intros [A D]. split; [|now apply omit_ends]. intros u v H. apply in_omit in H. now apply A.
Qed.

Section Omitted.
Variables (G : network) (before : schedule) (r : round) (between : schedule) (q : round) (later : schedule).
Variables u v w : node.
Let early := before ++ r :: between.
Let s := early ++ q :: later.
Hypothesis gossip_s : gossips G s.
Hypothesis u_calls_v : In (u, v) r.
Hypothesis u_calls_w : In (u, w) q.
Hypothesis v_silent : forall p, In p before -> ~ calling p v.
Hypothesis u_uncalled : forall p, In p between -> ~ called p u.

Let fewer := early ++ omit (u, w) q :: later.

Lemma legal_parts : legal telegraph G early /\ legal_round telegraph G q /\ legal telegraph G later /\
  legal_round telegraph G r.
Proof.
  destruct gossip_s as [L _]. unfold s in L. split; [|split; [|split]].
  - intros p Hp. apply L, in_or_app. now left.
  - apply L, in_or_app. right. now left.
  - intros p Hp. apply L, in_or_app. right. now right.
  - apply L, in_or_app. left. unfold early. apply in_or_app. right. now left.
Qed.

(** Step 3. *)
Lemma not_taken i x : ~ flow telegraph early i u -> flow telegraph s i x -> flow telegraph fewer i x.
Proof.
  unfold s, fewer. intros N F. apply flow_app in F. destruct F as [y [F [z [T F']]]].
  apply flow_app. exists y. split; [exact F|]. exists z. split; [|exact F'].
  destruct T as [E|T]; [now left|]. right. apply tells_call. apply tells_call in T. apply in_omit.
  split; [exact T|]. intros E. injection E as -> ->. contradiction.
Qed.

(** What u knows before the call to w, it knew before the call to v. *)
Lemma known_before i : flow telegraph early i u -> flow telegraph before i u.
Proof.
  unfold early. intros F. apply flow_app in F. destruct F as [y [F [z [T F']]]].
  apply flow_came in F'; [|exact u_uncalled]. subst z. destruct T as [->|T]; [exact F|]. exfalso.
  apply tells_call in T. destruct legal_parts as [_ [_ [_ [_ D]]]].
  now apply (hears_only r u v y D).
Qed.

Lemma u_not_v : u <> v.
Proof. destruct legal_parts as [_ [_ [_ [A _]]]]. now destruct (A u v u_calls_v) as [[_ [_ [? _]]] _]. Qed.

(** Step 4. *)
Lemma v_unheard : ~ flow telegraph early v u.
Proof. intros F. apply known_before in F. apply flow_stays in F; [|exact v_silent]. now apply u_not_v. Qed.

Lemma from_v x : flow telegraph fewer v x -> flow telegraph (between ++ omit (u, w) q :: later) v x.
Proof.
  unfold fewer, early. rewrite <- app_assoc. simpl. intros F. apply flow_app in F.
  destruct F as [y [F [z [T F']]]]. apply flow_stays in F; [|exact v_silent]. subst y.
  destruct T as [->|T]; [exact F'|]. exfalso. apply tells_call in T.
  destruct legal_parts as [_ [_ [_ [_ D]]]]. now apply (hears_only r v z u D).
Qed.

(** Step 5. *)
Lemma still_gossips : gossips G fewer.
Proof.
  pose proof gossip_s as H. apply gossips_flow in H. destruct H as [_ H].
  destruct legal_parts as [Le [Lq [Ll [A D]]]].
  destruct (A u v u_calls_v) as [[Hu [Hv _]] _].
  apply gossips_flow. split.
  - intros p Hp. unfold fewer in Hp. apply in_app_or in Hp. destruct Hp as [Hp|[<-|Hp]].
    + now apply Le.
    + now apply omit_legal.
    + now apply Ll.
  - intros i x Hi Hx. destruct (flow_dec G early i u Le Hi Hu) as [F|N]; [|now apply not_taken; auto].
    apply known_before in F.
    assert (V : flow telegraph fewer v x) by (apply not_taken; [exact v_unheard|now apply H]).
    apply from_v in V. unfold fewer, early. rewrite <- app_assoc. simpl. apply flow_app.
    exists u. split; [exact F|]. exists v. split; [|exact V]. right. now apply tells_call.
Qed.

End Omitted.

(** Whoever calls a node that has not called before waits until it is called itself, where its next call costs
    anything. *)
Theorem waits_until_called cost G before r between q later u v w :
  least cost G (before ++ r :: between ++ q :: later) -> In (u, v) r -> In (u, w) q ->
  cost ((before ++ r :: between) ++ omit (u, w) q :: later) < cost ((before ++ r :: between) ++ q :: later) ->
  (forall p, In p before -> ~ calling p v) -> exists p, In p between /\ called p u.
Proof.
  intros [H F] Cv Cw Less Nv.
  replace (before ++ r :: between ++ q :: later) with ((before ++ r :: between) ++ q :: later) in *
    by now rewrite <- app_assoc.
  destruct (Exists_dec (fun p => called p u) between (fun p => called_dec p u)) as [Y|N].
  - now apply Exists_exists.
  - exfalso. assert (Nu : forall p, In p between -> ~ called p u).
    { intros p Hp C. apply N, Exists_exists. now exists p. }
    pose proof (still_gossips G before r between q later u v w H Cv Nv Nu) as H'.
    specialize (F ((before ++ r :: between) ++ omit (u, w) q :: later)). rewrite !app_length in F. simpl in F.
    specialize (F eq_refl H'). lia.
Qed.

Lemma backward_app s q : backward (s ++ q) = backward q ++ backward s.
Proof. unfold backward. now rewrite map_app, rev_app_distr. Qed.

Lemma backward_cons r s : backward (r :: s) = backward s ++ [map turned r].
Proof. reflexivity. Qed.

Lemma omit_turned u v q : map turned (omit (u, v) q) = omit (v, u) (map turned q).
Proof.
  unfold omit. induction q as [|[x y] q IH]; [reflexivity|]. simpl.
  assert (E : same (u, v) (x, y) = same (v, u) (turned (x, y))).
  { apply eq_iff_true. rewrite !same_spec. unfold turned. simpl. intuition congruence. }
  rewrite <- E. destruct (same (u, v) (x, y)); simpl; now rewrite IH.
Qed.

(** Whoever is called by a node that is not called later was not called since it last called. *)
Theorem called_after_calling cost G before q between r later u v w :
  (forall s, cost (backward s) = cost s) ->
  least cost G (before ++ q :: between ++ r :: later) -> In (u, v) r -> In (w, v) q ->
  cost (before ++ omit (w, v) q :: between ++ r :: later) < cost (before ++ q :: between ++ r :: later) ->
  (forall p, In p later -> ~ called p u) -> exists p, In p between /\ calling p v.
Proof.
  intros Same F Cu Cw Less Nu. apply least_backward in F; [|exact Same].
  assert (E : forall x, backward (before ++ x :: between ++ r :: later) =
    (backward later ++ map turned r :: backward between) ++ map turned x :: backward before).
  { intros x. rewrite backward_app, backward_cons, backward_app, backward_cons.
    now rewrite <- !app_assoc. }
  rewrite <- Same, <- (Same (before ++ q :: _)), !E, omit_turned in Less. rewrite E in F.
  rewrite <- app_assoc in F. simpl in F.
  destruct (waits_until_called cost (reverse G) (backward later) (map turned r) (backward between)
    (map turned q) (backward before) v u w F) as [p [Hp C]].
  - now apply in_turned.
  - now apply in_turned.
  - exact Less.
  - intros p Hp [x C]. unfold backward in Hp. apply in_rev in Hp. apply in_map_iff in Hp.
    destruct Hp as [p' [<- Hp']]. apply (Nu p' Hp'). exists x. now apply in_turned.
  - unfold backward in Hp. apply in_rev in Hp. apply in_map_iff in Hp. destruct Hp as [p' [<- Hp']].
    exists p'. split; [exact Hp'|]. destruct C as [x C]. exists x. now apply in_turned.
Qed.

(** Where there is anything, there is something of the least measure. *)
Lemma no_least {X} (P : X -> Prop) (measure : X -> nat) :
  (forall x, P x -> (forall y, P y -> measure x <= measure y) -> False) -> forall x, ~ P x.
Proof.
  intros N. assert (All : forall k x, measure x <= k -> ~ P x).
  { induction k as [|k IH]; intros x Hk Px; apply (N x Px); intros y Py; [lia|].
    destruct (le_lt_dec (measure x) (measure y)) as [Le|Lt]; [exact Le|].
    exfalso. apply (IH y); [lia|exact Py]. }
  intros x. now apply (All (measure x)).
Qed.

(** What no gossip with the fewest calls can have, refutes the rounds. *)
Theorem fewest_calls_refuted G M :
  (forall s, length s = M -> ~ fewest G s) -> ~ gossip telegraph G M.
Proof.
  intros N [s [E H]].
  apply (no_least (fun q => length q = M /\ gossips G q) calls) with (x := s); [|now split].
  intros q [Eq Hq] F. apply (N q Eq). split; [exact Hq|]. intros p Ep Hp. apply F. split; [congruence|exact Hp].
Qed.
