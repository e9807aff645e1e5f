(* telephone gossip on hypercube:3 (8 nodes, 12 edges)
   Check it with: make theory && coqc -Q theory Schedsolve THIS_FILE *)
From Coq Require Import List.
Import ListNotations.
From Schedsolve Require Import Definitions Checker Theorems Reversal Counting Prices.

Definition hypercube_3 : network :=
  Network false 8
  [(0, 1); (0, 2); (0, 4); (1, 3); (1, 5); (2, 3); (2, 6); (3, 7); (4, 5); (4, 6); (5, 7); (6, 7)].

Definition the_schedule : schedule :=
  [[(0, 1); (2, 3); (4, 5); (6, 7)];
   [(0, 2); (1, 3); (4, 6); (5, 7)];
   [(0, 4); (1, 5); (2, 6); (3, 7)]].

Lemma upper : gossip telephone hypercube_3 3.
Proof.
  refine (by_schedule telephone hypercube_3 (gossip_task hypercube_3) the_schedule 3 _).
  vm_cast_no_check (eq_refl true).
Qed.

Lemma lower : ~ gossip telephone hypercube_3 2.
Proof.
  refine (doubling_refuted telephone hypercube_3 (gossip_task hypercube_3) 0 2 _).
  vm_cast_no_check (eq_refl true).
Qed.

Theorem hypercube_3_gossip : optimal (gossip telephone hypercube_3) 3.
Proof. apply optimal_by; [intros; apply suffices_lasting|exact upper|exact lower]. Qed.

Print Assumptions hypercube_3_gossip.
