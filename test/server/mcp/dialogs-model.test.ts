/**
 * The dialogs of both eras against one model of states: a request waits until the first that decides it, and a dialog is
 * up until it says something. What a dialog says that is not up, and whatever comes after the decision, changes nothing;
 * but a no that the 2026 era brings after the time-out, which nothing could tell its dialog, is a no to the call.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type EraCall, type EraServer, type Revision, revisions, serverOf } from "../../support/era-call.js";
import { textOf } from "../../support/mcp-server.js";
import { PatientClock } from "../../support/patient-clock.js";
import { showsForms } from "../../support/raw-client.js";

/** What can happen to a call that asks. */
const happenings = {
  "the dialog approves": { action: "accept", content: { decision: "approve" } },
  "the dialog denies": { action: "accept", content: { decision: "deny" } },
  "the dialog is declined": { action: "decline" },
  "the dialog is cancelled": { action: "cancel" },
  "the dialog says nothing": { action: "accept", content: {} },
  "the dialog says something else": { action: "accept", content: { decision: "approve", word: "x" } },
  "a face approves": null,
  "a face denies": null,
  "time is over": null,
  "the caller cancels": null,
} as const;
type Happening = keyof typeof happenings;

interface Model {
  readonly dialog: "up" | "over";
  /** Who or what decided; null while it waits. */
  readonly decided: { readonly outcome: string; readonly via: "elicitation" | "cli" | "server" } | null;
}

function next(model: Model, happening: Happening): Model {
  const { dialog, decided } = model;
  // A call whose dialog is up cannot be cancelled in the 2026 era: nothing of it is open.
  if (decided !== null || (happening === "the caller cancels" && dialog === "up")) return model;
  switch (happening) {
    case "the dialog approves":
      return dialog === "over"
        ? model
        : { dialog: "over", decided: { outcome: "approved", via: "elicitation" } };
    case "the dialog denies":
    case "the dialog is declined":
      return dialog === "over"
        ? model
        : { dialog: "over", decided: { outcome: "declined", via: "elicitation" } };
    case "the dialog is cancelled":
    case "the dialog says nothing":
    case "the dialog says something else":
      return { ...model, dialog: "over" };
    case "a face approves":
      return { ...model, decided: { outcome: "approved", via: "cli" } };
    case "a face denies":
      return { ...model, decided: { outcome: "denied", via: "cli" } };
    case "time is over":
      return { ...model, decided: { outcome: "timed_out", via: "server" } };
    case "the caller cancels":
      return { ...model, decided: { outcome: "abandoned", via: "server" } };
    default:
      return happening satisfies never;
  }
}

/** What a dialog that is still up makes of a decision that fell before. */
function afterwards(
  decided: NonNullable<Model["decided"]>,
  happening: Happening,
  revision: Revision,
): Model["decided"] {
  const isNo = happening === "the dialog denies" || happening === "the dialog is declined";
  return isNo && decided.outcome === "timed_out" && revision === "2026-07-28"
    ? { outcome: "declined", via: "elicitation" }
    : decided;
}

async function makeHappen(
  happening: Happening,
  model: Model,
  { server, call, clock }: { server: EraServer; call: EraCall; clock: PatientClock },
): Promise<void> {
  const { face, home } = server;
  const reply = happenings[happening];
  const [request] = face.waiting();
  if (reply !== null) {
    if (model.dialog === "over") return;
    call.reply(reply);
    await settledOr(() => face.audit().some(({ kind }) => kind === "dialog.ended"));
  } else if (happening === "the caller cancels") {
    if (model.dialog === "up") return;
    call.cancel();
    await settledOr(() => false);
  } else if (happening === "time is over") {
    clock.advance(600_000);
    await settledOr(() => false);
  } else if (request !== undefined) {
    if (happening === "a face approves") face.approve(request);
    else face.deny(request);
    await settledOr(() => false);
  }

  function settledOr(holds: () => boolean): Promise<void> {
    const isSettled = (): boolean => existsSync(join(home, "settled")) && face.waiting().length === 0;
    return expect.poll(() => isSettled() || holds(), { interval: 1, timeout: 15_000 }).toBe(true);
  }
}

async function play(revision: Revision, happened: readonly Happening[]): Promise<void> {
  const clock = new PatientClock();
  const config = { approval: { unseenAnswerMs: 0, holdSeconds: 600 } };
  const server = await serverOf(revision, showsForms, { clock, config });
  const call = server.call({ argv: ["sh", "-c", "echo ran >> runs"] }, "p");
  await call.dialog();
  let model: Model = { dialog: "up", decided: null };
  for (const happening of [...happened, "a face denies" as const]) {
    // What has ended is not open for anything any more, but its dialog may still be with the client.
    if (model.decided === null) await makeHappen(happening, model, { server, call, clock });
    else if (model.dialog === "up" && happenings[happening] !== null) {
      call.reply(happenings[happening]);
      model = { dialog: "over", decided: afterwards(model.decided, happening, revision) };
    }
    model = next(model, happening);
  }
  const { decided } = model;
  if (model.dialog === "up" && revision === "2026-07-28") call.reply({ action: "cancel" });
  if (decided?.outcome !== "abandoned") {
    const result = await call.result();
    const { outcome, via } = result.structuredContent ?? {};
    expect(outcome, textOf(result)).toBe(decided?.outcome);
    if (outcome === "approved") expect(via).toBe(decided?.via);
  }
  const runs = join(server.work, "runs");
  expect(existsSync(runs) ? readFileSync(runs, "utf8") : "").toBe(
    decided?.outcome === "approved" ? "ran\n" : "",
  );
  server.served.stop("over");
  await server.settled();
}

test.each(revisions)(
  "a dialog of %s ends as the model says, whatever happens in whatever order",
  async (revision) => {
    const happening = fc.constantFrom(...(Object.keys(happenings) as Happening[]));
    await fc.assert(
      fc.asyncProperty(fc.array(happening, { maxLength: 4 }), (happened) => play(revision, happened)),
      { numRuns: 30 },
    );
  },
  120_000,
);
