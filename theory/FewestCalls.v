(** One-way gossip: what the gossips with the fewest calls have in common ([waits_until_called],
    [called_after_calling]) as clauses beside the plain formula, clause for clause as schedsolve writes them
    (schedsolve/export/coq_fewest_calls.py).  If there is a gossip, there is one of these, so that a refutation
    of both refutes the rounds ([fewest_refuted]). *)

From Coq Require Import List Bool Arith NArith Lia.
From Schedsolve Require Import Definitions Replay Checker Variables Automorphisms Refutation ItemsFormula.
From Schedsolve Require Import Theorems Reversal Premises.
Import ListNotations.
Local Open Scope bool_scope.

(** ** The clauses *)

Definition placed_links := list (nat * (node * node)).

Definition leaving (links : placed_links) (v : node) : list nat :=
  map fst (filter (fun p => fst (snd p) =? v) links).
Definition entering (links : placed_links) (v : node) : list nat :=
  map fst (filter (fun p => snd (snd p) =? v) links).

(** One of these links is called in one of these rounds. *)
Definition some_call (rounds links : list nat) : named_clause :=
  flat_map (fun t => map (fun a => (true, Call t a)) links) rounds.

(** If link a = (u, v) is called in round t, v has not called before, and u calls later, then u is called between. *)
Definition waits (stop : nat) (links : placed_links) (t a : nat) (u v : node) : list named_clause :=
  let unless := some_call (seq 0 t) (leaving links v) in
  flat_map (fun later =>
    let between := some_call (seq (S t) (later - S t)) (entering links u) in
    map (fun b => (false, Call t a) :: (false, Call later b) :: unless ++ between) (leaving links u))
  (seq (S t) (stop - S t)).

(** If it is called, u is not called later, and v was called earlier, then v calls between. *)
Definition waited (M from : nat) (links : placed_links) (t a : nat) (u v : node) : list named_clause :=
  let unless := some_call (seq (S t) (M - S t)) (entering links u) in
  flat_map (fun earlier =>
    let between := some_call (seq (S earlier) (t - S earlier)) (leaving links v) in
    map (fun b => (false, Call t a) :: (false, Call earlier b) :: unless ++ between) (entering links v))
  (seq from (t - from)).

(** Of so many rounds at both ends nothing is said but that they come before and after. *)
Definition waiting (spared : nat) (G : network) (M : nat) : list named_clause :=
  let links := placed 0 (callable telegraph G) in
  flat_map (fun t => flat_map (fun p =>
    waits (M - spared) links t (fst p) (fst (snd p)) (snd (snd p))
    ++ waited M spared links t (fst p) (fst (snd p)) (snd (snd p)))
    links) (seq 0 M).

(** ** What is true of the gossips with the fewest calls *)

(** The theorems of Premises.v by the numbers of the rounds, from 0. *)
Lemma split_twice (s : schedule) t later : t < later -> later < length s ->
  exists before between after, s = before ++ nth t s [] :: between ++ nth later s [] :: after /\
    length before = t /\ length between = later - S t.
