(** One-way gossip by its inner rounds: the clauses of the places at one end, clause for clause as schedsolve
    writes them (models/matching/claims/inner_rounds.py), and what their variables mean. *)

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

Definition same_token (t u : token) : bool :=
  match t, u with
  | Pair a b, Pair x y | Merged a b, Merged x y => (a =? x) &&& (b =? y)
  | Alone a, Alone x => a =? x
  | _, _ => false
  end.

(** The variable of a place, and whether there is one. *)
Definition variable_at (vs : variables) (t : token) : positive := hd 1%positive (those (same_token t) vs).
Definition has_variable (vs : variables) (t : token) : bool :=
  match those (same_token t) vs with [] => false | _ => true end.

(** After the variables of the places those of nodes that are second in a merged one, and of idle nodes. *)
Definition after_places (H : network) (next : positive) : positive := after_fresh next (length (tokens H)).
Definition second_variables (H : network) (next : positive) : list positive :=
  fresh (after_places H next) (size H).
Definition after_seconds (H : network) (next : positive) : positive :=
  after_fresh (after_places H next) (size H).
Definition idle_variables (H : network) (next : positive) : list positive :=
  fresh (after_seconds H next) (size H).

Definition of_node (l : list positive) (v : node) : positive := nth v l 1%positive.

(** What a node may be. *)
Definition states (vs : variables) (idles : list positive) (v : node) : list positive :=
  taken vs v ++ alone_variable vs v ++ [of_node idles v].

Definition disjoint_clauses (H : network) (vs : variables) (idles : list positive) : list clause :=
  flat_map (fun v => one_at_most (states vs idles v)) (seq 0 (size H)).

Definition is_called (v : node) (t : token) : bool := match t with Merged _ w => w =? v | _ => false end.

(** A node is something, and second just where a giver calls it that is a giver. *)
Definition state_clauses (H : network) (vs : variables) (seconds idles : list positive) : list clause :=
  flat_map (fun v =>
    map (pair true) (states vs idles v)
    :: ((false, of_node seconds v) :: map (pair true) (those (is_called v) vs))
    :: map (fun x => [(true, of_node seconds v); (false, x)]) (those (is_called v) vs)) (seq 0 (size H)).

(** Nodes that are second count twice, those that are alone once. *)
Definition weighed (H : network) (vs : variables) (seconds : list positive) : list positive :=
  flat_map (fun v => [of_node seconds v; of_node seconds v; variable_at vs (Alone v)]) (seq 0 (size H)).

Definition equal_clauses (l k : list positive) : list clause :=
  flat_map (fun p => [[(false, fst p); (true, snd p)]; [(true, fst p); (false, snd p)]]) (combine l k).

(** From a node that is alone every arc leads to one that is taken. *)
Definition next_to_places (H : network) (vs : variables) : list clause :=
  map (fun p => map (pair false) (alone_variable vs (fst p)) ++ map (pair true) (taken vs (snd p)))
    (callable telegraph H).

Definition odd_one (H : network) : nat := size H mod 2.

