(** Gossip in trees: whoever knows all items first does so by a call over a bridge, and what the two ends of it
    learn then has to reach everybody from there.

    Source: the paper, section 2: in a tree a gossip takes 2 min b(G) - 1 rounds in the two-way mode and
    2 min b(G) in the one-way mode.  Here that it takes no fewer. *)

From Coq Require Import List Bool Arith Lia.
From Schedsolve Require Import Definitions Replay Variables ItemsFormula Theorems Reversal.
Import ListNotations.
Local Open Scope bool_scope.

(** ** Bridges *)

(** The nodes that are reached from v without the link between u and v. *)
Definition side_of (G : network) (u v : node) : list bool :=
  let others := filter (fun p => negb (same p (u, v)) &&& negb (same p (v, u))) (callable telegraph G) in
  Nat.iter (size G) (fun l => map (fun y => nth y l false
      ||| existsb (fun p => (snd p =? y) &&& nth (fst p) l false) others) (seq 0 (size G)))
    (map (Nat.eqb v) (seq 0 (size G))).

Definition parts (l : list bool) (G : network) (u v : node) : bool :=
  nth v l false &&& negb (nth u l false)
  &&& forallb (fun q => same q (u, v) ||| same q (v, u) ||| Bool.eqb (nth (fst q) l false) (nth (snd q) l false))
        (callable telegraph G).

(** Every link is a bridge: the network is a tree, or there is no gossip. *)
Definition all_bridges (G : network) : bool :=
  forallb (fun p => parts (side_of G (fst p) (snd p)) G (fst p) (snd p)) (callable telegraph G).

Definition bridge (G : network) (B : node -> bool) (u v : node) : Prop :=
  B v = true /\ B u = false /\
  forall x y, arc G x y -> B x <> B y -> (x = u /\ y = v) \/ (x = v /\ y = u).

Lemma all_bridges_spec G u v : all_bridges G = true -> arc G u v -> exists B, bridge G B u v.
Proof.
  unfold all_bridges. rewrite forallb_forall. intros H A.
  assert (C : forall x y, arc G x y -> In (x, y) (callable telegraph G)).
  { intros x y Axy. apply callable_spec. split; [split; [exact Axy|discriminate]|discriminate]. }
  specialize (H _ (C _ _ A)). simpl in H. unfold parts in H.
  rewrite !and_true, negb_true_iff, forallb_forall in H. destruct H as [[Hv Hu] H].
  exists (fun x => nth x (side_of G u v) false). split; [exact Hv|]. split; [exact Hu|].
  intros x y Axy N. specialize (H _ (C _ _ Axy)). rewrite !or_true, !same_spec in H. simpl in H.
  destruct H as [[E|E]|E]; [left|right|apply eqb_prop in E; contradiction]; split; congruence.
Qed.

(** ** What crosses a bridge *)

Lemma flow_crosses m G (B : node -> bool) u v :
  (forall x y, arc G x y -> B x = false -> B y = true -> x = u /\ y = v) ->
  forall s z w, legal m G s -> flow m s z w -> B z = false -> B w = true ->
  exists a r b, s = a ++ r :: b /\ flow m a z u /\ tells m r u v /\ flow m b v w.
Proof.
  intros C s. induction s as [|r s IH]; simpl; intros z w L F Bz Bw; [congruence|].
  destruct F as [x [T F]]. destruct (B x) eqn:Bx.
  - destruct T as [->|T]; [congruence|].
    destruct (legal_tells m G r z x (L r (or_introl eq_refl)) T) as [A _].
    destruct (C z x A Bz Bx) as [-> ->]. exists [], r, s. simpl. auto.
  - destruct (IH x w) as [a [q [b [-> [F1 [T1 F2]]]]]]; auto; [intros q Hq; apply L; now right|].
    exists (r :: a), q, b. simpl. split; [reflexivity|]. split; [now exists x|auto].
Qed.

