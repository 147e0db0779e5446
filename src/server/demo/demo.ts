/**
 * The whole trip, four times: a client without a dialog, a dialog that says yes, a dialog that says no, and a client
 * that does not wait.
 */
import { answerTo, endingText, give } from "./answering.js";
import { type DemoOptions, tellWhere } from "./demo-options.js";
import { answerHere } from "./keyboard.js";
import { askAndLeave } from "./later-scene.js";
import { type Evidence, judge } from "./promises.js";
import { proofLines, proofText } from "./proof.js";
import { createStandIn, pause } from "./stand-in.js";
import { makeTrip, type Trip } from "./trip.js";
import { withAgent } from "./with-agent.js";

/** True when every promise held. Throws an Error when something broke off before that could be said. */
export async function runDemo(options: DemoOptions): Promise<boolean> {
  const { narrator } = options;
  const waited = await askWithoutDialog(options);
  const asked = await askWithDialog(options);
  const detached = await askAndLeave(options);
  const verdicts = judge({ ...asked, waited, detached });
  const broken = verdicts.filter((verdict) => !verdict.isKept).length;
  narrator.scene("What was promised");
  for (const { promise, isKept } of verdicts) narrator.line(`  ${isKept ? "kept  " : "BROKEN"}  ${promise}`);
  narrator.line(broken === 0 ? "All of it held." : `${broken} of ${verdicts.length} did not hold.`);
  return broken === 0;
}

/** Who reads at leisure must not find that the call has returned meanwhile: only the client of the last scene does not wait. */
const patient = ["--hold", "600"];

async function askWithoutDialog(options: DemoOptions): Promise<Trip> {
  const { narrator } = options;
  narrator.scene("1. A client that shows no dialog");
  const role = { name: "demo-without-dialog", dialog: null, flags: patient };
  return await withAgent(options, role, (agent) =>
    makeTrip(options, {
      agent,
      proof: "first.txt",
      async meanwhile(request, over, giveUp) {
        tellWhere(options.keyboard === null ? nobodyHere : somebodyHere, request, options);
        narrator.line("or deny instead of approve.");
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
const withoutTerminalMs = 1_500;

const nobodyHere = "no terminal here; in another one, type:";
const somebodyHere = "for you. In another terminal, type:";

async function askWithDialog(options: DemoOptions): Promise<Omit<Evidence, "waited" | "detached">> {
  const { narrator, clock, project, signal } = options;
  const standIn = createStandIn(clock, narrator);
  narrator.scene("2. A client with a dialog, where this demo presses the button: approve");
  const role = { name: "demo-with-dialog", dialog: standIn.dialog, flags: patient };
  return await withAgent(options, role, async (agent) => {
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
    return { approved, denied, again, carriedOver };
  });
}