Proof.
  intros H1 H2. destruct (nth_split s [] (n := t)) as [before [l [E Len]]]; [lia|].
  assert (Len' : length s = t + S (length l)) by (rewrite E at 1; rewrite app_length; simpl; lia).
  destruct (nth_split l [] (n := later - S t)) as [between [after [E' Len2]]]; [lia|].
  assert (N : nth (later - S t) l [] = nth later s []).
  { transitivity (nth later (before ++ nth t s [] :: l) []); [|now rewrite <- E].
    rewrite app_nth2 by lia. replace (later - length before) with (S (later - S t)) by lia. reflexivity. }
  exists before, between, after. rewrite <- N, <- E'. auto.
Qed.

Lemma nth_before (before : schedule) x later k :
  k < length before -> nth k (before ++ x :: later) [] = nth k before [].
Proof. intros H. now apply app_nth1. Qed.

Lemma nth_between (before : schedule) x between later k :
  k < length between -> nth (S (length before + k)) (before ++ x :: between ++ later) [] = nth k between [].
Proof.
  intros H. rewrite app_nth2 by lia. replace (S (length before + k) - length before) with (S k) by lia. simpl.
  now apply app_nth1.
Qed.

Lemma nth_late (before : schedule) x between y later k :
  nth (S (length before + S (length between + k))) (before ++ x :: between ++ y :: later) [] = nth k later [].
Proof.
  rewrite app_nth2 by lia.
  replace (S (length before + S (length between + k)) - length before) with (S (S (length between + k))) by lia.
  simpl. rewrite app_nth2 by lia. replace (S (length between + k) - length between) with (S k) by lia.
  reflexivity.
Qed.

(* lia does not see that a schedule is a list of lists of calls. *)
Ltac lengths := unfold schedule, round in *; lia.

(** A measure of schedules, less where a call is left out in any round but so many at both ends. *)
Record measures (spared : nat) (cost : schedule -> nat) : Prop := {
  few_spared : spared <= 1;
  same_backward : forall s, cost (backward s) = cost s;
  less_without : forall before q later c, In c q -> spared <= length before -> spared <= length later ->
    cost (before ++ omit c q :: later) < cost (before ++ q :: later) }.

Section Measured.
Variables (spared : nat) (cost : schedule -> nat).
Hypothesis measured : measures spared cost.

Lemma waits_at G s t later u v w : least cost G s -> t < later -> later < length s - spared ->
  In (u, v) (nth t s []) -> In (u, w) (nth later s []) ->
  (forall k, k < t -> ~ calling (nth k s []) v) ->
  exists k, t < k < later /\ called (nth k s []) u.
Proof.
  intros F H1 H2 Cv Cw N.
  destruct (split_twice s t later H1 ltac:(lengths)) as [before [between [after [E [L1 L2]]]]].
  assert (F' := F). rewrite E in F'.
  assert (Len : length s = length before + S (length between + S (length after))).
  { rewrite E. rewrite app_length. simpl. rewrite app_length. reflexivity. }
  pose proof (few_spared _ _ measured) as Few.
  destruct (waits_until_called cost G before (nth t s []) between (nth later s []) after u v w F' Cv Cw)
    as [p [Hp C]].
  - apply (less_without _ _ measured); [exact Cw|rewrite app_length; simpl; lengths|lengths].
  - intros p Hp. apply (In_nth _ _ []) in Hp. destruct Hp as [k [Hk <-]].
    specialize (N k ltac:(lengths)). rewrite E, nth_before in N by exact Hk. exact N.
  - apply (In_nth _ _ []) in Hp. destruct Hp as [k [Hk <-]]. exists (S (length before + k)).
    split; [lengths|]. rewrite E, nth_between by exact Hk. exact C.
Qed.

Lemma waited_at G s earlier t u v w : least cost G s -> spared <= earlier < t -> t < length s ->
  In (u, v) (nth t s []) -> In (w, v) (nth earlier s []) ->
  (forall k, t < k < length s -> ~ called (nth k s []) u) ->
  exists k, earlier < k < t /\ calling (nth k s []) v.
Proof.
  intros F H1 H2 Cu Cw N.
  destruct (split_twice s earlier t (proj2 H1) H2) as [before [between [after [E [L1 L2]]]]].
  assert (F' := F). rewrite E in F'.
  pose proof (few_spared _ _ measured) as Few.
  destruct (called_after_calling cost G before (nth earlier s []) between (nth t s []) after u v w
    (same_backward _ _ measured) F' Cu Cw) as [p [Hp C]].
  - apply (less_without _ _ measured); [exact Cw|lengths|rewrite app_length; simpl; lengths].
  - intros p Hp. apply (In_nth _ _ []) in Hp. destruct Hp as [k [Hk <-]].
    assert (Len : length s = length before + S (length between + S (length after))).
    { rewrite E. rewrite app_length. simpl. rewrite app_length. reflexivity. }
    specialize (N (S (length before + S (length between + k))) ltac:(lengths)).
    rewrite E, nth_late in N. exact N.
  - apply (In_nth _ _ []) in Hp. destruct Hp as [k [Hk <-]]. exists (S (length before + k)).
    split; [lengths|]. rewrite E, nth_between by exact Hk. exact C.
Qed.

End Measured.

Section Sound.
Variables (G : network) (s : schedule).
Hypothesis gossip_s : gossips G s.

Let links := placed 0 (callable telegraph G).
Let val := says telegraph G (gossip_task G) s.

Lemma val_call t a u v : In (a, (u, v)) links -> (val (Call t a) = true <-> In (u, v) (nth t s [])).
Proof.
  intros H. apply in_placed0 in H. unfold val. rewrite (says_call _ _ _ s t a u v H).
  apply tells_call.
Qed.

Lemma is_link t u v : In (u, v) (nth t s []) -> exists a, In (a, (u, v)) links.
Proof.
  intros H. destruct (le_lt_dec (length s) t) as [Le|Lt]; [now rewrite nth_overflow in H|].
  assert (C : In (u, v) (callable telegraph G)).
  { apply callable_spec. split; [|discriminate].
    apply (proj1 (proj1 gossip_s (nth t s []) (nth_In s [] Lt))), H. }
  apply In_nth_error in C. destruct C as [a C]. exists a. now apply in_placed0.
Qed.

Lemma some_call_holds rounds placed_at t a : In t rounds -> In a placed_at -> val (Call t a) = true ->
  exists b x, In (b, x) (some_call rounds placed_at) /\ val x = b.
Proof.
  intros Ht Ha E. exists true, (Call t a). split; [|exact E]. unfold some_call. apply in_flat_map.
  exists t. split; [exact Ht|]. apply in_map_iff. now exists a.
Qed.

Lemma in_placed_links (side : node * node -> node) a v :
  In a (map fst (filter (fun p => side (snd p) =? v) links)) <-> exists c, In (a, c) links /\ side c = v.
Proof.
  rewrite in_map_iff. split.
  - intros [[b c] [<- H]]. apply filter_In in H. destruct H as [H X]. exists c.
    split; [exact H|now apply Nat.eqb_eq].
  - intros [c [H <-]]. exists (a, c). split; [reflexivity|]. apply filter_In.
    split; [exact H|apply Nat.eqb_refl].
Qed.

Lemma in_leaving a u : In a (leaving links u) <-> exists v, In (a, (u, v)) links.
Proof.
  unfold leaving. rewrite (in_placed_links fst). split.
  - intros [[x v] [H <-]]. now exists v.
  - intros [v H]. now exists (u, v).
Qed.

Lemma in_entering a v : In a (entering links v) <-> exists u, In (a, (u, v)) links.
Proof.
  unfold entering. rewrite (in_placed_links snd). split.
  - intros [[u x] [H <-]]. now exists u.
  - intros [u H]. now exists (u, v).
Qed.

(** Something happens in a round of those given, and a literal says so; or it happens in none. *)
Lemma happens_in rounds placed_at (happens : round -> Prop) :
  (forall r, {happens r} + {~ happens r}) ->
  (forall t, happens (nth t s []) -> exists a, In a placed_at /\ val (Call t a) = true) ->
  (exists b x, In (b, x) (some_call rounds placed_at) /\ val x = b) \/
  forall t, In t rounds -> ~ happens (nth t s []).
Proof.
  intros dec said. destruct (Exists_dec (fun t => happens (nth t s [])) rounds) as [Y|N];
    [intros t; apply dec|left|right].
  - apply Exists_exists in Y. destruct Y as [t [Ht Y]]. destruct (said t Y) as [a [Ha E]].
    now apply (some_call_holds _ _ t a).
  - intros t Ht Y. apply N, Exists_exists. now exists t.
Qed.

Lemma calling_in rounds v :
  (exists b x, In (b, x) (some_call rounds (leaving links v)) /\ val x = b) \/
  forall t, In t rounds -> ~ calling (nth t s []) v.
Proof.
  apply (happens_in rounds (leaving links v) (fun r => calling r v)); [intros r; apply calling_dec|].
  intros t [w C]. destruct (is_link t v w C) as [a Ha]. exists a.
  split; [apply in_leaving; now exists w|now apply (val_call t a v w Ha)].
Qed.

Lemma called_in rounds u :
  (exists b x, In (b, x) (some_call rounds (entering links u)) /\ val x = b) \/
  forall t, In t rounds -> ~ called (nth t s []) u.
Proof.
  apply (happens_in rounds (entering links u) (fun r => called r u)); [intros r; apply called_dec|].
  intros t [w C]. destruct (is_link t w u C) as [a Ha]. exists a.
  split; [apply in_entering; now exists w|now apply (val_call t a w u Ha)].
Qed.

(** A clause of two calls, and two lists of calls of which one is made if these two are. *)
Lemma two_calls t a k b unless between :
  (val (Call t a) = true -> val (Call k b) = true -> exists c x, In (c, x) (unless ++ between) /\ val x = c) ->
  named_satisfied val ((false, Call t a) :: (false, Call k b) :: unless ++ between).
Proof.
  intros H. destruct (val (Call t a)) eqn:A; [|exists false, (Call t a); simpl; auto].
  destruct (val (Call k b)) eqn:B; [|exists false, (Call k b); simpl; auto].
  destruct (H eq_refl eq_refl) as [c [x [I E]]]. exists c, x. simpl. auto.
Qed.

Lemma either (unless between : named_clause) :
  (exists b x, In (b, x) unless /\ val x = b) \/ (exists b x, In (b, x) between /\ val x = b) ->
  exists b x, In (b, x) (unless ++ between) /\ val x = b.
Proof. intros [[b [x [H E]]]|[b [x [H E]]]]; exists b, x; (split; [apply in_or_app|exact E]); auto. Qed.

Theorem waiting_sound spared cost : measures spared cost -> least cost G s ->
  named_model val (waiting spared G (length s)).
Proof.
  intros measured few.
  apply named_model_flat_map. intros t Ht. apply in_seq in Ht.
  apply named_model_flat_map. intros [a [u v]] Ha. fold links in Ha. cbn [fst snd]. fold links.
  apply named_model_app. split; apply named_model_flat_map; intros k Hk c Hc; apply in_seq in Hk;
    apply in_map_iff in Hc; destruct Hc as [b [<- Hb]]; apply two_calls; intros At Ab;
    apply (val_call t a u v Ha) in At; apply either.
  - apply in_leaving in Hb. destruct Hb as [w Hb]. apply (val_call k b u w Hb) in Ab.
    destruct (calling_in (seq 0 t) v) as [H|N]; [now left|right].
    destruct (called_in (seq (S t) (k - S t)) u) as [H|N']; [exact H|exfalso].
    destruct (waits_at spared cost measured G s t k u v w few) as [j [Hj C]]; [lia|lia|exact At|exact Ab| |].
    + intros j Hj. apply N, in_seq. lia.
    + apply (N' j); [apply in_seq; lia|exact C].
  - apply in_entering in Hb. destruct Hb as [w Hb]. apply (val_call k b w v Hb) in Ab.
    destruct (called_in (seq (S t) (length s - S t)) u) as [H|N]; [now left|right].
    destruct (calling_in (seq (S k) (t - S k)) v) as [H|N']; [exact H|exfalso].
    destruct (waited_at spared cost measured G s k t u v w few) as [j [Hj C]];
      [lia|lia|exact At|exact Ab| |].
    + intros j Hj. apply N, in_seq. lia.
    + apply (N' j); [apply in_seq; lia|exact C].
Qed.

End Sound.

(** ** Refutations *)

Definition fewest_formula (G : network) (M : nat) : list named_clause :=
  items_formula telegraph G (gossip_task G) M M ++ waiting 0 G M.

Definition refutes_fewest (G : network) (M : nat) (images : list (list node)) (proof : list N) : bool :=
  let f := fewest_formula G M in
  forallb (is_automorphism telegraph G) images &&& numbers_fit telegraph G (size G) M M f images
  &&& refuted_by (full_formula telegraph G (size G) M M f images) proof.

Lemma calls_measure : measures 0 calls.
Proof.
  split; [lia|exact calls_backward|]. intros before q later c H _ _. rewrite !calls_app. unfold calls. simpl.
  rewrite !app_length. pose proof (omit_shorter c q H). lia.
Qed.

Lemma moved_fewest G f g s : automorphism telegraph G f g -> fewest G s -> fewest G (move g s).
Proof.
  intros A [H F]. split; [now apply (moved_gossip telegraph G f)|]. intros q E Hq.
  assert (Same : calls (move g s) = calls s).
  { clear. unfold calls, move. induction s as [|r s IH]; [reflexivity|]. simpl. rewrite !app_length, IH.
    unfold move_round. now rewrite map_length. }
  rewrite Same. apply F; [|exact Hq]. unfold move in E. now rewrite map_length in E.
Qed.

Theorem fewest_refuted G M images proof :
  refutes_fewest G M images proof = true -> ~ gossip telegraph G M.
Proof.
  unfold refutes_fewest. rewrite !and_true, forallb_forall. intros [[A F] C].
  apply fewest_calls_refuted. intros s E Fs.
  apply (no_solution telegraph G (size G) M M (fewest_formula G M) schedule
    (fun s => length s = M /\ fewest G s) (fun s => says telegraph G (gossip_task G) s)
    (fun l => move (image (inverse (size G) l))) images) with (proof := proof) (x := s); auto.
  - intros x [Ex Fx]. unfold fewest_formula. apply named_model_app. split.
    + apply items_formula_sound; auto; [exact (proj1 Fx)|].
      intros t Ht. rewrite Nat.mod_small by exact Ht. split; [exact Ht|reflexivity].
    + rewrite <- Ex. apply (waiting_sound G x (proj1 Fx) 0 calls calls_measure Fx).
  - intros l x Hl [Ex Fx]. split; [unfold move; now rewrite map_length|].
    apply (moved_fewest G (image l)); [now apply is_automorphism_spec, A|exact Fx].
  - intros l x k [u v] Hl [Ex [[Lx _] _]] Hp. apply in_placed0 in Hp.
    pose proof (is_automorphism_spec _ _ _ (A l Hl)) as Al. simpl.
    rewrite (nth_error_nth _ _ _ Hp). simpl. now apply (told_moved telegraph G l x k u v).
Qed.