Lemma flow_waits m a s v w : flow m s v w -> flow m (a ++ s) v w.
Proof. intros F. induction a as [|r a IH]; simpl; [exact F|]. exists v. auto. Qed.

Lemma after_more m a b K v i : after m a K v i -> after m (a ++ b) K v i.
Proof.
  rewrite !after_flow. intros [u [H F]]. exists u. split; [exact H|]. apply flow_app. exists v.
  split; [exact F|]. rewrite <- (app_nil_r b). now apply flow_waits.
Qed.

(** An item that has come over is known at the end of the bridge. *)
Lemma known_at_the_bridge m G (B : node -> bool) u v s (K : knowledge) w i :
  (forall x y, arc G x y -> B x = false -> B y = true -> x = u /\ y = v) -> legal m G s ->
  (forall x, K x i -> B x = false) -> B w = true -> after m s K w i -> after m s K u i /\ after m s K v i.
Proof.
  intros C L O Bw H. apply after_flow in H. destruct H as [z [Kz F]].
  destruct (flow_crosses m G B u v C s z w L F (O z Kz) Bw) as [a [r [b [-> [F1 [T F2]]]]]].
  assert (U : after m a K u i) by (apply after_flow; now exists z). split; [now apply after_more|].
  apply after_flow. exists z. split; [exact Kz|]. apply flow_app. exists u. split; [exact F1|].
  simpl. exists v. split; [now right|]. rewrite <- (app_nil_r b). now apply flow_waits.
Qed.

(** ** The first who know all *)

Definition own : knowledge := fun v i => (v =? i) = true.

Definition knows_all (m : mode) (G : network) (s : schedule) (v : node) : bool :=
  forallb (fun i => nth v (known m (size G) s (fun u => u =? i)) false) (seq 0 (size G)).

Lemma known_own m G s v i : legal m G s -> v < size G ->
  (nth v (known m (size G) s (fun u => u =? i)) false = true <-> after m s own v i).
Proof.
  intros L Hv. destruct (known_spec m G s own (fun u => u =? i) i L) as [_ D]; [reflexivity|]. now apply D.
Qed.

Lemma knows_all_spec m G s v : legal m G s -> v < size G ->
  (knows_all m G s v = true <-> forall i, i < size G -> after m s own v i).
Proof.
  intros L Hv. unfold knows_all. rewrite forallb_forall. split.
  - intros H i Hi. apply (known_own m G s v i L Hv), H, in_seq. lia.
  - intros H i Hi. apply in_seq in Hi. apply (known_own m G s v i L Hv), H. lia.
Qed.

Lemma misses_one m G s v : legal m G s -> v < size G -> knows_all m G s v = false ->
  exists i, i < size G /\ ~ after m s own v i.
Proof.
  intros L Hv H. unfold knows_all in H.
  assert (X : exists i, In i (seq 0 (size G)) /\ nth v (known m (size G) s (fun u => u =? i)) false = false).
  { induction (seq 0 (size G)) as [|i l IH]; simpl in H; [discriminate|].
    apply andb_false_iff in H. destruct H as [H|H]; [exists i; simpl; auto|].
    destruct (IH H) as [j [? ?]]. exists j. simpl. auto. }
  destruct X as [i [Hi E]]. apply in_seq in Hi. exists i. split; [lia|].
  intros A. apply (known_own m G s v i L Hv) in A. congruence.
Qed.

Lemma first_time (P : schedule -> bool) s : P [] = false -> P s = true ->
  exists a r b, s = a ++ r :: b /\ P a = false /\ P (a ++ [r]) = true.
Proof.
  intros N. induction s as [|r s IH] using rev_ind; intros H; [congruence|].
  destruct (P s) eqn:E.
  - destruct (IH eq_refl) as [a [q [b [-> [A B]]]]]. exists a, q, (b ++ [r]).
    rewrite <- app_assoc. simpl. auto.
  - exists s, r, []. auto.
Qed.

(** ** From the bridge to everybody *)

