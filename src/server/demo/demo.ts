/** The whole trip, three times: a client without a dialog, a dialog that says yes, a dialog that says no. */
import type { ApprovalRequest } from "../../broker/index.js";
import { type Agent, startAgent } from "./agent.js";
import { answerTo, endingText, give } from "./answering.js";
import { answerHere, type Keyboard } from "./keyboard.js";
import { type Evidence, judge } from "./promises.js";
import { proofLines, proofText } from "./proof.js";
import { createStandIn, pause } from "./stand-in.js";
import { makeTrip, type Stage, type Trip } from "./trip.js";

/** What a demo has to do with: a real server, its channel, and the person, where there is one. */
export interface DemoOptions extends Stage {
  /** How a client starts the server: its program and arguments. */
  readonly server: readonly string[];
  /** What the server's environment says besides. */
  readonly environment: Readonly<Record<string, string>>;
  /** The person at this terminal; null where there is none. */
  readonly keyboard: Keyboard | null;
  /** What to type in another terminal to approve request `id`. */
  readonly answeringLine: (id: string) => string;
}

/** True when every promise held. Throws an Error when something broke off before that could be said. */
export async function runDemo(options: DemoOptions): Promise<boolean> {
  const { narrator } = options;
  const waited = await askWithoutDialog(options);
  const evidence = await askWithDialog(options, waited);
  const verdicts = judge(evidence);
  const broken = verdicts.filter((verdict) => !verdict.isKept).length;
  narrator.scene("What was promised");
  for (const { promise, isKept } of verdicts) narrator.line(`  ${isKept ? "kept  " : "BROKEN"}  ${promise}`);
  narrator.line(broken === 0 ? "All of it held." : `${broken} of ${verdicts.length} did not hold.`);
  return broken === 0;
}

async function askWithoutDialog(options: DemoOptions): Promise<Trip> {
  const { narrator } = options;
  narrator.scene("1. A client that shows no dialog");
  const agent = await start(options, "demo-without-dialog", null);
  return await closing(agent, () =>
    makeTrip(options, {
      agent,
      proof: "first.txt",
      async meanwhile(request, over, giveUp) {
        tellWhere(request, options);
        if (options.keyboard !== null) return await answerHere(request, options.keyboard, options, over);
        await pause(options.clock, withoutTerminalMs, over);
        if (over.aborted) return;
        narrator.step("given up", "the client cancels its call: silence is not a yes");
        giveUp();
      },
    }),
  );
}

/** Without a terminal nobody is likely to answer; long enough to see that it waits. */
const withoutTerminalMs = 2_000;

function tellWhere({ id }: ApprovalRequest, { narrator, keyboard, answeringLine }: DemoOptions): void {
  const where =
    keyboard === null ? "no terminal here; in another one, type:" : "for you. In another terminal, type:";
  narrator.step("waiting", where);
  narrator.line(answeringLine(id));
  narrator.line("or deny instead of approve.");
}

async function askWithDialog(options: DemoOptions, waited: Trip): Promise<Evidence> {
  const { narrator, clock, project, signal } = options;
  const standIn = createStandIn(clock, narrator);
  narrator.scene("2. A client with a dialog, where this demo presses the button: approve");
  const agent = await start(options, "demo-with-dialog", standIn.dialog);
  return await closing(agent, async () => {
    const approved = await makeTrip(options, {
      agent,
      proof: "second.txt",
      meanwhile: (_request, over) => standIn.press("approve", over),
    });
    const yes = answerTo(approved.request, "approve", options);
    const ending = await give(yes, approved.request, options, signal);
    const again = { ending, lines: proofLines(project, approved.proof) };
    narrator.step("again", `the same yes: ${endingText(ending)}; ${proofText(approved.proof, again.lines)}`);

    narrator.scene("3. The same client, and the button is: deny");
    let carriedOver: Evidence["carriedOver"] = "unread";
    const denied = await makeTrip(options, {
      agent,
      proof: "third.txt",
      async meanwhile(request, over) {
        carriedOver = await give({ ...yes, id: request.id }, request, options, over);
        narrator.step(
          "replayed",
          `the yes to ${approved.request.id}, given to ${request.id}: ${endingText(carriedOver)}`,
        );
        await standIn.press("deny", over);
      },
    });
    return { waited, approved, denied, again, carriedOver };
  });
}

async function start(
  { server, project, environment, narrator }: DemoOptions,
  name: string,
  dialog: Parameters<typeof startAgent>[0]["dialog"],
): Promise<Agent> {
  const agent = await startAgent({ name, server, directory: project, environment, dialog });
  narrator.step("started", `wisp mcp, process ${agent.serverPid}, for the client ${name}`);
  return agent;
}

/** Whatever happens, the server is gone afterwards: what it still writes must not outlive the throw-away home. */
async function closing<Result>(agent: Agent, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    const complaints = agent.complaints().trim();
    if (complaints === "") throw error;
    throw new Error(`${messageOf(error)} The server said: ${complaints}`, { cause: error });
  } finally {
    await agent.close();
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
