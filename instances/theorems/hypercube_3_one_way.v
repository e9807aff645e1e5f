(* telegraph gossip on hypercube:3 (8 nodes, 12 edges)
   Check it with: make theory && coqc -Q theory Schedsolve THIS_FILE *)
From Coq Require Import List.
Import ListNotations.
From Schedsolve Require Import Definitions Checker Theorems Reversal Counting Prices.

Definition hypercube_3 : network :=
  Network false 8
  [(0, 1); (0, 2); (0, 4); (1, 3); (1, 5); (2, 3); (2, 6); (3, 7); (4, 5); (4, 6); (5, 7); (6, 7)].

Definition the_schedule : schedule :=
  [[(0, 1); (2, 3); (4, 5); (6, 7)];
   [(1, 0); (3, 2); (5, 4); (7, 6)];
   [(0, 2); (1, 3); (4, 6); (5, 7)];
   [(2, 0); (3, 1); (6, 4); (7, 5)];
   [(0, 4); (1, 5); (2, 6); (3, 7)];
   [(4, 0); (5, 1); (6, 2); (7, 3)]].

Lemma upper : gossip telegraph hypercube_3 6.
Proof.
  refine (by_schedule telegraph hypercube_3 (gossip_task hypercube_3) the_schedule 6 _).
  vm_cast_no_check (eq_refl true).
Qed.

Definition prices : list (list nat) :=
  [[0; 3; 40; 40; 32];
   [0; 1; 5; 11; 16];
   [0; 0; 2; 4; 8];
   [0; 0; 0; 0; 4]].

Lemma lower : ~ gossip telegraph hypercube_3 5.
Proof.
  refine (prices_refuted hypercube_3 5 prices _).
  vm_cast_no_check (eq_refl true).
Qed.

Theorem hypercube_3_gossip : optimal (gossip telegraph hypercube_3) 6.
Proof. apply optimal_by; [intros; apply suffices_lasting|exact upper|exact lower]. Qed.

Print Assumptions hypercube_3_gossip.