Section Gossip.
Variables (m : mode) (G : network) (a b : schedule) (r : round) (u v : node).
Hypothesis legally : legal m G (a ++ r :: b).
Hypothesis all_learn : forall w i, w < size G -> i < size G -> after m (a ++ r :: b) own w i.
Hypothesis called : tells m r u v.
Variables x y : item.
Hypothesis inside : x < size G /\ y < size G.
Hypothesis u_misses : ~ after m a own u x.
Hypothesis v_misses : ~ after m a own v y.
Variable B : node -> bool.
Hypothesis bridged : bridge G B u v.

Let over : forall p q, arc G p q -> B p = false -> B q = true -> p = u /\ q = v.
Proof.
  destruct bridged as [Bv [Bu C]]. intros p q A Bp Bq.
  destruct (C p q A) as [E|[-> ->]]; [congruence|exact E|congruence].
Qed.
Let back : forall p q, arc G p q -> negb (B p) = false -> negb (B q) = true -> p = v /\ q = u.
Proof.
  destruct bridged as [Bv [Bu C]]. intros p q A Bp Bq. apply negb_false_iff in Bp. apply negb_true_iff in Bq.
  destruct (C p q A) as [[-> ->]|E]; [congruence|congruence|exact E].
Qed.
Let legal_a : legal m G a.
Proof. intros q Hq. apply legally. apply in_or_app. now left. Qed.
Let legal_rest : legal m G (r :: b).
Proof. intros q Hq. apply legally. apply in_or_app. now right. Qed.

Lemma after_all K w i : after m (a ++ r :: b) K w i <-> exists z, after m a K z i /\ flow m (r :: b) z w.
Proof.
  rewrite after_flow. split.
  - intros [p [H F]]. apply flow_app in F. destruct F as [z [F1 F2]]. exists z.
    split; [apply after_flow; now exists p|exact F2].
  - intros [z [H F]]. apply after_flow in H. destruct H as [p [H F1]]. exists p. split; [exact H|].
    apply flow_app. now exists z.
Qed.

(** Item y starts on the side of u if v cannot have it before u tells it. *)
Lemma nobody_beyond z : B y = false -> after m a own z y -> B z = false.
Proof.
  intros By H. destruct (B z) eqn:Bz; [|reflexivity]. exfalso. apply v_misses.
  apply (known_at_the_bridge m G B u v a own z y over legal_a); auto.
  intros p Hp. apply Nat.eqb_eq in Hp. now subst.
Qed.

Lemma nobody_behind z : B x = true -> after m a own z x -> B z = true.
Proof.
  intros Bx H. destruct (B z) eqn:Bz; [reflexivity|]. exfalso. apply u_misses.
  apply (known_at_the_bridge m G (fun p => negb (B p)) v u a own z x back legal_a); auto.
  - intros p Hp. apply Nat.eqb_eq in Hp. subst. now rewrite Bx.
  - now rewrite Bz.
Qed.

Lemma reaches w : B y = false -> B x = true -> w < size G ->
  flow m b v w \/ (tells m r v u /\ flow m b u w).
