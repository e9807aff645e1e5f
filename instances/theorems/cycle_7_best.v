(* telegraph broadcast on cycle:7 (7 nodes, 7 edges), source min
   Check it with: make theory && coqc -Q theory Schedsolve THIS_FILE *)
From Coq Require Import List.
Import ListNotations.
From Schedsolve Require Import Definitions Checker Theorems Reversal Counting Prices.

Definition cycle_7 : network :=
  Network false 7
  [(0, 1); (0, 6); (1, 2); (2, 3); (3, 4); (4, 5); (5, 6)].

Definition the_schedule : schedule :=
  [[(0, 6)];
   [(0, 1); (6, 5)];
   [(1, 2); (5, 4)];
   [(2, 3)]].

Lemma upper : from_best cycle_7 (fun v => broadcast telegraph cycle_7 [v]) 4.
Proof.
  refine (best_by_schedule cycle_7 (fun v => broadcast_task [v]) telegraph 0 the_schedule 4 _).
  vm_cast_no_check (eq_refl true).
Qed.

Definition images : list (list node) :=
  [[0; 6; 5; 4; 3; 2; 1];
   [1; 0; 6; 5; 4; 3; 2];
   [1; 2; 3; 4; 5; 6; 0];
   [2; 1; 0; 6; 5; 4; 3];
   [2; 3; 4; 5; 6; 0; 1];
   [3; 2; 1; 0; 6; 5; 4];
   [3; 4; 5; 6; 0; 1; 2];
   [4; 3; 2; 1; 0; 6; 5];
   [4; 5; 6; 0; 1; 2; 3];
   [5; 4; 3; 2; 1; 0; 6];
   [5; 6; 0; 1; 2; 3; 4];
   [6; 0; 1; 2; 3; 4; 5];
   [6; 5; 4; 3; 2; 1; 0]].

Definition proof_0 : text := "S3SET?U;V7WOYG^O0aIaDa@a=h@h:h7h4gNRDg0fLg4eNf:dJ0RG:2>8B<SG0a6aNaMaLaKaJgLgFgCg@g:fMfIfEfAeLeFeCe@e=dCd?c@b9c7d;e4f=a30SESGSOT?U5U;V1V7VMWIWOXEYAYGZ=]M^I^O_E02g>g;`0^F]<\2^@Y>[LVDT0a41f>g6f<f9d8e;fBaGaCg2fNdLf00Q;2SK0eKdF[MY9WOVEU;Q=fKaBaAfGfCe?dA0SGSKSOT?U5U;V1V7VMWIWOXEYAYGZ=]M^I^O_E02dMhBf5^B[NZDY:X0VFU<Q>1dJg0aGaFaEfLfHfDeIdBe@0S:S>SIF@Q8SKSM^I_E0fDgDdGeGdDfIb0a@hEa7fAe8d?0S>SIFJB@6<Q8SKSMSO^I_E0fEe?gE<1fNb2aCg:fBf=d<0SIFJBD@6<LQ8SKSMSO^I_E01fGaEaCfOfKdIeI0S1SE2J:6Q60b2aMg8g<fBe20SKSMSOT?TCU5U;V1V7V;VMW7WIWOX3XEXOYAYGYKZ=\?];]M^7^I^O_3_E0a@5dNh>g4f7f4a2h:]4[Jh=Y6U8SN]CUAa02`O?cKbId491fEfIe<eBdCeHd?fMf@b4g=0S3S82<:BQ>R:0aAhFaNaGhDh?h5a:QDQB`0^F\2Y>g:g2:f;f5f2d5e0dLbJcL0S82<:LDBQ@Q>R:SM^I_E0aAf6a=T91fGe>dEfKb0aIg;g3f<f3dMe1bGd00SMSOT?TCTKU5U;V1V7V;VCVMW7W?WIWOX3XEXOYAYGYKZ=[K\?\G];]C]M^7^?^I^O_3_;_E03dIcHh5fOeNeKh4h1\KV9]@^J^AZLa>T:1g8aMaLfLfHdFe?0S92:<68JB>QDSO^I_E0e2a?T;<g9gAaMfDfIdC0RGQ8@<FBQBR>0aCb:b9g6g2f3f0e0dLcMbF0SOT?TCTKTOU5U;UKV1V7V;VCVMW7W?WCWIWOX3X?XEXOYAYGYKZ7Z=[K[O\?\G\K];]C]G]M^7^?^C^I^O_3_;_?_E03dHcEh2fNeKeH`F_<h1[>]I^M`=^D\0]CT=aA2f:1gCfFdEfKaLaJg7g3f4f1dM5cK0SJS8<DBL:2RD^I_E0aDdMcLcIf2eO5bD0S<S4S>SK<B:2SN0aDf0dFeGeDeMdKcDbAdBdOe?f6fEg9gAb80S4S>SKQ6<@BF:2SN0aKfLdGcBeH1g6b8gBfFe@e<c:d@0S>SKQ8Q6<@BFJ:62SN0eOcH5gG10S8<@DBFLJ:62SN^I_E0aMfBf?dIcDcAeJ41g4b>b9<gHgDdBfHc<eB0T?TCTKTOU5U;UKV1V7V;VCVMW3W7W?WCWIWOX3X?XEXKXOYAYGYKZ7Z=ZC[?[K[O\?\G\K]7];]C]G]M^3^7^?^C^I^O_3_;_?_E0aI6dJcBi0g0eHaD_3`=]I\:\9h1^J\6^>_B\N]41gAb8b7b6g=g9g5f:f4f1e3dOcNbI0@[1[?F[K4DLH6[O\?\G8\K]7];]C:]G]M^3^7^?>^C^I^O_3<B_;_?_E0WJT;`<_2]H\>[4YJX@aFYGaC`9^O]E\;[1YDa@`6^L]B\8ZNYAa=`3^I]?\5ZKY>a:`0^F]<\2ZHY;a7_M^C]9[OZEY8a4_J^@]6[LZBY5a1_G^=]3[IZ?Y2`N_D^:]0[FZ<XO`K_A^7\M[CZ9XL`H_>^4\J[@Z6XI`E_;^1\G[=Z310^78:^?@>^C^I^O_3<B_;_?_E0S2aI`?W9UOTETCS;R1S9XAW7UMT@X>W4UJT=X;W1UGT:X8VNUDT7X5VKUAT4X2VHU>T1WOVEU;SNWLVBU8SKV?U5SHSESB102_9<B0aJ`@_6]L[8YNW:V0TFS<R2S:R0S7S4QMS1QJRNRKRHREQ>RBQ;R?Q8R<Q5R9Q21O03<B0i9i8gNbFbEbDbCbBi0hGhDh>h;h8h2g5gEg=g9eLfDf8f5e3;cO0<B01aL`B_8]NW<V2THS>R4R22QOQCQLQFQI0=0hL\EbHi;0B0120201XI0RF01i>0RO01bJ0041hH0    "%proof.
Definition proof : list text := [proof_0].

Lemma lower : ~ from_best cycle_7 (fun v => broadcast telegraph cycle_7 [v]) 3.
Proof.
  refine (best_broadcast_refuted telegraph cycle_7 3 images (numbers_of proof) _).
  vm_cast_no_check (eq_refl true).
Qed.

Theorem cycle_7_broadcast : optimal (from_best cycle_7 (fun v => broadcast telegraph cycle_7 [v])) 4.
Proof. apply optimal_by; [apply from_best_lasting; intros; apply suffices_lasting|exact upper|exact lower]. Qed.

Print Assumptions cycle_7_broadcast.
