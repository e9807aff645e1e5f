(* check FILE: reads what schedsolve writes (`export RESULT -o FILE.claim`), and prints what is optimal if the
   verified checker accepts it.  The claim is read whole, the numbers of the proof one by one, so that a proof
   may be longer than the memory.  Only reading and printing are written here; what is accepted is optimal by
   the theorem accepted_is_optimal of Verdict.v, whatever the numbers of the proof are. *)

open Verdict

exception Malformed of string

let rec nat_of k = if k = 0 then O else S (nat_of (k - 1))

(* Small numbers are made once, and share their digits; so do the literals of clauses that are kept. *)
let small = Array.make (1 lsl 20) XH
let () =
  for k = 2 to Array.length small - 1 do
    small.(k) <- (if k land 1 = 0 then XO small.(k / 2) else XI small.(k / 2))
  done

let rec positive_of k =
  if k < Array.length small then small.(k)
  else if k land 1 = 0 then XO (positive_of (k / 2)) else XI (positive_of (k / 2))

let n_of k = if k = 0 then N0 else Npos (positive_of k)

let largest = 1 lsl 50

(* The text that stands for a number, if it is one. *)
let natural word =
  let digit c = c >= '0' && c <= '9' in
  if word = "" || not (String.for_all digit word) || String.length word > 15 then
    raise (Malformed ("no number: " ^ word));
  int_of_string word

let node word =
  let k = natural word in
  if k > 1_000_000 then raise (Malformed ("no node: " ^ word));
  nat_of k

let rec pairs = function
  | [] -> []
  | u :: v :: rest -> (node u, node v) :: pairs rest
  | [ u ] -> raise (Malformed ("a node without a partner: " ^ u))

let words line = List.filter (fun w -> w <> "") (String.split_on_char ' ' (String.trim line))

let part name channel =
  match words (input_line channel) with
  | first :: rest when first = name -> rest
  | _ -> raise (Malformed ("a line should begin with " ^ name))

let rec lines count channel = if count = 0 then [] else
  let line = words (input_line channel) in
  line :: lines (count - 1) channel

let counted name channel =
  match part name channel with
  | [ count ] -> lines (natural count) channel
  | _ -> raise (Malformed (name ^ " should say how many lines follow"))

let question_of = function
  | [ "gossip" ] -> Ask_gossip
  | [ "gossip"; "with"; "the"; "fewest"; "calls" ] -> Ask_fewest_gossip
  | [ "gossip"; "with"; "busy"; "ends" ] -> Ask_busy_gossip
  | [ "gossip"; "by"; "inner"; "rounds" ] -> Ask_inner_gossip
  | "gossip" :: "by" :: "pairs" :: nodes -> Ask_gossip_by_pairs (pairs nodes)
  | "broadcast" :: sources -> Ask_broadcast (List.map node sources)
  | [ "accumulation"; root ] -> Ask_accumulation (node root)
  | "multicast" :: ends ->
    let rec split before = function
      | "to" :: targets -> (List.rev_map node before, List.map node targets)
      | source :: rest -> split (source :: before) rest
      | [] -> raise (Malformed "a multicast without targets") in
    let sources, targets = split [] ends in
    Ask_multicast (sources, targets)
  | _ -> raise (Malformed "no task")

(* The claim, and the words by which it is printed. *)
let read_claim channel =
  if input_line channel <> "schedsolve-claim/1" then raise (Malformed "no file of a claim");
  let mode = part "mode" channel in
  let kind = part "network" channel in
  let links = part "links" channel in
  let task = part "task" channel in
  let rounds = counted "schedule" channel in
  let images = counted "symmetries" channel in
  let way = match mode with
    | [ "telegraph" ] -> Telegraph
    | [ "telephone" ] -> Telephone
    | _ -> raise (Malformed "no mode") in
  let directed, size = match kind with
    | [ "directed"; size ] -> (true, node size)
    | [ "undirected"; size ] -> (false, node size)
    | _ -> raise (Malformed "no network") in
  let said = String.concat " " in
  let stated = match task with "gossip" :: _ -> [ "gossip" ] | other -> other in
  let claim = {
    way; on = { directed; size; links = pairs links }; asks = question_of task;
    by_rounds = List.map pairs rounds; symmetries = List.map (List.map node) images } in
  let statement =
    Printf.sprintf "optimal: %d rounds\ntask: %s %s\nnetwork: %s\nlinks: %s"
      (List.length rounds) (said mode) (said stated) (said kind) (said links) in
  (claim, statement)

(* The next number of the proof; none at its end. *)
let rec next_number channel =
  match input_char channel with
  | exception End_of_file -> None
  | ' ' | '\n' -> next_number channel
  | '0' .. '9' as c -> Some (digits channel (Char.code c - 48))
  | c -> raise (Malformed (Printf.sprintf "no digit: %C" c))

and digits channel above =
  if above > largest then raise (Malformed "a number too large");
  match input_char channel with
  | exception End_of_file -> above
  | ' ' | '\n' -> above
  | '0' .. '9' as c -> digits channel ((10 * above) + Char.code c - 48)
  | c -> raise (Malformed (Printf.sprintf "no digit: %C" c))

let rec fold channel state =
  match state with
  | Reading (_, _, _) ->
    (match next_number channel with
     | None -> state
     | Some k -> fold channel (read_number state (n_of k)))
  | _ -> state

let check channel =
  let claim, statement = read_claim channel in
  if not (opening claim) then Error "the schedule or a symmetry does not hold"
  else begin
    if part "proof" channel <> [] then raise (Malformed "the proof should begin on a new line");
    match fold channel (first_state claim) with
    | state when is_refuted state -> Ok statement
    | Reading (_, _, _) -> Error "the proof ends before the empty clause"
    | _ -> Error "a lemma does not follow from its hints"
  end

let () =
  match Sys.argv with
  | [| _; file |] ->
    let verdict =
      try check (open_in_bin file) with
      | Malformed what -> Error what
      | End_of_file -> Error "the file ends before the proof"
      | Sys_error what -> Error what
      | Stack_overflow -> Error "the file asks for a larger stack (ulimit -s)" in
    (match verdict with
     | Ok statement -> print_endline statement
     | Error what -> prerr_endline ("refused: " ^ what); exit 1)
  | _ -> prerr_endline "usage: check FILE"; exit 2
