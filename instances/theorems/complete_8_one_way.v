(* telegraph gossip on complete:8 (8 nodes, 28 edges)
   Check it with: make theory && coqc -Q theory Schedsolve THIS_FILE *)
From Coq Require Import List.
Import ListNotations.
From Schedsolve Require Import Definitions Checker Theorems Reversal Counting Prices.

Definition complete_8 : network :=
  Network false 8
  [(0, 1); (0, 2); (0, 3); (0, 4); (0, 5); (0, 6); (0, 7); (1, 2); (1, 3); (1, 4); (1, 5); (1, 6); (1, 7);
    (2, 3); (2, 4); (2, 5); (2, 6); (2, 7); (3, 4); (3, 5); (3, 6); (3, 7); (4, 5); (4, 6); (4, 7); (5, 6);
    (5, 7); (6, 7)].

Definition the_schedule : schedule :=
  [[(0, 4); (1, 5); (2, 6); (3, 7)];
   [(4, 0); (5, 1); (6, 2); (7, 3)];
   [(0, 7); (1, 4); (2, 5); (3, 6)];
   [(4, 3); (5, 0); (6, 1); (7, 2)];
   [(0, 6); (1, 7); (2, 4); (3, 5)];
   [(4, 1); (5, 2); (6, 3); (7, 0)]].

Lemma upper : gossip telegraph complete_8 6.
Proof.
  refine (by_schedule telegraph complete_8 (gossip_task complete_8) the_schedule 6 _).
  vm_cast_no_check (eq_refl true).
Qed.

Definition prices : list (list nat) :=
  [[0; 3; 40; 40; 32];
   [0; 1; 5; 11; 16];
   [0; 0; 2; 4; 8];
   [0; 0; 0; 0; 4]].

Lemma lower : ~ gossip telegraph complete_8 5.
Proof.
  refine (prices_refuted complete_8 5 prices _).
  vm_cast_no_check (eq_refl true).
Qed.

Theorem complete_8_gossip : optimal (gossip telegraph complete_8) 6.
Proof. apply optimal_by; [intros; apply suffices_lasting|exact upper|exact lower]. Qed.

Print Assumptions complete_8_gossip.
