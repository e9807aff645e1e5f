(** The checker of [Schedsolve.Verdict] as a program in OCaml.  Only truth values, options, pairs and lists are
    replaced by OCaml's own. *)

From Coq Require Import Extraction ExtrOcamlBasic List.
From Schedsolve Require Import Definitions Checker Verdict.

Print Assumptions accepted_is_optimal.
Extraction Language OCaml.
Extraction "verdict.ml" opening first_state read_number is_refuted.
