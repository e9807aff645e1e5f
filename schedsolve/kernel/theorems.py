"""By words: referees, bounds, and the forms of the keys of CLAIM, of all tasks and of each."""

from __future__ import annotations

from typing import Any

END = {"sources": [int]}
NODES = {"sources": [int, ...]}
CHOICE = {"open?": bool, "worst?": bool}
SPREAD = {"gossip": {}, "multicast": {**NODES, "targets": [int, ...]}}
TASKS = {**SPREAD, "broadcast": {**NODES, **CHOICE}, "accumulation": {**END, **CHOICE}}
ORDERED = {"ordered?": bool}
SUMS = {"reduce": {**END, **ORDERED}, "reduce-scatter": ORDERED, "allreduce": ORDERED}
SIZES = {"sizes": list}
COPIES = {"broadcast": END, "allgather": {}}
TREES = {**SUMS, **COPIES, "allgatherv": SIZES}
SENT = {"alltoall": {}, "scatter": END, "gather": END}

PERIODIC = {"two_way": bool, "period": int, "edge_colouring?": bool}
PACKETS = {"ports": int, "rounds": int, "weak_ports?": bool}
TIMED = {"in_rounds": bool, "capacities": [int, ...]}
RANKS = {"ranks?": [int, ...], "switches?": [int, ...]}
STEPS = {"steps": int, "chunks?": int, "switches?": [int, ...]}

PLAIN = "distance_bound degree_bound odd_order_bound tree_broadcast_bound tree_gossip_bound "
REFUTED = "gossip_refuted message_refuted distant_pairs_refuted origins_refuted as_given_refuted "
REPEATED = "repeated_gossip_refuted repeated_tree_refuted repeated_message_refuted impossible"
PATHS = "spreading_bound odd_order_bound path_gossip_refuted path_message_refuted"
LEAVES = "empty_subtree_bound round_height_bound broadcast_time_refuted as_given_refuted"
PRICED = "too_few_steps bandwidth_bound chunk_sends_bound price_bound tree_price_bound "
PARTS = "part_by_prices part_by_trees part_by_bandwidth"

THEOREMS = dict[str, Any]()
THEOREMS["rounds_in_words"] = "replay_rounds", PLAIN + REFUTED, {"two_way": bool}, TASKS
THEOREMS["repeated_in_words"] = "replay_repeated", PLAIN + REFUTED + REPEATED, PERIODIC, TASKS
THEOREMS["path_calls_in_words"] = "replay_path_calls", PATHS, {"ports": (int, type(None))}, TASKS
THEOREMS["packets_in_words"] = "replay_packets", "packet_bound", PACKETS, {"broadcast": END}
THEOREMS["messages_in_words"] = "replay_leaf_broadcast", LEAVES, TIMED, {"broadcast": END}
THEOREMS["operands_in_words"] = "replay_operands", LEAVES, TIMED, {"product": END, "prefix": {}}
MESSAGES = {"messages": [[int, int], ...]}
THEOREMS["routes_in_words"] = "replay_routes", "most_messages_bound", MESSAGES, {"deliver": {}}
COPYING = {**RANKS, "switches_copy?": bool}
THEOREMS["trees_in_words"] = "replay_trees", "cut_bound sends_bound", COPYING, TREES
FLOWS = {**SENT, "alltoallv": SIZES}
THEOREMS["flows_in_words"] = "replay_flows", "cut_bound lengths_bound", RANKS, FLOWS
MOVES = {**SENT, **COPIES, **SUMS}
THEOREMS["steps_in_words"] = "replay_copies replay_sums", PRICED + PARTS, STEPS, MOVES
