/** The scene in which the client does not wait: the yes comes later, and the next identical call uses it. */
import type { ApprovalRequest } from "../../broker/index.js";
import { type DemoOptions, tellWhere } from "./demo-options.js";
import { type DetachedTrip, makeDetachedTrip } from "./detached-trip.js";
import { answerHere } from "./keyboard.js";
import { withAgent } from "./with-agent.js";

/** Throws an Error as the trip does. */
export async function askAndLeave(options: DemoOptions): Promise<DetachedTrip> {
  options.narrator.scene("4. A client that waits for one second, and a person who answers later");
  const role = { name: "demo-brief", dialog: null, flags: ["--hold", "1"] };
  return await withAgent(options, role, (agent) =>
    makeDetachedTrip(options, {
      agent,
      proof: "fourth.txt",
      async meanwhile(request, over, giveUp) {
        const { keyboard } = options;
        if (keyboard === null) return await answerElsewhere(request, options, over, giveUp);
        tellWhere("still, without its call: for you. In another terminal, type:", request, options);
        options.narrator.line("or deny instead of approve, within two minutes.");
        await answerHere(request, keyboard, options, over);
      },
    }),
  );
}

/** The stand-in does what a person would do: a terminal, and the line that the demo prints. */
async function answerElsewhere(
  request: ApprovalRequest,
  options: DemoOptions,
  over: AbortSignal,
  giveUp: () => void,
): Promise<void> {
  tellWhere("still, without its call. A stand-in types, at a terminal of its own:", request, options);
  // The receipt comes before the line has ended: that must not end it.
  const printed = await options.typeElsewhere(options.answeringLine(request.id), options.signal);
  if (!over.aborted && options.channel.receipt(request.id) === null) {
    const why = printed === null ? "no terminal can be made here" : `it printed: ${lastLine(printed)}`;
    options.narrator.step("unused", why);
  }
  giveUp();
}

function lastLine(printed: string): string {
  return printed.trim().split("\n").at(-1)?.trim() ?? "";
}
