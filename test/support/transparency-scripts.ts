/** What clients say that try everything of a server, in both eras: run with and without a gate, to be compared line for line. */
import { envelope } from "./modern-client.js";
import { answers, asks, asksUntil, calls, introduces, type Step, tells } from "./transcript.js";

/** A client that shows everything that a server of the 2025 era may ask it for. */
const able = {
  roots: { listChanged: true },
  sampling: { tools: {}, context: {} },
  elicitation: { form: {}, url: {} },
  experimental: { "x/y": { z: 1 } },
};

const roots = { roots: [{ uri: "file:///one", name: "one", colour: "red" }] };
const sampled = {
  role: "assistant",
  model: "m",
  content: { type: "text", text: "sampled" },
  stopReason: "odd",
};

/** The reference server, which speaks the 2025 era. It asks for roots by itself. */
export const everythingScript: readonly Step[] = [
  ...introduces(able).slice(0, 1),
  { ...tells("notifications/initialized"), until: { method: "roots/list" } },
  { sends: [{ jsonrpc: "2.0", id: 0, result: roots }], until: { method: "notifications/message" } },
  asks(1, "tools/list"),
  asks(2, "tools/list", { cursor: "none" }),
  asks("resources", "resources/list"),
  asks(3, "resources/templates/list"),
  asks(4, "resources/read", { uri: "demo://resource/static/document/features.md" }),
  asks(5, "resources/read", { uri: "demo://resource/dynamic/text/7" }),
  asks(6, "resources/read", { uri: "demo://nothing/here" }),
  asks(7, "resources/subscribe", { uri: "demo://resource/dynamic/text/7" }),
  asks(8, "resources/unsubscribe", { uri: "demo://resource/dynamic/text/7" }),
  asks(9, "prompts/list"),
  asks(10, "prompts/get", { name: "args-prompt", arguments: { city: "Ulm" } }),
  asks(11, "prompts/get", { name: "resource-prompt", arguments: { resourceType: "Text", resourceId: "1" } }),
  asks(12, "prompts/get", { name: "no-such-prompt" }),
  asks(13, "completion/complete", {
    ref: { type: "ref/prompt", name: "completable-prompt" },
    argument: { name: "name", value: "A" },
    context: { arguments: { department: "Engineering" } },
  }),
  asks(14, "completion/complete", {
    ref: { type: "ref/resource", uri: "demo://resource/dynamic/text/{resourceId}" },
    argument: { name: "resourceId", value: "12" },
  }),
  asks(15, "logging/setLevel", { level: "debug" }),
  asks(16, "logging/setLevel", { level: "none" }),
  asks(17, "ping"),
  asks(18, "no/such/method", { a: 1 }),
  calls(19, "echo", { message: "é \u2028 \u0001 𝄞" }),
  calls(20, "echo", { message: 7 }),
  calls(21, "get-annotated-message", { messageType: "error", includeImage: true }),
  calls(22, "get-annotated-message", { messageType: "none" }),
  calls(23, "get-structured-content", { location: "Chicago" }),
  calls(24, "get-resource-links", { count: 3 }),
  calls(25, "get-resource-reference", { resourceType: "Blob", resourceId: 3 }),
  calls(26, "get-tiny-image"),
  calls(27, "get-sum", { a: 0.1, b: 2e3 }),
  calls(28, "get-env"),
  calls(29, "get-roots-list"),
  calls(30, "gzip-file-as-resource", {
    name: "a.gz",
    data: "data:text/plain,abc",
    outputType: "resourceLink",
  }),
  asks(31, "resources/read", { uri: "demo://resource/session/a.gz" }),
  calls(32, "trigger-long-running-operation", { duration: 0.05, steps: 4 }, { progressToken: "p/1" }),
  asksUntil("sampling/createMessage", calls(33, "trigger-sampling-request", { prompt: "x", maxTokens: 3 })),
  answers(1, sampled, 33),
  asksUntil("elicitation/create", calls(34, "trigger-elicitation-request")),
  answers(2, { action: "accept", content: { name: "Ada", integer: 7, number: 1.5 } }, 34),
  asksUntil("elicitation/create", calls(35, "trigger-elicitation-request")),
  answers(3, { action: "decline" }, 35),
  asksUntil(
    "elicitation/create",
    calls(36, "trigger-url-elicitation", { url: "https://example.org/", elicitationId: "e" }),
  ),
  answers(4, { action: "accept" }, 36),
  calls(37, "trigger-url-elicitation", { url: "https://example.com/", elicitationId: "f", errorPath: true }),
  { ...tells("notifications/roots/list_changed"), until: { method: "roots/list" } },
  { sends: [{ jsonrpc: "2.0", id: 5, result: { roots: [] } }], until: { method: "notifications/message" } },
  calls(38, "get-roots-list"),
  asksUntil(
    "notifications/progress",
    calls(39, "trigger-long-running-operation", { duration: 0.4, steps: 2 }, { progressToken: 40 }),
  ),
  tells("notifications/cancelled", { requestId: 39, reason: "not needed" }),
  calls(41, "echo", { message: "after what was cancelled" }),
  calls(42, "simulate-research-query", { topic: "x" }),
  asks(43, "tasks/list"),
  asks(44, "tasks/get", { taskId: "none" }),
];

