(* telephone gossip on petersen (10 nodes, 15 edges)
   Check it with: make theory && coqc -Q theory Schedsolve THIS_FILE *)
From Coq Require Import List.
Import ListNotations.
From Schedsolve Require Import Definitions Checker Theorems Reversal Counting Prices.

Definition petersen : network :=
  Network false 10
  [(0, 1); (0, 4); (0, 5); (1, 2); (1, 6); (2, 3); (2, 7); (3, 4); (3, 8); (4, 9); (5, 7); (5, 8); (6, 8);
    (6, 9); (7, 9)].

Definition the_schedule : schedule :=
  [[(0, 1); (2, 3); (4, 9); (5, 7); (6, 8)];
   [(1, 2); (3, 4); (5, 8); (6, 9)];
   [(0, 4); (2, 3); (6, 8); (7, 9)];
   [(0, 5); (1, 6); (2, 7); (3, 8); (4, 9)]].

Lemma upper : gossip telephone petersen 4.
Proof.
  refine (by_schedule telephone petersen (gossip_task petersen) the_schedule 4 _).
  vm_cast_no_check (eq_refl true).
Qed.

Lemma lower : ~ gossip telephone petersen 3.
Proof.
  refine (doubling_refuted telephone petersen (gossip_task petersen) 0 3 _).
  vm_cast_no_check (eq_refl true).
Qed.

Theorem petersen_gossip : optimal (gossip telephone petersen) 4.
Proof. apply optimal_by; [intros; apply suffices_lasting|exact upper|exact lower]. Qed.

Print Assumptions petersen_gossip.
