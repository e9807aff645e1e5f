(** A checker for proofs that are too long for Coq to read: it is extracted to OCaml, and is given the numbers
    of the proof one by one.  What it accepts is optimal ([accepted_is_optimal]), whatever the numbers are. *)

From Coq Require Import List Bool Arith NArith PArith Lia.
From Schedsolve Require Import Definitions Replay Checker Variables Symmetry Automorphisms.
From Schedsolve Require Import Refutation ItemsFormula BroadcastFormula Theorems Reversal FewestCalls BusyEnds.
From Schedsolve Require Import InnerRefutation DistantPairs.
Import ListNotations.
Local Open Scope bool_scope.

Inductive question :=
| ask_gossip
| ask_fewest_gossip   (* a one-way gossip, refuted as one with the fewest calls *)
| ask_busy_gossip     (* a one-way gossip, refuted as one with busy ends *)
| ask_inner_gossip    (* a one-way gossip, refuted by its inner rounds *)
| ask_gossip_by_pairs (pairs : list (node * node))   (* a gossip, refuted by these pairs of nodes *)
| ask_broadcast (sources : list node)
| ask_multicast (sources targets : list node)
| ask_accumulation (root : node).

(** What is claimed: that the task on the network takes as many rounds as the schedule has.  The
    automorphisms are what the proof of the lower bound may use. *)
Record claim := Claim {
  way : mode; on : network; asks : question; by_rounds : schedule; symmetries : list (list node) }.

Definition task_of (c : claim) : task :=
  match asks c with
  | ask_gossip | ask_fewest_gossip | ask_busy_gossip | ask_inner_gossip | ask_gossip_by_pairs _ => gossip_task (on c)
  | ask_broadcast sources => broadcast_task sources
  | ask_multicast sources targets => multicast_task sources targets
  | ask_accumulation root => accumulation_task (on c) root
  end.

Definition claimed (c : claim) : Prop :=
  optimal (suffices (way c) (on c) (task_of c)) (length (by_rounds c)).

(** An accumulation is refuted as the broadcast that it is backwards. *)
Definition refuted_on (c : claim) : network :=
  match asks c with ask_accumulation _ => reverse (on c) | _ => on c end.

Definition sources_of (c : claim) : list node :=
  match asks c with
  | ask_gossip | ask_fewest_gossip | ask_busy_gossip | ask_inner_gossip | ask_gossip_by_pairs _ => []
  | ask_broadcast sources | ask_multicast sources _ => sources
  | ask_accumulation root => [root]
  end.

Definition targets_of (c : claim) : list node :=
  match asks c with ask_multicast _ targets => targets | _ => seq 0 (size (on c)) end.

Definition formula_of (c : claim) (M : nat) : list clause :=
  let G := refuted_on c in
  match asks c with
  | ask_gossip =>
    full_formula (way c) G (size G) M M (items_formula (way c) G (gossip_task G) M M) (symmetries c)
  | ask_fewest_gossip => full_formula telegraph G (size G) M M (fewest_formula G M) (symmetries c)
  | ask_busy_gossip => full_formula telegraph G (size G) M M (busy_formula G M) (symmetries c)
  | ask_inner_gossip => inner_formula G (M - 4) (symmetries c)
  | ask_gossip_by_pairs pairs => full_formula (way c) G (size G) M M (pairs_formula (way c) G M pairs) []
  | _ =>
    full_formula telegraph G 1 M M (one_item_formula G (given (sources_of c)) (targets_of c) M) (symmetries c)
  end.

