/**
 * A server on stdio with what the public conformance suite of the protocol calls by name, in both eras. Not all of it is
 * here: the suite is run on it with and without a gate, and the two have to say the same.
 */
import {
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  McpServer,
  ResourceTemplate,
} from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

/** @param {string} text */
const textOf = (text) => /** @type {const} */ ({ type: "text", text });
/** @param {string} text */
const said = (text) => ({ content: [textOf(text)] });

const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
const image = /** @type {const} */ ({ type: "image", data: pixel, mimeType: "image/png" });
const audio = /** @type {const} */ ({
  type: "audio",
  data: "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=",
  mimeType: "audio/wav",
});
const embedded = /** @type {const} */ ({
  type: "resource",
  resource: {
    uri: "test://embedded-resource",
    mimeType: "text/plain",
    text: "This is an embedded resource.",
  },
});

/** @param {string} message @param {Readonly<Record<string, object>>} properties */
const form = (message, properties) => ({
  message,
  requestedSchema: { type: /** @type {const} */ ("object"), properties, required: Object.keys(properties) },
});
/** @param {string} message @param {Readonly<Record<string, object>>} properties */
const asksForm = (message, properties) => ({
  method: "elicitation/create",
  params: form(message, properties),
});
/** @param {string} text @param {number} maxTokens */
const asksModel = (text, maxTokens) => ({
  method: "sampling/createMessage",
  params: { messages: [{ role: "user", content: textOf(text) }], maxTokens },
});
const asksRoots = { method: "roots/list", params: {} };
const text = { type: "string" };
const description = "For the suite.";

const codec = createRequestStateCodec({ key: "k".repeat(32), ttlSeconds: 600 });

/** Tools of the 2026 era: what each asks for in its rounds, whether a state goes with it, and what it answers then. */
const rounds = /** @type {const} */ ([
  ["elicitation", false, [{ user_name: asksForm("What is your name?", { name: text }) }]],
  ["sampling", false, [{ capital_question: asksModel("What is the capital of France?", 100) }]],
  ["list_roots", false, [{ client_roots: asksRoots }]],
  ["request_state", true, [{ confirm: asksForm("Please confirm", { ok: { type: "boolean" } }) }]],
  ["tampered_state", true, [{ confirm: asksForm("Please confirm", { ok: { type: "boolean" } }) }]],
  [
    "multiple_inputs",
    true,
    [
      {
        user_name: asksForm("What is your name?", { name: text }),
        greeting: asksModel("Generate a greeting", 50),
        client_roots: asksRoots,
      },
    ],
  ],
  [
    "multi_round",
    true,
    [
      { step1: asksForm("Step 1: What is your name?", { name: text }) },
      { step2: asksForm("Step 2: What is your favorite color?", { color: text }) },
    ],
  ],
]);

/** @param {import("@modelcontextprotocol/server").ServerContext} ctx @param {typeof rounds[number]} tool */
async function round(ctx, [, hasState, asked]) {
  const { inputResponses = {}, requestState } = ctx.mcpReq;
  const before = /** @type {{ given: readonly string[] } | undefined} */ (requestState?.());
  const given = [...(before?.given ?? []), ...Object.keys(inputResponses)];
  const questions = asked.find((one) => Object.keys(one).some((key) => !given.includes(key)));
  if (questions === undefined) return said(`state-ok ${JSON.stringify(inputResponses)}`);
  const state = hasState ? { requestState: await codec.mint({ given }, ctx) } : {};
  return /** @type {any} */ ({ resultType: "input_required", inputRequests: questions, ...state });
}