Proof.
  intros By Bx Hw. destruct (B w) eqn:Bw.
  - left. destruct (proj1 (after_all own w y) (all_learn w y Hw (proj2 inside))) as [z [Hz F]].
    apply nobody_beyond in Hz; [|exact By].
    destruct (flow_crosses m G B u v over (r :: b) z w legal_rest F Hz Bw) as [c [q [d [E [_ [_ F2]]]]]].
    destruct c as [|r' c]; injection E as -> ->; [exact F2|].
    replace (c ++ q :: d) with ((c ++ [q]) ++ d) by now rewrite <- app_assoc. now apply flow_waits.
  - destruct (proj1 (after_all own w x) (all_learn w x Hw (proj1 inside))) as [z [Hz F]].
    apply nobody_behind in Hz; [|exact Bx].
    destruct (flow_crosses m G (fun p => negb (B p)) v u back (r :: b) z w legal_rest F)
      as [c [q [d [E [_ [T F2]]]]]]; [now rewrite Hz|now rewrite Bw|].
    destruct c as [|r' c]; injection E as -> ->; [now right|]. left. apply flow_waits. simpl.
    exists u. auto.
Qed.
End Gossip.

(** ** Twice the rounds of a broadcast *)

Lemma undirected_arc G u v : directed G = false -> arc G u v -> arc G v u.
Proof. unfold arc. intuition. Qed.

Lemma undirected_reverse m G s : directed G = false -> legal m (reverse G) s -> legal m G s.
Proof.
  intros D L r Hr. destruct (L r Hr) as [A N]. split; [|exact N]. intros u v H. specialize (A u v H).
  apply (may_call_reverse m G u v) in A. destruct A as [A _]. split; [now apply undirected_arc|intros _; exact A].
Qed.

Lemma broadcast_by_flow m G s v : legal m G s -> (forall w, w < size G -> flow m s v w) ->
  broadcast m G [v] (length s).
Proof.
  intros L F. exists s. split; [reflexivity|]. split; [exact L|]. intros w i Hw _ _. apply after_flow.
  exists v. split; [simpl; now rewrite Nat.eqb_refl|auto].
Qed.

Definition tree_refutes (m : mode) (G : network) (k M : nat) : bool :=
  all_bridges G &&& negb (directed G) &&& (1 <? size G)
  &&& (M <=? 2 * k + if is_telephone m then 0 else 1).

Theorem tree_refuted m G k M : tree_refutes m G k M = true ->
  ~ from_best G (fun v => broadcast m G [v]) k -> ~ gossip m G M.
Proof.
  unfold tree_refutes. rewrite !and_true, negb_true_iff, Nat.ltb_lt, Nat.leb_le.
  intros [[[Br D] Many] Few] N [s [E [L S]]].
  assert (Long : forall v q, v < size G -> legal m G q -> (forall w, w < size G -> flow m q v w) -> k < length q).
  { intros v q Hv Lq F. apply (exceeds (from_best G (fun v => broadcast m G [v])) k); auto.
    - apply from_best_lasting. intros w. apply suffices_lasting.
    - exists v. split; [exact Hv|]. now apply broadcast_by_flow. }
  set (P := fun q => existsb (knows_all m G q) (seq 0 (size G))).
  assert (All : forall w i, w < size G -> i < size G -> after m s own w i) by (intros; now apply S).
  destruct (first_time P s) as [a [r [b [Es [Pa Pr]]]]].
  { unfold P. apply not_true_iff_false. intros H. apply existsb_exists in H. destruct H as [v [Hv H]].
    apply in_seq in Hv.
    rewrite (knows_all_spec m G [] v) in H; [|intros q []|lia].
    pose proof (H 0 ltac:(lia)) as H0. pose proof (H 1 ltac:(lia)) as H1. simpl in H0, H1. unfold own in *.
    apply Nat.eqb_eq in H0, H1. congruence. }
  { unfold P. apply existsb_exists. exists 0. split; [apply in_seq; lia|].
    apply knows_all_spec; [exact L|lia|]. intros i Hi. apply All; [lia|exact Hi]. }
  subst s. unfold P in Pa, Pr. apply existsb_exists in Pr. destruct Pr as [v [Hv Kv]]. apply in_seq in Hv.
  assert (La : legal m G a) by (intros q Hq; apply L, in_or_app; now left).
  assert (Lr : legal_round m G r) by (apply L, in_or_app; right; now left).
  assert (Lb : legal m G b) by (intros q Hq; apply L, in_or_app; right; now right).
  assert (Lar : legal m G (a ++ [r])).
  { intros q Hq. apply in_app_or in Hq. destruct Hq as [Hq|[<-|[]]]; auto. }
  assert (Kv' : forall i, i < size G -> after m (a ++ [r]) own v i) by (apply knows_all_spec; auto; lia).
  assert (None : forall w, w < size G -> knows_all m G a w = false).
  { intros w Hw. apply not_true_iff_false. intros H. apply not_true_iff_false in Pa. apply Pa.
    apply existsb_exists. exists w. split; [apply in_seq; lia|exact H]. }
  destruct (misses_one m G a v La ltac:(lia) (None v ltac:(lia))) as [y [Hy My]].
  assert (T : exists u, tells m r u v).
  { specialize (Kv' y Hy). rewrite after_last in Kv'. destruct Kv' as [Ky|[u [T _]]]; [contradiction|now exists u]. }
  destruct T as [u T]. destruct (legal_tells m G r u v Lr T) as [A _].
  assert (Hu : u < size G) by apply A.
  destruct (misses_one m G a u La Hu (None u Hu)) as [x [Hx Mx]].
  assert (Either : forall i, i < size G -> after m a own v i \/ after m a own u i).
  { intros i Hi. specialize (Kv' i Hi). rewrite after_last in Kv'. destruct Kv' as [H|[w [Tw H]]]; [now left|].
    right. now rewrite (one_speaker m G r u w v Lr T Tw). }
  destruct (all_bridges_spec G u v Br A) as [B Bd].
  assert (Back : bridge G (fun p => negb (B p)) v u).
  { destruct Bd as [Bv [Bu C]]. split; [now rewrite Bu|]. split; [now rewrite Bv|].
    intros p q Apq Np. destruct (C p q Apq) as [X|X]; [intros X; apply Np; now rewrite X|now right|now left]. }
  assert (Over : forall B' u' v', bridge G B' u' v' ->
    forall p q, arc G p q -> B' p = false -> B' q = true -> p = u' /\ q = v').
  { intros B' u' v' [X [Y C]] p q Apq Bp Bq. destruct (C p q Apq) as [Z|[-> ->]]; [congruence|exact Z|congruence]. }
  assert (By : B y = false).
  { destruct (B y) eqn:By; [|reflexivity]. exfalso. apply My.
    destruct (Either y Hy) as [H|H]; [exact H|].
    apply (known_at_the_bridge m G (fun p => negb (B p)) v u a own u y (Over _ _ _ Back) La); [| |exact H].
    - intros p Hp. apply Nat.eqb_eq in Hp. subst. now rewrite By.
    - apply Back. }
  assert (Bx : B x = true).
  { destruct (B x) eqn:Bx; [reflexivity|]. exfalso. apply Mx.
    destruct (Either x Hx) as [H|H]; [|exact H].
    apply (known_at_the_bridge m G B u v a own v x (Over _ _ _ Bd) La); [| |exact H].
    - intros p Hp. apply Nat.eqb_eq in Hp. now subst.
    - apply Bd. }
  pose proof (fun w => reaches m G a b r u v L All T x y (conj Hx Hy) Mx My B Bd w By Bx) as R.
  assert (Before : k < length (a ++ [r])).
  { replace (length (a ++ [r])) with (length (backward (a ++ [r]))) by (unfold backward; now rewrite rev_length, map_length).
    apply (Long v); [lia| |].
    - apply undirected_reverse; [exact D|]. now apply legal_backward.
    - intros w Hw. apply flow_backward. specialize (Kv' w Hw). apply after_flow in Kv'.
      destruct Kv' as [z [Hz F]]. apply Nat.eqb_eq in Hz. now subst. }
  rewrite app_length in Before, E. simpl in Before, E.
  destruct m; simpl in Few.
  - assert (After : k < length b); [|lia]. apply (Long v); [lia|exact Lb|]. intros w Hw.
    destruct (R w Hw) as [F|[T' _]]; [exact F|]. exfalso.
    destruct T as [T|[Z _]]; [|discriminate]. destruct T' as [T'|[Z _]]; [|discriminate].
    exact (no_way_back r u v (proj2 Lr) T T').
  - assert (After : k < length (r :: b)); [|simpl in After; lia].
    apply (Long v); [lia|intros q [<-|Hq]; auto|]. intros w Hw. simpl.
    destruct (R w Hw) as [F|[T' F]]; [exists v; auto|exists u; auto].
Qed.
