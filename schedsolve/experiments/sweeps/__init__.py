"""Tables of many results: filtered, claimed, searched for conjectures."""