serveStdio(({ era }) => {
  const server = new McpServer(
    { name: "suite", version: "1" },
    { capabilities: { logging: {} }, requestState: { verify: codec.verify } },
  );

  const contents = /** @type {const} */ ([
    ["test_simple_text", [textOf("This is a simple text response for testing.")]],
    ["test_image_content", [image]],
    ["test_audio_content", [audio]],
    ["test_embedded_resource", [embedded]],
    ["test_multiple_content_types", [textOf("Multiple content types test:"), image, embedded]],
  ]);
  for (const [name, content] of contents) {
    server.registerTool(name, { description }, () => ({ content: [...content] }));
  }
  server.registerTool("test_error_handling", { description }, () => {
    throw new Error("This tool intentionally returns an error for testing");
  });
  server.registerTool("test_tool_with_logging", { description }, async (ctx) => {
    for (const data of ["Tool execution started", "Tool processing data", "Tool execution completed"])
      await ctx.mcpReq.notify({ method: "notifications/message", params: { level: "info", data } });
    return said("logged");
  });
  server.registerTool("test_tool_with_progress", { description }, async (ctx) => {
    const progressToken = ctx.mcpReq._meta?.progressToken ?? 0;
    for (const progress of [0, 50, 100])
      await ctx.mcpReq.notify({
        method: "notifications/progress",
        params: { progressToken, progress, total: 100 },
      });
    return said("done");
  });
  server.registerTool(
    "test_sampling",
    { description, inputSchema: z.object({ prompt: z.string() }) },
    async ({ prompt }, ctx) => {
      const messages = [{ role: /** @type {const} */ ("user"), content: textOf(prompt) }];
      const { content } = await ctx.mcpReq.requestSampling({ messages, maxTokens: 100 });
      return said(`LLM response: ${JSON.stringify(content)}`);
    },
  );
  const asking = /** @type {const} */ ([
    ["test_elicitation", { username: text, email: text }],
    [
      "test_elicitation_sep1034_defaults",
      {
        name: { type: "string", default: "John Doe" },
        age: { type: "integer", default: 30 },
        score: { type: "number", default: 95.5 },
        status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
        verified: { type: "boolean", default: true },
      },
    ],
  ]);
  for (const [name, properties] of asking) {
    const inputSchema = z.object({ message: z.string().optional() });
    server.registerTool(name, { description, inputSchema }, async ({ message = "Please answer" }, ctx) => {
      const answer = await ctx.mcpReq.elicitInput(/** @type {any} */ (form(message, properties)));
      return said(`Elicitation completed: ${JSON.stringify(answer)}`);
    });
  }
  if (era === "modern") {
    server.registerTool("test_input_required_result_capabilities", { description }, (ctx) => {
      const able = /** @type {any} */ (ctx.mcpReq.envelope)?.[CLIENT_CAPABILITIES_META_KEY];
      const model = able?.sampling === undefined ? {} : { model: asksModel("Hello", 10) };
      const person = able?.elicitation === undefined ? {} : { person: asksForm("Who?", { name: text }) };
      return /** @type {any} */ ({ resultType: "input_required", inputRequests: { ...model, ...person } });
    });
    for (const tool of rounds) {
      server.registerTool(`test_input_required_result_${tool[0]}`, { description }, (ctx) =>
        round(ctx, tool),
      );
    }
  }

  /** @param {string} uri @param {string} mimeType @param {object} content */
  const holds = (uri, mimeType, content) =>
    server.registerResource(uri, uri, { mimeType }, (url) => ({
      contents: [/** @type {any} */ ({ uri: url.href, mimeType, ...content })],
    }));
  holds("test://static-text", "text/plain", { text: "This is the content of the static text resource." });
  holds("test://static-binary", "image/png", { blob: pixel });
  const template = new ResourceTemplate("test://template/{id}/data", { list: undefined });
  server.registerResource("template", template, { mimeType: "application/json" }, (url, { id }) => ({
    contents: [
      { uri: url.href, mimeType: "application/json", text: JSON.stringify({ id, templateTest: true }) },
    ],
  }));

  /** @param {...any} content */
  const messages = (...content) => ({
    messages: content.map((one) => ({ role: /** @type {const} */ ("user"), content: one })),
  });
  server.registerPrompt("test_simple_prompt", { description }, () =>
    messages(textOf("This is a simple prompt for testing.")),
  );
  const argsSchema = z.object({ arg1: z.string(), arg2: z.string() });
  server.registerPrompt("test_prompt_with_arguments", { description, argsSchema }, ({ arg1, arg2 }) =>
    messages(textOf(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  );
  const uriSchema = z.object({ resourceUri: z.string() });
  server.registerPrompt(
    "test_prompt_with_embedded_resource",
    { description, argsSchema: uriSchema },
    ({ resourceUri }) =>
      messages(
        { type: "resource", resource: { ...embedded.resource, uri: resourceUri } },
        textOf("Process it."),
      ),
  );
  server.registerPrompt("test_prompt_with_image", { description }, () =>
    messages(image, textOf("Analyze it.")),
  );
  return server;
});