/** Ids that JSON-RPC allows, and others that servers meet. A call of a tool needs one that nobody reads as another. */
const anyIds = ['""', '"\\u00e9 \\"x\\""', "-1", "0", "1.5", "9007199254740993", "1e3", "null"];

/** What the client answers to each question of the odd server that `id` is the call of. */
function oddAnswers(id: number): Step {
  const lines = [
    '{"jsonrpc":"2.0","id":0,"result":{"roots":[1.50]}}',
    '{"result":{"content":{"type":"hologram"}},"id":"s-1","jsonrpc":"2.0"}',
    '{"jsonrpc":"2.0","id":-7,"error":{"code":-1.5,"message":"","data":null}}',
    '{ "jsonrpc":"2.0","id":9007199254740993,"result":{} }',
    `{"jsonrpc":"2.0","id":"${id}","result":null}`,
  ];
  return { sends: lines, until: { answer: id } };
}

/** Everything of the odd server that both eras have; `meta` goes with every call. */
function oddScript(meta: object): readonly Step[] {
  return [
    asks(1, "tools/list", { _meta: meta }),
    asks(2, "tools/list", { cursor: "2", _meta: meta }),
    ...anyIds.map(
      (id): Step => ({
        sends: [`{"method":"unheard/of","params":[1.0,{"a":"\\u00e9"}],"jsonrpc":"2.0","id":${id}}`],
        until: { answer: JSON.parse(id) },
      }),
    ),
    { sends: ['{"jsonrpc":"2.0","method":"notifications/odd","params":{"x":1.0}}'], until: heard },
    { ...calls(10, "odd", {}, meta), until: { method: "notifications/odd" } },
    calls("eleven", "long", {}, meta),
    calls(12, "fails", {}, meta),
    calls(13, "echoes", { "": [1.5, null, { é: "\u2028" }], __proto: {}, n: -0.1e-7 }, meta),
    asks(14, "fails"),
    asks("task", "tools/call", { task: { ttl: 1 }, more: [], name: "echoes", _meta: meta }),
    asksUntil("unheard/of", calls(15, "asks", {}, meta)),
    oddAnswers(15),
    calls(16, "progress", {}, { ...meta, progressToken: "é" }),
    calls(17, "progress", {}, { ...meta, progressToken: 0 }),
    calls(18, "changes", {}, meta),
    asksUntil("notifications/begun", calls(19, "slow", {}, meta)),
    { ...tells("notifications/cancelled", { requestId: 19, reason: "x", more: 1 }), until: heard },
    // That of what was cancelled is not used again: a late answer would be taken for the new call's, and the gate refuses it.
    calls(21, "echoes", { again: true }, meta),
    // Many at once are answered in their order.
    { sends: [...Array(20).keys()].map((at) => call(100 + at, meta)), until: { answer: 119 } },
    asks(20, "ping"),
  ];
}

const heard = { method: "notifications/heard" };

function call(id: number, meta: object): object {
  const params = { name: "echoes", arguments: { id }, _meta: meta };
  return { jsonrpc: "2.0", id, method: "tools/call", params };
}

/** The odd server in the 2025 era. */
export const oddScript2025: readonly Step[] = [...introduces(able), ...oddScript({ "x/y": { a: 1 } })];