(** All that is tested before the proof is read; a schedule without rounds needs none. *)
Definition fits_proof (c : claim) (M : nat) : bool :=
  let G := refuted_on c in
  match asks c with
  | ask_gossip =>
    forallb (is_automorphism (way c) G) (symmetries c)
    &&& numbers_fit (way c) G (size G) M M (items_formula (way c) G (gossip_task G) M M) (symmetries c)
  | ask_fewest_gossip =>
    negb (is_telephone (way c)) &&& forallb (is_automorphism telegraph G) (symmetries c)
    &&& numbers_fit telegraph G (size G) M M (fewest_formula G M) (symmetries c)
  | ask_busy_gossip =>
    (2 <=? M) &&& negb (is_telephone (way c)) &&& forallb (is_automorphism telegraph G) (symmetries c)
    &&& numbers_fit telegraph G (size G) M M (busy_formula G M) (symmetries c)
  | ask_inner_gossip => (4 <=? M) &&& negb (is_telephone (way c)) &&& inner_fits G (M - 4) (symmetries c)
  | ask_gossip_by_pairs pairs =>
    pairs_fit G M pairs &&& numbers_fit (way c) G (size G) M M (pairs_formula (way c) G M pairs) []
  | ask_accumulation root => root <? size (on c)
  | _ => true
  end
  &&& match asks c with
      | ask_gossip | ask_fewest_gossip | ask_busy_gossip | ask_inner_gossip | ask_gossip_by_pairs _ => true
      | _ =>
        forallb (fun l =>
          is_automorphism telegraph G l &&& is_automorphism (way c) G l &&& keeps G (targets_of c) l
          &&& keeps G (sources_of c) l) (symmetries c)
        &&& forallb (fun v => v <? size G) (targets_of c)
        &&& numbers_fit telegraph G 1 M M
              (one_item_formula G (given (sources_of c)) (targets_of c) M) (symmetries c)
      end.

Definition opening (c : claim) : bool :=
  replay (way c) (on c) (task_of c) (by_rounds c)
  &&& match length (by_rounds c) with 0 => true | S M => fits_proof c M end.

Definition first_state (c : claim) : state :=
  match length (by_rounds c) with 0 => refuted | S M => beginning (formula_of c M) end.

Definition accepted (c : claim) (numbers : list N) : bool :=
  opening c &&& is_refuted (fold_left read_number numbers (first_state c)).

Theorem accepted_is_optimal c numbers : accepted c numbers = true -> claimed c.
Proof.
  unfold accepted, opening, first_state, claimed. destruct c as [m G q s images].
  cbn [way on asks by_rounds symmetries]. rewrite !and_true. intros [[Rep Fit] Ref].
  apply replayed in Rep. revert Rep Fit Ref. generalize (length s). intros [|M] Rep Fit Ref; [now apply optimal_none|].
  apply optimal_by; [apply suffices_lasting|exact Rep|]. clear Rep.
  unfold fits_proof, formula_of, refuted_on, task_of, sources_of, targets_of in *.
  cbn [way on asks by_rounds symmetries] in *.
  destruct q as [| | | |pairs|sources|sources targets|root]; rewrite ?and_true in Fit.
  - apply (gossip_refuted m G M images numbers). unfold refutes_gossip. rewrite !and_true. tauto.
  - destruct m; [|destruct Fit as [[[F _] _] _]; discriminate].
    apply (fewest_refuted G M images numbers). unfold refutes_fewest. rewrite !and_true. tauto.
  - destruct m; [|destruct Fit as [[[[_ F] _] _] _]; discriminate].
    apply (busy_ends_refuted G M images numbers). unfold refutes_busy. rewrite !and_true. tauto.
  - destruct m; [|destruct Fit as [[[_ F] _] _]; discriminate].
    apply (inner_rounds_refuted G M images numbers). unfold refutes_inner. rewrite !and_true. tauto.
  - apply (distant_pairs_refuted m G M pairs numbers). unfold refutes_pairs. rewrite !and_true. tauto.
  - apply (broadcast_refuted m G sources M images numbers). unfold refutes_one_item.
    rewrite !and_true. tauto.
  - apply (multicast_refuted m G sources targets M images numbers). unfold refutes_one_item.
    rewrite !and_true. tauto.
  - apply accumulation_refuted; [tauto|].
    apply (broadcast_refuted m (reverse G) [root] M images numbers). unfold refutes_one_item.
    rewrite !and_true. tauto.
Qed.
