(** What the theorems of this folder are about: networks, calls, rounds, schedules, who knows what, and what
    it means that a number of rounds is optimal.  Nothing else has to be read to know what a theorem says.

    The source is J. Hromkovic, R. Klasing, W. Unger, H. Wagener, D. Pardubska, The complexity of systolic
    dissemination of information in interconnection networks, RAIRO 28 (1994) 303-342, section 2; beside each
    definition stands what the paper says there, in other words. *)

From Coq Require Import List Bool Arith.
Import ListNotations.

(** ** Networks *)

(** Nodes are numbers 0, 1, 2, ... *)
Definition node := nat.

(** Paper: an interconnection network is a graph G = (V, E); its nodes are the processors, its edges the links
    between them.  Here V is 0, ..., size - 1.  A link (u, v) of an undirected network joins u and v; that of a
    directed one leads from u to v.  (The paper's networks are undirected and connected.) *)
Record network := Network { directed : bool; size : nat; links : list (node * node) }.

(** Paper: the arcs u -> v and v -> u of an edge {u, v}.  [arc G u v]: a message can go from u to v. *)
Definition arc (G : network) (u v : node) : Prop :=
  u < size G /\ v < size G /\ u <> v /\
  (In (u, v) (links G) \/ (directed G = false /\ In (v, u) (links G))).

(** ** Calls, rounds, schedules *)

(** Paper: in the one-way (telegraph) mode the information flows in one direction of an active edge, in the
    two-way (telephone) mode in both. *)
Inductive mode := telegraph | telephone.

(** A call (u, v): in the one-way mode u tells v what it knows, in the two-way mode they tell each other. *)
Definition call := (node * node)%type.

(** Paper: a communication algorithm is a sequence of rounds, each a set of calls.  Here it is called a
    schedule; round 1 comes first. *)
Definition round := list call.
Definition schedule := list round.

Definition ends (r : round) : list node := flat_map (fun c => [fst c; snd c]) r.

(** Who may call whom: along an arc; in the two-way mode, along one each way. *)
Definition may_call (m : mode) (G : network) (u v : node) : Prop :=
  arc G u v /\ (m = telephone -> arc G v u).

(** Paper: in a single round each node is active over at most one of its edges, as a sender or as a receiver;
    so no node stands twice among the ends of the calls. *)
Definition legal_round (m : mode) (G : network) (r : round) : Prop :=
  (forall u v, In (u, v) r -> may_call m G u v) /\ NoDup (ends r).

Definition legal (m : mode) (G : network) (s : schedule) : Prop :=
  forall r, In r s -> legal_round m G r.

(** Paper: an algorithm is k-systolic if it repeats its first k rounds.  Here: rounds that are p apart have the
    same calls, in whatever order they are listed and, in the two-way mode, with their ends in either order. *)
Definition tells (m : mode) (r : round) (u v : node) : Prop :=
  In (u, v) r \/ (m = telephone /\ In (v, u) r).

Definition periodic (m : mode) (p : nat) (s : schedule) : Prop :=
  0 < p /\ forall t, t + p < length s ->
    forall u v, tells m (nth t s []) u v <-> tells m (nth (t + p) s []) u v.

(** ** Who knows what *)

(** Paper: pieces of information I(v), none of which can be derived from the others.  They are numbers here. *)
Definition item := nat.
Definition knowledge := node -> item -> Prop.

(** After a round a node knows what it knew before it, and what somebody knew before it who tells it. *)
Definition after_round (m : mode) (r : round) (K : knowledge) : knowledge :=
  fun v i => K v i \/ exists u, tells m r u v /\ K u i.

(** Who knows what after a schedule, when K says it before. *)
Fixpoint after (m : mode) (s : schedule) (K : knowledge) : knowledge :=
  match s with
  | [] => K
  | r :: rest => after m rest (after_round m r K)
  end.

(** ** Tasks *)

(** The items are 0, ..., items - 1.  [start v i]: node v knows item i before round 1; [goal v i]: it has to
    know it after the last round. *)
Record task := Task { items : nat; start : node -> item -> bool; goal : node -> item -> bool }.

Definition solves (m : mode) (G : network) (T : task) (s : schedule) : Prop :=
  legal m G s /\
  forall v i, v < size G -> i < items T -> goal T v i = true -> after m s (fun u j => start T u j = true) v i.

Definition one_of (nodes : list node) (v : node) : bool := existsb (Nat.eqb v) nodes.

(** Paper: the broadcast problem; a node v knows I(v), and all nodes have to learn it.  Here of one or more
    nodes, which all know the one item; a multicast is the same with only some nodes that have to learn it. *)
Definition multicast_task (sources targets : list node) : task :=
  Task 1 (fun v _ => one_of sources v) (fun v _ => one_of targets v).
Definition broadcast_task (sources : list node) : task :=
  Task 1 (fun v _ => one_of sources v) (fun _ _ => true).

(** Paper: the accumulation problem; each node u knows I(u), and one node v has to learn all of them. *)
Definition accumulation_task (G : network) (root : node) : task :=
  Task (size G) (fun v i => v =? i) (fun v _ => v =? root).

(** Paper: the gossip problem; each node v knows I(v), and all nodes have to learn all of them. *)
Definition gossip_task (G : network) : task :=
  Task (size G) (fun v i => v =? i) (fun _ _ => true).

(** The gossip of the items of some nodes only. *)
Definition gossip_from_task (G : network) (sources : list node) : task :=
  Task (size G) (fun v i => v =? i) (fun _ i => one_of sources i).

(** ** So many rounds suffice; so many are optimal *)

(** [suffices m G T M]: some schedule of M rounds solves the task. *)
Definition suffices (m : mode) (G : network) (T : task) (M : nat) : Prop :=
  exists s, length s = M /\ solves m G T s.

(** The same with a schedule of period p. *)
Definition suffices_periodic (p : nat) (m : mode) (G : network) (T : task) (M : nat) : Prop :=
  exists s, length s = M /\ periodic m p s /\ solves m G T s.

Definition broadcast (m : mode) (G : network) (sources : list node) : nat -> Prop :=
  suffices m G (broadcast_task sources).
Definition multicast (m : mode) (G : network) (sources targets : list node) : nat -> Prop :=
  suffices m G (multicast_task sources targets).
Definition accumulation (m : mode) (G : network) (root : node) : nat -> Prop :=
  suffices m G (accumulation_task G root).
Definition gossip (m : mode) (G : network) : nat -> Prop :=
  suffices m G (gossip_task G).
Definition gossip_from (m : mode) (G : network) (sources : list node) : nat -> Prop :=
  suffices m G (gossip_from_task G sources).

(** Paper: min b(G) and b(G), the least and the greatest number of rounds of a broadcast from a node v.
    From the best node M rounds suffice if they do from some node, from the worst one if they do from each. *)
Definition from_best (G : network) (P : node -> nat -> Prop) (M : nat) : Prop :=
  exists v, v < size G /\ P v M.
Definition from_worst (G : network) (P : node -> nat -> Prop) (M : nat) : Prop :=
  forall v, v < size G -> P v M.

(** Paper: the complexity of a problem is the least number of rounds of an algorithm that solves it. *)
Definition optimal (P : nat -> Prop) (M : nat) : Prop :=
  P M /\ forall fewer, P fewer -> M <= fewer.

Definition impossible (P : nat -> Prop) : Prop := forall M, ~ P M.