const modern = { ...envelope({ name: "script", capabilities: able }), "x/y": { a: 1 } };

/** The odd server in the 2026 era, with calls of several rounds, whose state is the server's own. */
export const oddScript2026: readonly Step[] = [
  asks(0, "server/discover", { _meta: modern }),
  ...oddScript(modern),
  calls(30, "rounds", { a: 1 }, modern),
  asks(31, "tools/call", {
    ...{ name: "rounds", arguments: { a: 1 }, _meta: modern, requestState: "stäte" },
    inputResponses: { a: { action: "accept", content: { name: "Ada" } }, b: { odd: true } },
  }),
];

/** What a client of either era does with a server of today; `meta` goes with every request. */
function todaysScript(meta: object): readonly Step[] {
  const more = { _meta: meta };
  return [
    asks(1, "tools/list", more),
    asks(2, "prompts/list", more),
    asks(3, "prompts/get", { name: "greet", arguments: { name: "Ada" }, ...more }),
    asks(4, "resources/list", more),
    asks(5, "resources/read", { uri: "note://one", ...more }),
    asks(6, "resources/read", { uri: "note://two", ...more }),
    asks(7, "no/such/method", more),
    calls(8, "echo", { text: "here" }, meta),
    calls(9, "echo", { text: 7 }, meta),
    asksUntil("notifications/progress", calls(10, "slow", {}, { ...meta, progressToken: "t" })),
    tells("notifications/cancelled", { requestId: 10, reason: "not needed" }),
    calls(11, "echo", { text: "after what was cancelled" }, meta),
    calls(12, "grow", {}, meta),
    asks(13, "tools/list", more),
  ];
}

/** A server of the SDK's second version, in the 2025 era. */
export const todaysScript2025: readonly Step[] = [
  ...introduces(able),
  ...todaysScript({}),
  asksUntil("elicitation/create", calls(14, "ask")),
  answers(0, { action: "accept", content: { name: "Ada" } }, 14),
  asks(15, "ping"),
];

/** What a client of either era does with the server at an address; `meta` goes with every request. */
function webScript(meta: object): readonly Step[] {
  const more = { _meta: meta };
  return [
    asks(1, "tools/list", more),
    asks("é", "no/such/method", { a: [1.5, null], ...more }),
    calls(2, "echo", { text: "é \u2028 \u0001 𝄞" }, meta),
    calls("three", "echo", { text: 7 }, meta),
    asksUntil("notifications/progress", calls(4, "slow", {}, { ...meta, progressToken: "t" })),
    tells("notifications/cancelled", { requestId: 4, reason: "not needed" }),
    calls(5, "echo", { text: "after what was cancelled" }, meta),
  ];
}

/** A server at an address, in the 2025 era: it asks in the middle of a call. */
export const webScript2025: readonly Step[] = [
  ...introduces(able),
  ...webScript({}),
  asks(6, "ping"),
  asksUntil("elicitation/create", calls(7, "ask")),
  answers(0, { action: "accept", content: { name: "Ada" } }, 7),
];

/** The same in the 2026 era: it asks in its answer. */
export const webScript2026: readonly Step[] = [
  asks(0, "server/discover", { _meta: modern }),
  ...webScript(modern),
  calls(6, "ask", {}, modern),
  asks(7, "tools/call", {
    ...{ name: "ask", arguments: {}, _meta: modern },
    inputResponses: { who: { action: "accept", content: { name: "Ada" } } },
  }),
];

const listening = { notifications: { toolsListChanged: true }, _meta: modern };

/** The same in the 2026 era: its dialog goes with the answer, and comes back with the next call. */
export const todaysScript2026: readonly Step[] = [
  asks(0, "server/discover", { _meta: modern }),
  { ...asks("listen", "subscriptions/listen", listening), until: acknowledged() },
  ...todaysScript(modern),
  calls(14, "ask", {}, modern),
  asks(15, "tools/call", {
    ...{ name: "ask", arguments: {}, _meta: modern, requestState: "of the server" },
    inputResponses: { who: { action: "accept", content: { name: "Ada" } } },
  }),
  calls(16, "echo", { text: "without who it is" }),
];

function acknowledged(): { readonly method: string } {
  return { method: "notifications/subscriptions/acknowledged" };
}
