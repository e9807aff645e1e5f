// Conditions: an expression over columns becomes a function of a row. A missing value is null.

const OPERATORS = ["**", "//", "<=", ">=", "==", "!=", "<", ">", "+", "-", "*", "/", "%", "(", ")", "[", "]", ","];
const COMPARISONS = ["<=", ">=", "==", "!=", "<", ">", "in", "not in"];
const CLOSE = 1e-9;
const FUNCTIONS = {
  min: Math.min,
  max: Math.max,
  ceil: (x) => Math.ceil(x - CLOSE),
  floor: (x) => Math.floor(x + CLOSE),
  log2: Math.log2,
};

/** A value that arithmetic gave; there must be one. */
function computed(value) {
  if (typeof value === "number" && !Number.isFinite(value)) throw new Error("a division by 0 or a logarithm of 0 has no result");
  return value;
}

/** The words of a condition: { kind: "number" | "text" | "name" | "sign" | "end", value }. */
function wordsOf(text) {
  const words = [];
  let rest = text.trimStart();
  while (rest) {
    const number = /^(\d+(\.\d*)?|\.\d+)/.exec(rest);
    const quoted = /^"([^"]*)"|^'([^']*)'/.exec(rest);
    const name = /^[A-Za-z_]\w*/.exec(rest);
    const sign = OPERATORS.find((operator) => rest.startsWith(operator));
    const found = number || quoted || name || (sign && [sign]);
    if (!found) throw new Error(`${rest[0]} means nothing here`);
    if (number) words.push({ kind: "number", value: Number(found[0]) });
    else if (quoted) words.push({ kind: "text", value: quoted[1] ?? quoted[2] });
    else words.push({ kind: name ? "name" : "sign", value: found[0] });
    rest = rest.slice(found[0].length).trimStart();
  }
  return [...words, { kind: "end", value: "the end" }];
}

/** Whether two values are in the relation; false where one is missing, but for == None. */
function compare(sign, a, b, bare) {
  if (a === null || b === null) {
    if (!bare || (sign !== "==" && sign !== "!=")) return false;
    return (a === b) === (sign === "==");
  }
  if (sign === "in" || sign === "not in") {
    const inside = Array.isArray(b) ? b.some((one) => compare("==", a, one)) : String(b).includes(String(a));
    return inside === (sign === "in");
  }
  const order = typeof a === "string" || typeof b === "string" ? Number(a > b) - Number(a < b) : Math.abs(a - b) < CLOSE ? 0 : a - b;
  return { "==": order === 0, "!=": order !== 0, "<": order < 0, "<=": order <= 0, ">": order > 0, ">=": order >= 0 }[sign];
}

/** The function of a row that a condition stands for; columns: the number of every name in a row. Throws an Error whose message is one line. */
function conditionOf(text, columns) {
  const words = wordsOf(text);
  let at = 0;
  const is = (value) => (words[at].kind === "sign" || words[at].kind === "name") && words[at].value === value;
  const take = (value) => is(value) && (at += 1) > 0;
  const expect = (value) => {
    if (!take(value)) throw new Error(`${value} is missing before ${words[at].value}`);
  };

  const either = () => {
    const parts = [both()];
    while (take("or")) parts.push(both());
    return parts.length === 1 ? parts[0] : (row) => parts.some((part) => part(row));
  };
  const both = () => {
    const parts = [negation()];
    while (take("and")) parts.push(negation());
    return parts.length === 1 ? parts[0] : (row) => parts.every((part) => part(row));
  };
  const negation = () => {
    if (!take("not")) return comparison();
    const inner = negation();
    return (row) => !inner(row);
  };
  const relation = () => {
    if (is("not") && words[at + 1].value === "in") {
      at += 2;
      return "not in";
    }
    const sign = COMPARISONS.find(is);
    if (sign) at += 1;
    return sign;
  };
  // a < b < c is a < b and b < c.
  const comparison = () => {
    const terms = [sum()];
    const signs = [];
    for (let sign = relation(); sign; sign = relation()) {
      signs.push(sign);
      terms.push(sum());
    }
    if (!signs.length) return terms[0];
    return (row) => {
      const values = terms.map((term) => term(row));
      return signs.every((sign, i) => compare(sign, values[i], values[i + 1], terms[i].none || terms[i + 1].none));
    };
  };
  const chain = (next, signs, apply) => () => {
    let left = next();
    for (let sign = signs.find(is); sign; sign = signs.find(is)) {
      at += 1;
      const [first, second, chosen] = [left, next(), sign];
      left = (row) => {
        const [a, b] = [first(row), second(row)];
        return a === null || b === null ? null : computed(apply[chosen](a, b));
      };
    }
    return left;
  };
  const signed = () => {
    if (take("-")) {
      const inner = signed();
      return (row) => (inner(row) === null ? null : -inner(row));
    }
    return take("+") ? signed() : power();
  };
  const power = () => {
    const base = atom();
    if (!take("**")) return base;
    const exponent = signed();
    return (row) => (base(row) === null || exponent(row) === null ? null : computed(base(row) ** exponent(row)));
  };
  const product = chain(signed, ["*", "//", "/", "%"], {
    "*": (a, b) => a * b,
    "/": (a, b) => a / b,
    "//": (a, b) => Math.floor(a / b + CLOSE),
    "%": (a, b) => a - b * Math.floor(a / b + CLOSE),
  });
  const sum = chain(product, ["+", "-"], { "+": (a, b) => a + b, "-": (a, b) => a - b });
  const list = (end) => {
    const parts = [];
    while (!is(end)) {
      parts.push(either());
      if (!take(",")) break;
    }
    expect(end);
    return parts;
  };
  const call = (name) => {
    if (!Object.hasOwn(FUNCTIONS, name)) throw new Error(`there is no function ${name}`);
    const parts = list(")");
    if (!parts.length) throw new Error(`${name} of nothing`);
    return (row) => {
      const values = parts.map((part) => part(row));
      return values.includes(null) ? null : computed(FUNCTIONS[name](...values));
    };
  };
  const atom = () => {
    const word = words[at];
    at += 1;
    if (word.kind === "number" || word.kind === "text") return () => word.value;
    if (word.value === "(") {
      const parts = list(")");
      if (!parts.length) throw new Error("() is empty");
      return parts.length === 1 ? parts[0] : (row) => parts.map((part) => part(row));
    }
    if (word.value === "[") {
      const parts = list("]");
      return (row) => parts.map((part) => part(row));
    }
    if (word.kind !== "name") throw new Error(`a column or a number is missing before ${word.value}`);
    if (take("(")) return call(word.value);
    if (word.value === "None") return Object.assign(() => null, { none: true });
    if (word.value === "True" || word.value === "False") return () => Number(word.value === "True");
    if (!columns.has(word.value)) throw new Error(`there is no column ${word.value}`);
    const number = columns.get(word.value);
    return (row) => row[number];
  };

  const whole = either();
  if (words[at].kind !== "end") throw new Error(`${words[at].value} is one word too many`);
  return (row) => Boolean(whole(row));
}
