/** A server on stdio as it is written today, with the SDK's second version: it serves both eras. */
import { inputRequired, McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

const form = {
  message: "Who?",
  requestedSchema: {
    type: /** @type {const} */ ("object"),
    properties: { name: { type: /** @type {const} */ ("string") } },
  },
};

serveStdio(({ era }) => {
  const server = new McpServer({ name: "both", version: "1" }, { capabilities: { logging: {} } });
  /** @param {unknown} what */
  const said = (what) => ({ content: [{ type: /** @type {const} */ ("text"), text: JSON.stringify(what) }] });

  server.registerTool("echo", { inputSchema: z.object({ text: z.string() }) }, ({ text }) => said(text));

  server.registerTool("ask", {}, async (ctx) => {
    const { inputResponses, requestState } = ctx.mcpReq;
    if (era === "legacy") return said(await ctx.mcpReq.elicitInput(form));
    if (inputResponses !== undefined) return said({ inputResponses, state: requestState?.() ?? null });
    return inputRequired({
      inputRequests: { who: inputRequired.elicit({ mode: "form", ...form }) },
      requestState: "of the server",
    });
  });

  server.registerTool("slow", {}, async (ctx) => {
    const { signal, _meta } = ctx.mcpReq;
    const params = { progressToken: _meta?.progressToken ?? "none", progress: 1, message: "waiting" };
    await ctx.mcpReq.notify({ method: "notifications/progress", params });
    await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
    return said("cancelled");
  });

  server.registerTool("grow", {}, () => {
    server.registerTool(`grown-${era}`, {}, () => said("new"));
    return said("grown");
  });

  server.registerPrompt("greet", { argsSchema: z.object({ name: z.string() }) }, ({ name }) => ({
    messages: [{ role: "user", content: { type: "text", text: `Hello ${name}` } }],
  }));

  server.registerResource("note", "note://one", { mimeType: "text/plain" }, (uri) => ({
    contents: [{ uri: uri.href, text: "one" }],
  }));
  return server;
});
