/**
 * Lines of a client in which some reader finds a call of a tool that another does not see: of the reports about gateways
 * that were passed, and of what readers of JSON and of lines disagree about.
 */

/** The call that nobody may run. */
export const smuggled =
  '{"jsonrpc":"2.0","id":90,"method":"tools/call","params":{"name":"wipe","arguments":{"path":"/"}}}';

const ping = '{"jsonrpc":"2.0","id":91,"method":"ping"}';

/** The call with one thing exchanged. */
function altered(from: string, to: string): string {
  if (!smuggled.includes(from)) throw new Error(`The call holds no ${from}.`);
  return smuggled.replace(from, to);
}

/** What a client writes, without the newline at its end. */
export const smuggledFrames: readonly (readonly [how: string, written: string | Buffer])[] = [
  ["in a batch", `[${smuggled}]`],
  ["in a batch, behind something harmless", `[${ping},${smuggled}]`],
  ["in a batch within a batch", `[[${smuggled}]]`],
  ["behind another message on one line", `${ping}${smuggled}`],
  ["behind another message and a blank", `${ping} ${smuggled}`],
  ["behind a carriage return", `${ping}\r${smuggled}`],
  [
    "between carriage returns, as parameters",
    `{"jsonrpc":"2.0","id":91,"method":"ping","params":\r${smuggled}\r}`,
  ],
  ["between carriage returns, as a result", `{"jsonrpc":"2.0","id":91,"result":\r${smuggled}\r}`],
  ["under a method in other letters", altered("tools/call", "Tools/Call")],
  ["under a method with the long s", altered("tools/call", "tool\u017f/call")],
  ["under a method in wide letters", altered("tools/call", "ｔｏｏｌｓ／ｃａｌｌ")],
  ["under a method with a blank", altered("tools/call", " tools/call\\t")],
  ["under a method that goes on behind a NUL", altered("tools/call", "tools/call\\u0000x")],
  ["under a key in other letters", altered('"method"', '"method":"ping","METHOD"')],
  ["under a key with the Kelvin sign beside it", altered('"params"', '"tas\u212a":1,"params"')],
  ["under a key that goes on behind a NUL", altered('"method"', '"method":"ping","method\\u0000"')],
  ["under a method that stands twice", altered('"method"', '"method":"ping","method"')],
  ["under a method that stands twice, once escaped", altered('"method"', '"method":"ping","\\u006dethod"')],
  ["with a method behind it", altered('"params"', '"method":"ping","params"')],
  ["with parameters that stand twice", altered('"params"', '"params":{"name":"read"},"params"')],
  ["with a name that stands twice", altered('"name"', '"name":"read","name"')],
  ["with a name in other letters", altered('"name"', '"name":"read","Name"')],
  ["in an answer", altered('"method"', '"result":{},"Method"')],
  ["as an answer that is a request, too", altered('"method"', '"result":{},"method"')],
  ["below a prototype", `{"jsonrpc":"2.0","id":90,"__proto__":${smuggled},"method":"ping"}`],
  ["without an id", altered('"id":90,', "")],
  ["under an id that is null", altered("90", "null")],
  ["under an id that is true", altered("90", "true")],
  ["under an id with a fraction", altered("90", "90.5")],
  ["under an id that readers round", altered("90", "9007199254740993")],
  ["under an id that is a list", altered("90", "[90]")],
  ["under an id that is an object", altered("90", '{"id":90}')],
  ["with a number that readers round", altered('"/"', "12345678901234567890")],
  ["with a number that is not finite", altered('"/"', "1e999")],
  ["behind a byte order mark", `\ufeff${smuggled}`],
  ["behind a NUL", `\u0000${smuggled}`],
  ["behind a comment", `/* ping */${smuggled}`],
  ["with a comma too much", altered('"/"}', '"/",}')],
  ["in single quotes", smuggled.replaceAll('"', "'")],
  ["as UTF-16", Buffer.from(smuggled, "utf16le")],
  ["with a letter in two bytes where one does", overlong()],
  ["in a message of more than ten megabytes", altered('"/"', `"${"x".repeat(10 * 1024 * 1024)}"`)],
];

/** `t` as C1 B4, which a careless decoder takes for it. */
function overlong(): Buffer {
  const [before = "", after = ""] = altered("tools/call", "@ools/call").split("@");
  return Buffer.concat([Buffer.from(before), Buffer.of(0xc1, 0xb4), Buffer.from(after)]);
}

/** Every call that some reader finds in what an upstream was sent. */
export function callsFoundIn(received: string): readonly unknown[] {
  const readers = [/\n/, /\r\n|\n|\r/, /\r\n|[\n\r\v\f\u0085\u2028\u2029]/];
  return readers.flatMap((ends) => received.split(ends).flatMap(messagesIn).filter(isCallToSome));
}

function messagesIn(line: string): readonly unknown[] {
  try {
    return [JSON.parse(line)].flat(9);
  } catch {
    return [];
  }
}

function isCallToSome(message: unknown): boolean {
  if (typeof message !== "object" || message === null) return false;
  return Object.entries(message).some(
    ([key, value]) => folded(key) === "method" && typeof value === "string" && folded(value) === "tools/call",
  );
}

function folded(text: string): string {
  const [head = ""] = text.split("\u0000");
  return head.normalize("NFKC").toUpperCase().toLowerCase().trim();
}
