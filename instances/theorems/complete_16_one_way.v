(* telegraph gossip on complete:16 (16 nodes, 120 edges)
   Check it with: make theory && coqc -Q theory Schedsolve THIS_FILE *)
From Coq Require Import List.
Import ListNotations.
From Schedsolve Require Import Definitions Checker Theorems Reversal Counting Prices.

Definition complete_16 : network :=
  Network false 16
  [(0, 1); (0, 2); (0, 3); (0, 4); (0, 5); (0, 6); (0, 7); (0, 8); (0, 9); (0, 10); (0, 11); (0, 12);
    (0, 13); (0, 14); (0, 15); (1, 2); (1, 3); (1, 4); (1, 5); (1, 6); (1, 7); (1, 8); (1, 9); (1, 10);
    (1, 11); (1, 12); (1, 13); (1, 14); (1, 15); (2, 3); (2, 4); (2, 5); (2, 6); (2, 7); (2, 8); (2, 9);
    (2, 10); (2, 11); (2, 12); (2, 13); (2, 14); (2, 15); (3, 4); (3, 5); (3, 6); (3, 7); (3, 8); (3, 9);
    (3, 10); (3, 11); (3, 12); (3, 13); (3, 14); (3, 15); (4, 5); (4, 6); (4, 7); (4, 8); (4, 9); (4, 10);
    (4, 11); (4, 12); (4, 13); (4, 14); (4, 15); (5, 6); (5, 7); (5, 8); (5, 9); (5, 10); (5, 11); (5, 12);
    (5, 13); (5, 14); (5, 15); (6, 7); (6, 8); (6, 9); (6, 10); (6, 11); (6, 12); (6, 13); (6, 14); (6, 15);
    (7, 8); (7, 9); (7, 10); (7, 11); (7, 12); (7, 13); (7, 14); (7, 15); (8, 9); (8, 10); (8, 11); (8, 12);
    (8, 13); (8, 14); (8, 15); (9, 10); (9, 11); (9, 12); (9, 13); (9, 14); (9, 15); (10, 11); (10, 12);
    (10, 13); (10, 14); (10, 15); (11, 12); (11, 13); (11, 14); (11, 15); (12, 13); (12, 14); (12, 15);
    (13, 14); (13, 15); (14, 15)].

Definition the_schedule : schedule :=
  [[(0, 8); (1, 9); (2, 10); (3, 11); (4, 12); (5, 13); (6, 14); (7, 15)];
   [(8, 0); (9, 1); (10, 2); (11, 3); (12, 4); (13, 5); (14, 6); (15, 7)];
   [(0, 15); (1, 8); (2, 9); (3, 10); (4, 11); (5, 12); (6, 13); (7, 14)];
   [(8, 7); (9, 0); (10, 1); (11, 2); (12, 3); (13, 4); (14, 5); (15, 6)];
   [(0, 14); (1, 15); (2, 8); (3, 9); (4, 10); (5, 11); (6, 12); (7, 13)];
   [(8, 5); (9, 6); (10, 7); (11, 0); (12, 1); (13, 2); (14, 3); (15, 4)];
   [(0, 11); (1, 12); (2, 13); (3, 14); (4, 15); (5, 8); (6, 9); (7, 10)]].

Lemma upper : gossip telegraph complete_16 7.
Proof.
  refine (by_schedule telegraph complete_16 (gossip_task complete_16) the_schedule 7 _).
  vm_cast_no_check (eq_refl true).
Qed.

Definition prices : list (list nat) :=
  [[0; 2; 120; 120; 120; 120; 120; 120; 48];
   [0; 1; 3; 6; 9; 12; 17; 20; 24];
   [0; 0; 1; 3; 4; 5; 8; 9; 12];
   [0; 0; 0; 1; 2; 2; 3; 3; 6];
   [0; 0; 0; 0; 0; 0; 0; 0; 3]].

Lemma lower : ~ gossip telegraph complete_16 6.
Proof.
  refine (prices_refuted complete_16 6 prices _).
  vm_cast_no_check (eq_refl true).
Qed.

Theorem complete_16_gossip : optimal (gossip telegraph complete_16) 7.
Proof. apply optimal_by; [intros; apply suffices_lasting|exact upper|exact lower]. Qed.

Print Assumptions complete_16_gossip.
