/** The face with everything that it is made of, opened on the channel that a seat names. */
import { type LateRequest, momentsOf, ownIdentity, type Request, shownText } from "../broker/index.js";
import { lateFactsOf, lateHereText } from "../face/late-texts.js";
import { openInbox } from "../face/open-inbox.js";
import type { Seat } from "../face/seat.js";
import { type View, viewOf } from "../face/view.js";
import { withEdit } from "./edit-fields.js";
import type { Size } from "./screen/screen.js";
import { screenOf } from "./screen/screen-of.js";
import { initialModel } from "./state/model.js";
import { step } from "./state/step.js";
import { openStore, type Store } from "./store.js";

/** What the face does to its terminal, beside being drawn. */
export interface FaceOptions {
  /** The whole terminal. */
  readonly size: Size;
  /** Is it said line by line, and answered in words? */
  readonly isLinear: boolean;
  readonly ring: () => void;
  readonly quit: () => void;
}

/** Throws channel_unsafe, channel_unavailable. */
export function openFace(seat: Seat, { size, isLinear, ring, quit }: FaceOptions): Store {
  const { clock, environment } = seat;
  const inbox = openInbox(seat, "tui");
  const { home } = inbox;
  const place = { home: home.isDefault ? "~/.wisp" : shownText(home.path), environment };

  function look(request: Request, late: LateRequest | null): View {
    if (late === null) return withEdit(viewOf(request, home, seat), request);
    const moment = momentsOf(clock, ownIdentity().boot);
    const facts = { ...lateFactsOf(late, moment()), here: lateHereText(seat) };
    return withEdit(viewOf(request, home, seat, facts), request);
  }

  return openStore({
    machine: {
      initial: initialModel({ size, isLinear, place, at: clock.monotonic(), now: clock.now() }),
      step,
      screenOf,
    },
    inbox,
    // Late requests and history are looked at by few, and need much: the configuration, the log.
    lateBox: async () => {
      const { openLateBox } = await import("../face/open-late-box.js");
      return openLateBox(seat, home, "tui");
    },
    history: async () => {
      const { openHistory } = await import("../face/open-history.js");
      return openHistory(seat, home).read();
    },
    clock,
    look,
    ring,
    quit,
  });
}
