/**
 * The tool `run_command`: check the arguments, judge, ask a person, run exactly what was shown, once. Nothing that
 * would be refused anyway is ever asked about.
 */
import type { CallToolResult, McpServer, ServerContext } from "@modelcontextprotocol/server";
import * as z from "zod";
import { type Ask, clientFacts, type Dialog, judgeCommand, WispError } from "../../../broker/index.js";
import { type Environment, smallEnvironment } from "../../command/environment.js";
import { type ResolvedCommand, resolveCommand } from "../../command/resolve.js";
import { commandSubject } from "../../command/subject.js";
import type { Asking } from "../asking.js";
import type { Connection, ConnectionOptions } from "../connection.js";
import { dialog2025 } from "../dialog-2025.js";
import { elsewhereOf } from "../elsewhere.js";
import { startHeartbeat, waitingText } from "../heartbeat.js";
import { advertised, parseInput } from "../input.js";
import { type Era, type Peer, peerOf } from "../peer.js";
import { abandonedResult, commonOutput, errorResult, isRefusal, refusalResult } from "../result.js";
import { type CommandInput, commandInput } from "./command-input.js";
import { runApproved } from "./effect.js";

/** The connection that the tool asks through, and the era that its client speaks. */
export interface RunCommandParts {
  readonly connection: Connection;
  readonly options: ConnectionOptions;
  readonly era: Era;
}

const outputSchema = z.object({
  ...commonOutput,
  exitCode: z.number().nullable().optional(),
  signal: z.string().nullable().optional(),
  stdout: z.string().optional(),
  stderr: z.string().optional(),
  truncated: z.boolean().optional(),
  durationMs: z.number().optional(),
  timedOut: z.boolean().optional(),
  scope: z.string().nullable().optional(),
  via: z.string().optional(),
  assurance: z.string().nullable().optional(),
  note: z.string().optional(),
});

const description = [
  "Runs one command on this machine after a person has approved it. Use it for every command that changes something",
  "or reaches the network. The person sees exactly what you send and may take minutes to answer, so send one",
  "command that does one thing, and say in `says` why. Prefer argv (no shell); use line only where a shell is needed.",
  "Nothing runs without a yes. A no is final: do not send the same command again or look for another way.",
].join(" ");

/** Adds the tool to `server`; nothing is opened or made before it is called. */
export function registerRunCommand(server: McpServer, parts: RunCommandParts): void {
  server.registerTool(
    "run_command",
    {
      title: "Run a command",
      description,
      inputSchema: advertised(commandInput),
      outputSchema,
      annotations: {
        title: "Run a command",
        readOnlyHint: false,
        destructiveHint: true,
        openWorldHint: true,
      },
      // One client hides tools behind a search unless they ask not to be.
      _meta: { "anthropic/alwaysLoad": true },
    },
    (args, ctx) => {
      const call = { peer: peerOf(server, ctx, parts.era), mcpReq: ctx.mcpReq, parts };
      return parts.connection.track(answerCall(args, call));
    },
  );
}

interface Call {
  readonly peer: Peer;
  readonly mcpReq: ServerContext["mcpReq"];
  readonly parts: RunCommandParts;
}

async function answerCall(args: unknown, call: Call): Promise<CallToolResult> {
  // A cancellation may come in the same read as the call; its listeners would never hear it.
  if (call.peer.signal.aborted) return abandonedResult();
  try {
    const input = parseInput(commandInput, args);
    const { options } = call.parts;
    const { argv = null, line = null, directory = options.directory } = input;
    const environment = smallEnvironment(options.environment);
    const command = resolveCommand({ argv, line, directory }, environment);
    return await askAndRun(command, input, environment, call);
  } catch (error) {
    if (error instanceof WispError) return errorResult(error, null);
    throw error;
  }
}

async function askAndRun(
  command: ResolvedCommand,
  input: CommandInput,
  environment: Environment,
  call: Call,
): Promise<CallToolResult> {
  const { peer, mcpReq } = call;
  const { connection, options } = call.parts;
  const { clock, groups, umask } = options;
  const { signal } = peer;
  const asking = connection.open(peer.client);
  const { approver, audit, config, outputs, doctorLine: doctor } = asking;
  const heartbeat = startHeartbeat(peer, mcpReq.notify, clock);
  try {
    heartbeat.says(() => "Asking a person.");
    const dialog = dialogOf(call, asking);
    const ask = askFor(command, input, peer, config.fault);
    const outcome = await approver.ask(ask, dialog, signal, (request, fault) =>
      heartbeat.says(waitingText(request, elsewhereOf(asking, request.id, fault), clock)),
    );
    if (isRefusal(outcome)) {
      // Without the broken file the dialog would have asked: that is what has to be repaired first.
      const isUnasked = outcome.name === "failed" && outcome.request === null && dialog !== null;
      return refusalResult(outcome, doctor, isUnasked ? config.fault : null);
    }
    heartbeat.says(() => "Approved; it runs.");
    const { timeoutSeconds } = input;
    const runParts = { clock, signal, groups, umask, environment, store: outputs(outcome.request) };
    return await runApproved({ command, timeoutSeconds, outcome, audit, parts: runParts, doctor });
  } finally {
    heartbeat.stop();
  }
}

/** In the 2026 era a server cannot push a dialog: there the channel alone asks. */
function dialogOf({ peer, mcpReq, parts }: Call, asking: Asking): Dialog | null {
  const facts = clientFacts(peer.client?.name ?? null, asking.config.settings);
  const isOff = parts.options.environment.WISP_ELICITATION === "off" || !facts.dialog;
  if (peer.era !== "2025" || !peer.can.form || isOff) return null;
  return dialog2025(peer, mcpReq.send, asking, facts);
}

/** `fault` is why the configuration is not in force: whoever is asked must know that it is not the one they wrote. */
function askFor(command: ResolvedCommand, input: CommandInput, peer: Peer, fault: WispError | null): Ask {
  const { subject, longTexts, scopes } = commandSubject(command);
  const { level, reasons } = judgeCommand({ argv: command.argv, line: command.line ?? "" });
  return {
    subject,
    longTexts,
    level,
    reasons: fault === null ? reasons : [...reasons, `${fault.message}. ${fault.why ?? ""}`],
    rule: "every command asks (built in)",
    says: input.says ?? null,
    scopes: [...scopes],
    client: peer.client,
    caller: "stdio",
    thread: input.thread ?? null,
  };
}
