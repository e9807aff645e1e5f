(* telephone broadcast on grid:3x3 (9 nodes, 12 edges), source 1
   Check it with: make theory && coqc -Q theory Schedsolve THIS_FILE *)
From Coq Require Import List.
Import ListNotations.
From Schedsolve Require Import Definitions Checker Theorems Reversal Counting Prices.

Definition grid_3x3 : network :=
  Network false 9
  [(0, 1); (0, 3); (1, 2); (1, 4); (2, 5); (3, 4); (3, 6); (4, 5); (4, 7); (5, 8); (6, 7); (7, 8)].

Definition the_schedule : schedule :=
  [[(1, 4)];
   [(4, 7); (1, 2)];
   [(7, 8); (2, 5); (3, 4); (0, 1)];
   [(3, 6)]].

Lemma upper : broadcast telephone grid_3x3 [1] 4.
Proof.
  refine (by_schedule telephone grid_3x3 (broadcast_task [1]) the_schedule 4 _).
  vm_cast_no_check (eq_refl true).
Qed.

Lemma lower : ~ broadcast telephone grid_3x3 [1] 3.
Proof.
  refine (doubling_refuted telephone grid_3x3 (broadcast_task [1]) 0 3 _).
  vm_cast_no_check (eq_refl true).
Qed.

Theorem grid_3x3_broadcast : optimal (broadcast telephone grid_3x3 [1]) 4.
Proof. apply optimal_by; [intros; apply suffices_lasting|exact upper|exact lower]. Qed.

Print Assumptions grid_3x3_broadcast.
