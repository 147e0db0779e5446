/** Clients of every revision, each over stdio with a server of its own: raw ones, and those of the official SDK. */
import { onTestFinished } from "vitest";
import { wispProgram } from "./built.js";
import type { Revision } from "./era-call.js";
import type { Places } from "./mcp-server.js";
import { dialogIn, sendLeg } from "./modern-client.js";
import {
  type Answering,
  type Connect,
  connectV1,
  connectV2,
  type OfficialClient,
} from "./official-clients.js";
import { type RawClient, showsForms, startServer, type ToolResult } from "./raw-client.js";

export const eraClients: readonly (readonly [name: string, connect: Connect])[] = [
  ["raw, 2025-06-18", (places, answering) => connectRaw(places, answering, "2025-06-18")],
  ["raw, 2025-11-25", (places, answering) => connectRaw(places, answering, "2025-11-25")],
  ["raw, 2026-07-28", (places, answering) => connectRaw(places, answering, "2026-07-28")],
  ["SDK v1", connectV1],
  ["SDK v2, auto", (places, answering) => connectV2(places, answering, "auto")],
  ["SDK v2, pinned", (places, answering) => connectV2(places, answering, { pin: "2026-07-28" })],
];

async function connectRaw(
  { root, home, work }: Places,
  answering: Answering,
  revision: Revision,
): Promise<OfficialClient> {
  const environment = { HOME: root, WISP_HOME: home };
  const { client, child, ended } = startServer([process.execPath, wispProgram, "mcp"], {
    environment,
    directory: work,
  });
  onTestFinished(async () => {
    child.stdin?.end();
    await ended;
  });
  const capabilities = answering === "no dialog" ? {} : showsForms;
  const dialogs: string[] = [];
  const answer = async (message: string): Promise<unknown> => {
    dialogs.push(message);
    return typeof answering === "function" ? await answering(message) : undefined;
  };
  let calls = 0;
  const nextToken = (): string => {
    calls += 1;
    return `call-${calls}`;
  };
  if (revision === "2026-07-28") {
    const wire = { client, capabilities };
    return { dialogs, run: (args, onWaiting) => run2026(wire, args, nextToken(), answer, onWaiting) };
  }
  await client.initialize({ capabilities, revision });
  void answerDialogs(client, answer);
  return {
    dialogs,
    run(args, onWaiting) {
      const progressToken = nextToken();
      hearWaiting(client, progressToken, onWaiting);
      return client.resultOf(client.call("run_command", args, { progressToken }));
    },
  };
}

type Answer = (message: string) => Promise<unknown>;

/** Answers whatever the server asks, for as long as it does. */
async function answerDialogs(client: RawClient, answer: Answer): Promise<void> {
  for (const seen = new Set<unknown>(); ; ) {
    const asked = await client.first(({ method, id }) => method === "elicitation/create" && !seen.has(id));
    seen.add(asked.id);
    void answer(String(asked.params?.message)).then((reply) =>
      client.answer(asked, reply as object as never),
    );
  }
}

/** One call, leg by leg. */
async function run2026(
  { client, capabilities }: { readonly client: RawClient; readonly capabilities: object },
  args: Readonly<Record<string, unknown>>,
  progressToken: string,
  answer: Answer,
  onWaiting: (() => void) | undefined,
): Promise<ToolResult> {
  hearWaiting(client, progressToken, onWaiting);
  const who = { args, progressToken, capabilities: { ...capabilities } };
  let result = await client.resultOf(sendLeg(client, who));
  while (result.resultType === "input_required") {
    const { id, message, state } = dialogIn(result);
    const reply = await answer(message);
    const leg = { ...who, state, responses: { [id]: reply } };
    result = await client.resultOf(sendLeg(client, leg));
  }
  return result;
}

/** Calls `onWaiting` with the first progress that says where to answer. */
function hearWaiting(client: RawClient, token: string, onWaiting: () => void = () => {}): void {
  void client
    .first(
      ({ method, params }) =>
        method === "notifications/progress" &&
        params?.progressToken === token &&
        String(params.message).includes("wisp approvals approve "),
    )
    .then(onWaiting);
}
