/**
 * A server on stdio that answers in both eras with what no SDK writes: unknown fields and types, numbers and escapes that
 * readers change, blanks, other ends of lines, long lines. What it was sent it sends back as it came.
 */

/** @typedef {{ id?: unknown, method?: string, params?: any }} Message */

const status = 3;
/** Above what a gate parses, and above what a pipe holds. */
const long = "long ".repeat(100_000);
/** Who waits for an answer of the client's, by the id as it was written. @type {Map<string, (line: string) => void>} */
const asked = new Map();
let rest = Buffer.alloc(0);

// A newline alone ends a line.
process.stdin.on("data", (chunk) => {
  rest = Buffer.concat([rest, chunk]);
  for (let end = rest.indexOf("\n"); end !== -1; end = rest.indexOf("\n")) {
    const line = rest.subarray(0, end).toString("utf8");
    rest = rest.subarray(end + 1);
    take(line, JSON.parse(line));
  }
});
process.stdin.on("end", () => process.exit(status));

/** @param {string} line */
function write(line) {
  process.stdout.write(`${line}\n`);
}

/** The id as it was written: a number that readers round, or none that is legal. @param {string} line */
function idIn(line) {
  return /"id":("(?:[^"\\]|\\.)*"|[^,}]+)/.exec(line)?.[1] ?? "null";
}

/** @param {string} line @param {Message} message */
function take(line, { method, params }) {
  const id = idIn(line);
  if (method === undefined) return asked.get(id)?.(line);
  if (!line.includes('"id":')) return heard(line, method);
  if (method === "tools/call") return call(line, id, params);
  return write(answerTo(line, id, method, params));
}

/** @param {string} line @param {string} method */
function heard(line, method) {
  if (method === "notifications/initialized") return;
  write(`{"method":"notifications/heard","params":{"line":${JSON.stringify(line)}},"jsonrpc":"2.0"}`);
}

/** @param {string} line @param {string} id @param {string} method @param {any} params */
function answerTo(line, id, method, params) {
  const own = '"_meta":{"x/y":1.0},"unheardOf":{"deep":[1e2,-0,"\\u00e9\\/"]}';
  switch (method) {
    case "initialize":
      return `{ "jsonrpc" : "2.0", "result":{"protocolVersion":"${params.protocolVersion}","capabilities":{"tools":{"listChanged":true},"brandNew":{}},"serverInfo":{"name":"odd","version":"1","colour":"red"},${own}},"id":${id}}`;
    case "server/discover":
      return `{"jsonrpc":"2.0","id":${id},"result":{"resultType":"complete","supportedVersions":["2026-07-28","2099-01-01"],"capabilities":{"tools":{},"brandNew":{}},"serverInfo":{"name":"odd","version":"1"},"ttlMs":0,"cacheScope":"private",${own}}}`;
    case "tools/list": {
      const page = params?.cursor === undefined ? [0, '"nextCursor":"2",'] : [1, ""];
      const names = [
        ["odd", "long", "fails", "echoes"],
        ["asks", "progress", "changes", "slow", "rounds"],
      ][Number(page[0])];
      const tools = names?.map(
        (name) => `{"name":"${name}","inputSchema":{"type":"object"},"execution":{"x":1},"new":1.50}`,
      );
      return `{"jsonrpc":"2.0","id":${id},"result":{"resultType":"complete",${page[1]}"tools":[${tools}],${own}}}`;
    }
    case "fails":
      return `{"jsonrpc":"2.0","id":${id},"error":{"code":-32999,"message":"no\u2028","data":{"a":[null]},"more":true}}`;
    default:
      return `{"jsonrpc":"2.0","id":${id},"result":{"line":${JSON.stringify(line)}}}`;
  }
}

/** @param {string} line @param {string} id @param {any} params */
function call(line, id, { name, inputResponses, requestState, _meta }) {
  /** @param {string} result */
  const answer = (result) => write(`{"result":${result},"jsonrpc":"2.0","id":${id}}`);
  const token = JSON.stringify(_meta?.progressToken);
  switch (name) {
    case "odd":
      answer(
        '{"content":[{"type":"hologram","depth":12345678901234567890},{"text":"\\ud800\\u0000","type":"text","annotations":{"mood":"odd"}}],"structuredContent":{"__proto__":1,"a":1,"a":2},"resultType":"unheard/of"}\r',
      );
      write('{"jsonrpc":"2.0","method":"notifications/odd","params":"\\udc00 \u2028 \u{10ffff}"}');
      return;
    case "long":
      return write(
        `{"jsonrpc":"2.0","nested":{"id":"other","method":["]}"]},"result":{"content":[{"type":"text","text":"${long}\\""}]},"id": ${id} }`,
      );
    case "fails":
      return write(answerTo(line, id, "fails", {}));
    case "asks":
      return ask(answer, id);
    case "progress":
      for (const progress of ["0.5", "1e0", "20000000000000000001"])
        write(
          `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${token},"progress":${progress},"total":1.0,"message":"\\u00e9","more":[]}}`,
        );
      return answer('{"content":[]}');
    case "changes":
      for (const what of ["tools", "prompts", "resources"])
        write(`{"jsonrpc":"2.0","method":"notifications/${what}/list_changed"}`);
      write(
        '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"whispered","data":{"a":1}}}',
      );
      write('{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"x:/","more":1}}');
      return answer("null");
    case "slow":
      // Its end is that it is cancelled.
      return write(`{"jsonrpc":"2.0","method":"notifications/begun","params":{"of":${id}}}`);
    case "rounds":
      if (inputResponses === undefined)
        return answer(
          '{"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create","params":{"mode":"form","message":"Who?","requestedSchema":{"type":"object"}}},"b":{"method":"unheard/of","params":[]}},"requestState":"st\\u00e4te","more":1}',
        );
      return answer(
        `{"resultType":"complete","content":[{"type":"text","text":${JSON.stringify(`${line} ${requestState}`)}}]}`,
      );
    default:
      return answer(`{"content":[{"type":"text","text":${JSON.stringify(line)}}]}`);
  }
}

/** Asks the client for everything that a server may ask for, under ids of every kind, and answers with its answers. */
/** @param {(result: string) => void} answer @param {string} id */
function ask(answer, id) {
  const questions = [
    ["roots/list", "0", "{}"],
    ["sampling/createMessage", '"s-1"', '{"messages":[],"maxTokens":1e1,"new":{"x":[]}}'],
    ["elicitation/create", "-7", '{"mode":"hologram","message":"Who?","requestedSchema":{}}'],
    ["ping", "9007199254740993", "{}"],
    ["unheard/of", `"${id.replaceAll('"', "")}"`, "[1]"],
  ];
  /** @type {string[]} */
  const lines = [];
  for (const [method, own = "", params] of questions) {
    asked.set(own, (line) => {
      lines.push(line);
      asked.delete(own);
      if (asked.size === 0)
        answer(`{"content":[{"type":"text","text":${JSON.stringify(lines.join("\n"))}}]}`);
    });
    write(`{"jsonrpc":"2.0","id":${own},"method":"${method}","params":${params}}`);
  }
}
