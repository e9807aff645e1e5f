(** What the formula of InnerFormula.v takes of variables and counts: fresh variables, at most one of some, and
    a counter, clause for clause as schedsolve/formulas/cnf.py writes them; and how many elements lists have. *)

From Coq Require Import List Bool Arith PArith Lia.
From Schedsolve Require Import Definitions Replay Checker Variables Symmetry.
Import ListNotations.
Local Open Scope bool_scope.

(** ** Fresh variables *)

Fixpoint fresh (next : positive) (n : nat) : list positive :=
  match n with 0 => [] | S n' => next :: fresh (Pos.succ next) n' end.
Fixpoint after_fresh (next : positive) (n : nat) : positive :=
  match n with 0 => next | S n' => after_fresh (Pos.succ next) n' end.

Lemma fresh_length n : forall next, length (fresh next n) = n.
Proof. induction n as [|n IH]; intros next; simpl; [reflexivity|]. now rewrite IH. Qed.

Lemma after_fresh_le n : forall next, (next <= after_fresh next n)%positive.
Proof. induction n as [|n IH]; intros next; simpl; [lia|]. specialize (IH (Pos.succ next)). lia. Qed.

Lemma fresh_range n x : forall next, In x (fresh next n) -> (next <= x < after_fresh next n)%positive.
Proof.
  induction n as [|n IH]; intros next; simpl; [tauto|]. intros [<-|H].
  - pose proof (after_fresh_le n (Pos.succ next)). lia.
  - apply IH in H. lia.
Qed.

(** They may have any values. *)
Lemma fresh_values bits : forall next (a : assignment),
  exists b, same_below next a b /\ map b (fresh next (length bits)) = bits.
Proof.
  induction bits as [|bit bits IH]; intros next a; [exists a; now split|].
  destruct (IH (Pos.succ next) (fun x => if Pos.eqb x next then bit else a x)) as [b [S E]].
  exists b. split.
  - intros x Hx. rewrite S by lia. destruct (Pos.eqb_spec x next); [lia|reflexivity].
  - simpl. rewrite E, S by lia. now rewrite Pos.eqb_refl.
Qed.

(** ** At most one *)

Fixpoint one_at_most (l : list positive) : list clause :=
  match l with [] => [] | x :: l' => map (fun y => [(false, x); (false, y)]) l' ++ one_at_most l' end.

Lemma one_at_most_sound {A} (b : assignment) (l : list (A * positive)) : NoDup (map fst l) ->
  (forall p q, In p l -> In q l -> b (snd p) = true -> b (snd q) = true -> fst p = fst q) ->
  model b (one_at_most (map snd l)).
