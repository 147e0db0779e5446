/**
 * The tool `run_command`: check the arguments, judge, ask a person, run exactly what was shown, once. Nothing that
 * would be refused anyway is ever asked about.
 */
import type { CallToolResult, InputRequiredResult, McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import {
  type ApprovalRequest,
  type Approver,
  type Ask,
  expectWispError,
  type JudgedCommand,
  judgingOf,
  likenessOf,
  type Outcome,
  type Verdict,
} from "../../../broker/index.js";
import { type Environment, smallEnvironment } from "../../command/environment.js";
import { judgedOf } from "../../command/judged.js";
import { type ResolvedCommand, resolveCommand } from "../../command/resolve.js";
import { commandSubject } from "../../command/subject.js";
import type { Asking } from "../asking.js";
import { type AskingCall, type AskingToolParts, legPartsOf } from "../asking-call.js";
import { approvalDialogsOf, commandAction } from "../form.js";
import { type Heartbeat, startHeartbeat } from "../heartbeat.js";
import { repeatSecondsOf } from "../hold.js";
import { advertised, parseInput } from "../input.js";
import { type LegAsk, type LegEnd, misconfiguredBy, runLeg } from "../leg.js";
import { withNotifications } from "../notifications.js";
import { type Peer, peerOf } from "../peer.js";
import {
  abandonedResult,
  commonOutput,
  errorResult,
  isRefusal,
  pendingResult,
  policyRefusal,
  refusalResult,
  withSentence,
} from "../result.js";
import { askedBy } from "../verdict.js";
import { type CommandInput, commandInput } from "./command-input.js";
import { runApproved } from "./effect.js";

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
  note: z.string().optional(),
  rule: z.string().optional(),
  notRemembered: z.string().optional(),
});

const description = [
  "Runs one command on this machine after a person has approved it, now or in a rule of theirs. Use it for every command that changes something",
  "or reaches the network. The person sees exactly what you send and may take minutes to answer, so send one",
  "command that does one thing, and say in `says` why. Prefer argv (no shell); use line only where a shell is needed.",
  "Nothing runs without a yes. A no is final: do not send the same command again or look for another way.",
].join(" ");

/** Adds the tool to `server`; nothing is opened or made before it is called. */
export function registerRunCommand(server: McpServer, parts: AskingToolParts): void {
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
      const call = { peer: peerOf(server, ctx, parts.era), wire: ctx.mcpReq, parts };
      return parts.connection.track(answerCall(args, call));
    },
  );
}

async function answerCall(args: unknown, call: AskingCall): Promise<CallToolResult | InputRequiredResult> {
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
    return errorResult(expectWispError(error), null);
  }
}

async function askAndRun(
  command: ResolvedCommand,
  input: CommandInput,
  environment: Environment,
  call: AskingCall,
): Promise<CallToolResult | InputRequiredResult> {
  const { peer, wire } = call;
  const { connection, options } = call.parts;
  const asking = connection.open(peer.client);
  const heartbeat = startHeartbeat(peer, wire.notify, options.clock);
  try {
    const policy = await asking.policy();
    // It may have been loaded just now, and the caller have left meanwhile.
    if (peer.signal.aborted) return abandonedResult();
    const judged = judgedOf(command);
    const { config } = asking;
    const verdict = policy.judge(judged, judgingOf(config));
    const ask = askFor({ command, input, peer, verdict, config, judged });
    if (verdict.name === "deny") {
      await asking.approver.refuse(ask);
      return policyRefusal(verdict);
    }
    heartbeat.says(() => (ask.allowedBy === null ? "Asking a person." : "A rule allows it."));
    const end = await runLeg(approvalOf(ask, asking.approver), legPartsOf(call, asking, heartbeat));
    if (end.kind === "dialog") return end.result;
    const result = await resultOf(end, { command, input, environment, call, asking, heartbeat });
    const about = announcedIn(end);
    const receipts = about === null ? [] : asking.notices.receiptsOf(about);
    return withNotifications(withSentence(result, end.unused), receipts);
  } finally {
    heartbeat.stop();
  }
}

/**
 * The request whose banners belong to this call: what was asked about in it, or what somebody answered before it came. A
 * rule of the session was asked about in another call.
 */
function announcedIn({ request, outcome }: Ended): string | null {
  const isByRule = outcome.name === "approved" && !outcome.redeemed;
  return request ?? (isByRule ? null : outcome.request);
}

type Ended = Extract<LegEnd<Outcome>, { kind: "outcome" }>;

function approvalOf(ask: Ask, approver: Approver): LegAsk<ApprovalRequest, Outcome> {
  return {
    kind: approvalDialogsOf(commandAction),
    subject: likenessOf(ask.subject).subject,
    mostHeldSeconds: null,
    ask: (dialog, signal, onAsked, earlier) => approver.ask(ask, dialog, signal, onAsked, earlier),
  };
}

interface Asked {
  readonly command: ResolvedCommand;
  readonly input: CommandInput;
  readonly environment: Environment;
  readonly call: AskingCall;
  readonly asking: Asking;
  readonly heartbeat: Heartbeat;
}

/** Runs the command where the ask ended with a yes, or needed none. */
async function resultOf(end: Ended, asked: Asked): Promise<CallToolResult> {
  const { command, input, environment, call, asking, heartbeat } = asked;
  const { outcome, heldSeconds, hadDialog, unused } = end;
  const { approver, audit, config, outputs, doctorLine: doctor } = asking;
  if (outcome.name === "pending")
    return pendingResult(outcome, repeatSecondsOf(heldSeconds), unused !== null);
  if (isRefusal(outcome))
    return refusalResult(outcome, doctor, misconfiguredBy({ outcome, hadDialog }, config));
  heartbeat.says(() => (outcome.via === "policy" ? "Allowed; it runs." : "Approved; it runs."));
  const { clock, groups, umask } = call.parts.options;
  const { signal } = call.peer;
  const runParts = {
    clock,
    signal,
    groups,
    umask,
    environment,
    store: outputs(outcome.request ?? outcome.run),
  };
  const { timeoutSeconds } = input;
  return await runApproved({ command, timeoutSeconds, outcome, approver, audit, parts: runParts, doctor });
}

interface Wanted {
  readonly command: ResolvedCommand;
  readonly input: CommandInput;
  readonly peer: Peer;
  readonly verdict: Verdict;
  readonly config: Asking["config"];
  readonly judged: JudgedCommand;
}

function askFor({ command, input, peer, verdict, config, judged }: Wanted): Ask {
  const { subject, longTexts, scopes } = commandSubject(command);
  const asked = askedBy(verdict, {
    scopes,
    program: judged.program,
    programIdentity: judged.programIdentity,
    persistDays: config.settings.approval.persistDays,
  });
  return {
    ...asked,
    subject: asked.scopes.includes("session") ? subject : { ...subject, pattern: null },
    longTexts,
    says: input.says ?? null,
    client: peer.client,
    caller: "stdio",
    thread: input.thread ?? null,
    bound: { role: "mcp", server: "wisp" },
  };
}