(** All that is said of the places at one end, and the first variable that is free after them. *)
Definition place_clauses (H : network) (next : positive) : list clause * positive :=
  let vs := place_variables H next in
  let seconds := second_variables H next in
  let idles := idle_variables H next in
  match counted (half H) (after_fresh (after_seconds H next) (size H)) [] (weighed H vs seconds) with
  | (clauses, weight, free) =>
    match counted (half H - odd_one H) free [] idles with
    | (clauses', few, free') =>
      (disjoint_clauses H vs idles ++ state_clauses H vs seconds idles ++ clauses ++ clauses'
       ++ equal_clauses (skipn (odd_one H) weight) few ++ next_to_places H vs, free')
    end
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

Lemma same_token_spec t u : same_token t u = true <-> t = u.
Proof.
  destruct t, u; simpl; rewrite ?and_true, ?Nat.eqb_eq; intuition congruence.
Qed.

Lemma variable_means b vs says t : means b vs says -> has_variable vs t = true -> b (variable_at vs t) =
  says t.
Proof.
  unfold has_variable, variable_at. intros M.
  destruct (those (same_token t) vs) as [|x l] eqn:E; [discriminate|].
  intros _. simpl. assert (H : In x (those (same_token t) vs)) by (rewrite E; now left).
  apply in_those in H. destruct H as [u [Hq S]]. apply same_token_spec in S. subst u. exact (M (t, x) Hq).
Qed.

Lemma those_values b says kind vs : means b vs says -> map b (those kind vs) = map says (filter kind (map fst vs)).
Proof.
  unfold those. induction vs as [|[t x] vs IH]; intros M; [reflexivity|]. simpl.
  assert (M' : means b vs says) by (intros q Hq; apply M; now right).
  specialize (IH M'). pose proof (M (t, x) (or_introl eq_refl)) as E. simpl in E.
  destruct (kind t); simpl; [now rewrite E, IH|exact IH].
Qed.

Lemma only_pairs H : filter is_pair (tokens H) = pairs H.
Proof.
  assert (Only : forall A (f : A -> token) c l, (forall x, is_pair (f x) = c) ->
    filter is_pair (map f l) = if c then map f l else []).
  { intros A f c l E. induction l as [|x l IH]; simpl; [now destruct c|]. rewrite E, IH. now destruct c. }
  unfold tokens, pairs, merged, lonely. rewrite !filter_app.
  rewrite (Only _ _ true), (Only _ _ false), (Only _ _ false) by reflexivity. apply app_nil_r.
Qed.

Lemma variable_known H next t : In t (tokens H) -> has_variable (place_variables H next) t = true.
Proof.
  intros Ht. destruct (variable_of H next t Ht) as [x Hx]. unfold has_variable.
  destruct (those (same_token t) (place_variables H next)) eqn:E; [exfalso|reflexivity].
  assert (X : In x (those (same_token t) (place_variables H next))).
  { apply in_those. exists t. split; [exact Hx|now apply same_token_spec]. }
  rewrite E in X. destruct X.
Qed.

Lemma in_variable vs t : has_variable vs t = true -> exists u, In (u, variable_at vs t) vs.
Proof.
  unfold has_variable, variable_at. destruct (those (same_token t) vs) as [|x l] eqn:E; [discriminate|].
  intros _. assert (X : In x (those (same_token t) vs)) by (rewrite E; now left).
  apply in_those in X. destruct X as [u [X _]]. now exists u.
Qed.

(** Variables of nodes. *)
Definition of_nodes (b : assignment) (l : list positive) (n : nat) (f : node -> bool) : Prop :=
  map b l = map f (seq 0 n).

Lemma of_node_value b l n f v : of_nodes b l n f -> v < n -> b (of_node l v) = f v.
Proof.
  intros E Hv. unfold of_node. transitivity (nth v (map b l) (b 1%positive)); [now rewrite map_nth|].
  rewrite E. rewrite (nth_indep _ _ (f 0)) by now rewrite map_length, seq_length.
  rewrite map_nth. now rewrite seq_nth.
Qed.

Lemma of_nodes_count b l n f : of_nodes b l n f -> length (filter b l) = length (filter f (seq 0 n)).
Proof.
  unfold of_nodes. generalize (seq 0 n). induction l as [|x l IH]; intros [|v q] E; try discriminate; [reflexivity|].
  simpl in E. injection E as E1 E2. simpl. rewrite E1. destruct (f v); simpl; now rewrite (IH q E2).
Qed.

Lemma equal_sound b l : forall k, map b l = map b k -> model b (equal_clauses l k).
Proof.
  unfold equal_clauses.
  induction l as [|x l IH]; intros [|y k] E; try discriminate; simpl in *; [intros c []|].
  injection E as E1 E2. intros c [<-|[<-|Hc]]; [| |now apply (IH k E2)].
  - destruct (b x) eqn:X; [exists (true, y)|exists (false, x)]; simpl; auto. unfold holds. simpl. split; auto.
  - destruct (b x) eqn:X; [exists (true, x)|exists (false, y)]; simpl; auto. unfold holds. simpl. split; auto.
Qed.