Proof.
  induction l as [|p l IH]; simpl; intros D H; [intros c []|]. inversion D as [|? ? N D']; subst.
  apply model_app. split; [|apply IH; auto].
  intros c Hc. apply in_map_iff in Hc. destruct Hc as [x [<- Hx]]. apply in_map_iff in Hx.
  destruct Hx as [q [<- Hq]].
  destruct (b (snd p)) eqn:Bp; [|exists (false, snd p); simpl; auto].
  destruct (b (snd q)) eqn:Bq; [|exists (false, snd q); simpl; auto].
  exfalso. apply N. rewrite (H p q); auto. now apply in_map.
Qed.

(** ** A counter *)

Definition nth_var (l : list positive) (k : nat) : list positive :=
  match nth_error l k with Some x => [x] | None => [] end.
Definition fewer_var (l : list positive) (k : nat) : list positive :=
  match k with 0 => [] | S j => nth_var l j end.

(** Of the literals so far, at least so many hold: one more literal. *)
Definition count_clauses (x : positive) (before now : list positive) : list clause :=
  flat_map (fun p =>
    let fewer := fewer_var before (fst p) in
    let same := nth_var before (fst p) in
    let v := snd p in
    [(true, v) :: (false, x) :: map (pair false) fewer]
    ++ map (fun y => [(true, v); (false, y)]) same
    ++ [(false, v) :: (true, x) :: map (pair true) same]
    ++ map (fun y => (false, v) :: map (pair true) same ++ [(true, y)]) fewer) (placed 0 now).

(** The clauses, the variables of the last count, and the first free variable. *)
Fixpoint counted (most : nat) (next : positive) (before lits : list positive) :
  list clause * list positive * positive :=
  match lits with
  | [] => ([], before, next)
  | x :: rest =>
    let size := Nat.min (S (length before)) most in
    let now := fresh next size in
    match counted most (after_fresh next size) now rest with
    | (clauses, last, free) => (count_clauses x before now ++ clauses, last, free)
    end
  end.

(** What the variables say if of [seen] literals [ones] hold. *)
Definition thresholds (most seen ones : nat) : list bool :=
  map (fun k => k <? ones) (seq 0 (Nat.min seen most)).

Lemma threshold_at (b : assignment) l most seen ones k : map b l = thresholds most seen ones ->
  k < Nat.min seen most ->
  exists y, nth_error l k = Some y /\ b y = (k <? ones).
Proof.
  intros E Hk. assert (N : nth_error (map b l) k = Some (k <? ones)).
  { rewrite E. unfold thresholds. apply (map_nth_error (fun j => j <? ones)).
    rewrite (@nth_error_nth' _ _ k 0) by now rewrite seq_length. now rewrite seq_nth. }
  destruct (nth_error l k) as [y|] eqn:L.
  - exists y. split; [reflexivity|]. rewrite (map_nth_error b k l L) in N. congruence.
  - exfalso. apply nth_error_None in L. rewrite <- (map_length b) in L. apply nth_error_None in L. congruence.
Qed.

Lemma thresholds_length (b : assignment) l most seen ones : map b l = thresholds most seen ones ->
  length l = Nat.min seen most.
Proof. intros E. rewrite <- (map_length b), E. unfold thresholds. now rewrite map_length, seq_length. Qed.

Definition last_one (l : list positive) : list positive := nth_var l (pred (length l)).

Lemma last_threshold (b : assignment) l most seen ones : map b l = thresholds most seen ones -> 0 < most ->
  most <= seen ->
  most <= ones -> exists x, last_one l = [x] /\ b x = true.
Proof.
  intros E P L1 L2. pose proof (thresholds_length b l most seen ones E) as Len.
  rewrite Nat.min_r in Len by lia.
  destruct (threshold_at b l most seen ones (pred (length l)) E) as [x [N B]]; [lia|].
  exists x. unfold last_one, nth_var. rewrite N. split; [reflexivity|]. rewrite B. apply Nat.ltb_lt. lia.
Qed.

Lemma count_clauses_sound (b : assignment) x before now most seen ones : ones <= seen ->
  map b before = thresholds most seen ones ->
  map b now = thresholds most (S seen) (ones + if b x then 1 else 0) ->
  model b (count_clauses x before now).
Proof.
  intros Le Eb En c Hc. unfold count_clauses in Hc. apply in_flat_map in Hc. destruct Hc as [[k v] [Hk Hc]].
  apply in_placed0 in Hk. cbn [fst snd] in Hc.
  assert (Lk : k < Nat.min (S seen) most).
  { rewrite <- (thresholds_length b now most (S seen) _ En). apply nth_error_Some. congruence. }
  destruct (threshold_at b now most (S seen) _ k En Lk) as [v' [Nv Bv]]. rewrite Hk in Nv. injection Nv as <-.
  assert (Fewer : forall y, In y (fewer_var before k) -> 0 < k /\ b y = (pred k <? ones)).
  { intros y Hy. destruct k as [|j]; [destruct Hy|]. simpl in Hy. unfold nth_var in Hy. split; [lia|].
    destruct (threshold_at b before most seen ones j Eb ltac:(lia)) as [z [Nz Bz]]. rewrite Nz in Hy.
    destruct Hy as [<-|[]]. exact Bz. }
  assert (Same : (exists y, nth_var before k = [y] /\ b y = (k <? ones)) \/
    (nth_var before k = [] /\ k = seen)).
  { unfold nth_var. destruct (Nat.lt_ge_cases k (Nat.min seen most)) as [L|L].
    - left. destruct (threshold_at b before most seen ones k Eb L) as [z [Nz Bz]]. exists z. now rewrite Nz.
    - right. assert (N : nth_error before k = None).
      { apply nth_error_None. now rewrite (thresholds_length b before most seen ones Eb). }
      rewrite N. split; [reflexivity|lia]. }
  assert (Some_fewer : 0 < k -> exists y, fewer_var before k = [y]).
  { intros P. destruct k as [|j]; [lia|]. simpl. unfold nth_var.
    destruct (threshold_at b before most seen ones j Eb ltac:(lia)) as [z [Nz _]]. exists z. now rewrite Nz. }
  apply in_app_or in Hc. destruct Hc as [[<-|[]]|Hc].
  { (* as many as before and one more *)
    destruct (b v) eqn:V; [exists (true, v); simpl; auto|].
    destruct (b x) eqn:X; [|exists (false, x); simpl; auto].
    symmetry in Bv. apply Nat.ltb_ge in Bv.
    destruct (Some_fewer ltac:(lia)) as [y Hy]. exists (false, y). rewrite Hy. simpl. split; [auto|].
    destruct (Fewer y ltac:(rewrite Hy; now left)) as [P E]. unfold holds. simpl. rewrite E.
    apply Nat.ltb_ge. lia. }
  apply in_app_or in Hc. destruct Hc as [Hc|Hc].
  { (* as many as before *)
    apply in_map_iff in Hc. destruct Hc as [y [<- Hy]].
    destruct Same as [[z [Ez Bz]]|[Ez _]]; rewrite Ez in Hy;
      [|destruct Hy]. destruct Hy as [<-|[]].
    destruct (b v) eqn:V; [exists (true, v); simpl; auto|].
    exists (false, z). split; [simpl; auto|]. unfold holds. simpl. rewrite Bz. apply Nat.ltb_ge.
    symmetry in Bv. apply Nat.ltb_ge in Bv. lia. }
  destruct (b v) eqn:V; [symmetry in Bv; apply Nat.ltb_lt in Bv|].
  2: { exists (false, v). split; [|exact V]. apply in_app_or in Hc. destruct Hc as [[<-|[]]|Hc]; [now left|].
       apply in_map_iff in Hc. destruct Hc as [y [<- _]]. now left. }
  apply in_app_or in Hc. destruct Hc as [[<-|[]]|Hc].
  - (* as many now: this literal, or as many before *)
    destruct (b x) eqn:X; [exists (true, x); simpl; auto|].
    destruct Same as [[y [Ey By]]|[_ Ey]]; [|lia]. exists (true, y). rewrite Ey. simpl. split; [auto|].
    unfold holds. simpl. rewrite By. apply Nat.ltb_lt. lia.
  - apply in_map_iff in Hc. destruct Hc as [y [<- Hy]]. exists (true, y). split.
    + right. apply in_or_app. right. now left.
    + destruct (Fewer y Hy) as [P E]. unfold holds. simpl. rewrite E. apply Nat.ltb_lt. destruct (b x); lia.
Qed.

Theorem counted_sound most lits : forall next before a seen ones,
  (forall x, In x lits -> (x < next)%positive) -> (forall x, In x before -> (x < next)%positive) ->
  map a before = thresholds most seen ones -> ones <= seen ->
  match counted most next before lits with
  | (clauses, last, _) => exists b, same_below next a b /\ model b clauses /\
      map b last = thresholds most (length lits + seen) (length (filter a lits) + ones)
  end.
Proof.
  induction lits as [|x lits IH]; intros next before a seen ones Bl Bb E Le; cbn [counted length filter].
  - exists a. split; [now intros y|]. split; [intros c []|exact E].
  - set (size := Nat.min (S (length before)) most).
    set (bits := thresholds most (S seen) (ones + if a x then 1 else 0)).
    assert (Len : length bits = size).
    { unfold bits, thresholds, size. rewrite map_length, seq_length, (thresholds_length a before most seen
        ones E). lia. }
    destruct (fresh_values bits next a) as [a1 [S1 E1]]. rewrite Len in E1.
    pose proof (after_fresh_le size next) as Next.
    assert (Same : forall l, (forall y, In y l -> (y < next)%positive) -> map a1 l = map a l).
    { intros l Hl. apply map_ext_in. intros y Hy. now apply S1, Hl. }
    specialize (IH (after_fresh next size) (fresh next size) a1 (S seen) (ones + if a x then 1 else 0)).
    revert IH. destruct (counted most (after_fresh next size) (fresh next size) lits) as [[clauses last]
      free].
    intros IH. destruct IH as [b [S2 [M L]]].
    + intros y Hy. specialize (Bl y (or_intror Hy)). lia.
    + intros y Hy. now apply fresh_range in Hy.
    + exact E1.
    + destruct (a x); lia.
    + exists b. split; [intros y Hy; rewrite S2 by lia; now apply S1|]. split.
      * apply model_app. split; [|exact M].
        assert (Bx : b x = a x) by (specialize (Bl x (or_introl eq_refl)); rewrite S2 by lia; now apply S1).
        apply (count_clauses_sound b x before (fresh next size) most seen ones Le).
        -- rewrite <- E, <- (Same before Bb). apply map_ext_in. intros y Hy. apply S2. specialize (Bb y Hy).
           lia.
        -- rewrite Bx. fold bits. rewrite <- E1. apply map_ext_in. intros y Hy. apply S2.
           now apply fresh_range in Hy.
      * rewrite L. assert (F : filter a1 lits = filter a lits).
        { apply filter_ext_in. intros y Hy. apply S1. apply Bl. now right. }
        rewrite F. f_equal; [lia|]. destruct (a x); simpl; lia.
Qed.

Lemma counted_next most lits : forall next before, (next <= snd (counted most next before lits))%positive.
Proof.
  induction lits as [|x lits IH]; intros next before; cbn [counted]; [simpl; lia|].
  set (size := Nat.min (S (length before)) most).
  specialize (IH (after_fresh next size) (fresh next size)). pose proof (after_fresh_le size next). revert IH.
  destruct (counted most (after_fresh next size) (fresh next size) lits) as [[clauses last] free]. simpl. lia.
Qed.

Lemma count_clauses_of x before now c l : In c (count_clauses x before now) -> In l c ->
  snd l = x \/ In (snd l) before \/ In (snd l) now.
Proof.
  intros Hc Hl. unfold count_clauses in Hc. apply in_flat_map in Hc. destruct Hc as [[k v] [Hk Hc]].
  apply in_placed0 in Hk. cbn [fst snd] in Hc. apply nth_error_In in Hk.
  assert (Same : forall j y, In y (nth_var before j) -> In y before).
  { intros j y Hy. unfold nth_var in Hy. destruct (nth_error before j) eqn:E; [|destruct Hy].
    destruct Hy as [<-|[]]. now apply nth_error_In in E. }
  assert (Fewer : forall y, In y (fewer_var before k) -> In y before).
  { intros y Hy. destruct k as [|j]; [destruct Hy|]. now apply (Same j). }
  assert (Signed : forall sign q, (forall y, In y q -> In y before) -> In l (map (pair sign) q) -> In (snd l) before).
  { intros sign q Q H. apply in_map_iff in H. destruct H as [y [<- Hy]]. now apply Q. }
  rewrite !in_app_iff in Hc. destruct Hc as [[<-|[]]|[Hc|[[<-|[]]|Hc]]].
  - destruct Hl as [<-|[<-|Hl]]; simpl; auto. right. left. now apply (Signed false _ Fewer).
  - apply in_map_iff in Hc. destruct Hc as [y [<- Hy]]. apply Same in Hy.
    destruct Hl as [<-|[<-|[]]]; simpl; auto.
  - destruct Hl as [<-|[<-|Hl]]; simpl; auto. right. left. now apply (Signed true _ (Same k)).
  - apply in_map_iff in Hc. destruct Hc as [y [<- Hy]]. apply Fewer in Hy.
    destruct Hl as [<-|Hl]; [simpl; auto|]. apply in_app_or in Hl. destruct Hl as [Hl|[<-|[]]]; [|simpl; auto].
    right. left. now apply (Signed true _ (Same k)).
Qed.

Lemma counted_below most lits : forall next before,
  (forall x, In x lits -> (x < next)%positive) -> (forall x, In x before -> (x < next)%positive) ->
  match counted most next before lits with
  | (clauses, last, free) => (forall c, In c clauses -> below free c) /\ forall x, In x last -> (x < free)%positive
  end.
Proof.
  induction lits as [|x lits IH]; intros next before Bl Bb; cbn [counted]; [split; [intros c []|exact Bb]|].
  set (size := Nat.min (S (length before)) most).
  specialize (IH (after_fresh next size) (fresh next size)). pose proof (after_fresh_le size next) as L.
  pose proof (counted_next most lits (after_fresh next size) (fresh next size)) as L'. revert IH L'.
  destruct (counted most (after_fresh next size) (fresh next size) lits) as [[clauses last] free].
  intros IH L'. simpl in L'. destruct IH as [B1 B2].
  - intros y Hy. specialize (Bl y (or_intror Hy)). lia.
  - intros y Hy. now apply fresh_range in Hy.
  - split; [|exact B2]. intros c Hc. apply in_app_or in Hc. destruct Hc as [Hc|Hc]; [|now apply B1].
    intros l Hl. destruct (count_clauses_of x before (fresh next size) c l Hc Hl) as [->|[H|H]].
    + specialize (Bl x (or_introl eq_refl)). lia.
    + specialize (Bb _ H). lia.
    + apply fresh_range in H. lia.
Qed.

(** ** Numbers of elements *)

(** Equal numbers, but for what one of them has more. *)
Lemma skipped {A} (f : nat -> A) o : forall m, skipn o (map f (seq 0 (o + m))) = map (fun j => f (o + j)) (seq 0 m).
Proof.
  revert f. induction o as [|o IH]; intros f m; [reflexivity|]. simpl.
  rewrite <- seq_shift, map_map. now rewrite IH.
Qed.

Lemma one_more {A} (f : A -> bool) x l : length (filter f (x :: l)) = Nat.b2n (f x) + length (filter f l).
Proof. simpl. now destruct (f x). Qed.

Lemma members l n : NoDup l -> (forall v, In v l -> v < n) -> length (filter (one_of l) (seq 0 n)) = length l.
Proof.
  intros D I. apply Nat.le_antisymm; apply NoDup_incl_length; [apply NoDup_filter, seq_NoDup| |exact D|].
  - intros v H. apply filter_In in H. now apply one_of_spec.
  - intros v H. apply filter_In. split; [|now apply one_of_spec]. apply in_seq. specialize (I v H). lia.
Qed.

Lemma NoDup_map_filter {A B} (f : A -> B) (g : A -> bool) l : NoDup (map f l) -> NoDup (map f (filter g l)).
Proof.
  induction l as [|x l IH]; simpl; intros D; [constructor|]. inversion D as [|? ? N D']; subst.
  destruct (g x); [|auto]. simpl. constructor; [|auto]. intros H. apply N. apply in_map_iff in H.
  destruct H as [y [<- H]]. apply filter_In in H. now apply in_map.
Qed.

Lemma once_each r : NoDup (ends r) -> NoDup (map fst r) /\ NoDup (map snd r).
Proof.
  induction r as [|[x y] r IH]; simpl; intros D; [split; constructor|].
  inversion D as [|? ? Nx D']; subst. inversion D' as [|? ? Ny D'']; subst. destruct (IH D'') as [D1 D2].
  assert (Sub : forall z, In z (map fst r) \/ In z (map snd r) -> In z (ends r)).
  { intros z H. apply in_flat_map. destruct H as [H|H]; apply in_map_iff in H; destruct H as [c [<- H]];
      exists c; (split; [exact H|simpl; auto]). }
  split; constructor; try assumption; intros H.
  - apply Nx. right. apply Sub. now left.
  - apply Ny. apply Sub. now right.
Qed.

Lemma no_more_than {A B} (R : A -> B -> Prop) (l : list A) : NoDup l -> forall k : list B,
  (forall x, In x l -> exists t, In t k /\ R x t) ->
  (forall x y t, In x l -> In y l -> R x t -> R y t -> x = y) -> length l <= length k.
Proof.
  induction 1 as [|x l Nx D IH]; simpl; intros k H One; [lia|].
  destruct (H x (or_introl eq_refl)) as [t [Ht Rt]]. destruct (in_split _ _ Ht) as [k1 [k2 ->]].
  rewrite app_length. simpl. enough (length l <= length (k1 ++ k2)) as E by (rewrite app_length in E; lia).
  apply IH; [|intros y z u Hy Hz; apply One; auto].
  intros y Hy. destruct (H y (or_intror Hy)) as [u [Hu Ru]]. exists u. split; [|exact Ru].
  apply in_app_or in Hu. apply in_or_app. destruct Hu as [Hu|[<-|Hu]]; [now left| |now right].
  exfalso. apply Nx. rewrite (One x y t); auto.
Qed.

Lemma count_less (f g : node -> bool) l o : (forall x, f x = true -> g x = true) ->
  In o l -> f o = false -> g o = true -> length (filter f l) < length (filter g l).
Proof.
  intros Le Ho Fo Go. assert (W : forall q, length (filter f q) <= length (filter g q)).
  { induction q as [|x q IH]; simpl; [lia|]. destruct (f x) eqn:E; [rewrite (Le x E); simpl; lia|].
    destruct (g x); simpl; lia. }
  induction l as [|x l IH]; [destruct Ho|]. simpl. destruct Ho as [->|Ho].
  - rewrite Fo, Go. simpl. specialize (W l). lia.
  - specialize (IH Ho). destruct (f x) eqn:E; [rewrite (Le x E); simpl; lia|].
    destruct (g x); simpl; lia.
Qed.
