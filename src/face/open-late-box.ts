/** The late requests of a face that stays. Each call looks anew, so that what others did meanwhile counts. */
import { type Home, isHomeMade, judgeHome, type Testimony } from "../broker/index.js";
import type { FaceVia } from "./answer.js";
import { giveLateNo, giveLateYes } from "./answer-late.js";
import { type KeptParts, keptIn } from "./kept.js";
import type { LateBox } from "./late-box.js";
import type { Seat } from "./seat.js";

/** Opens the late requests of `home` for whoever sits at `seat`. Looks at nothing before the first call. */
export function openLateBox(
  seat: Seat,
  home: Home,
  via: Exclude<FaceVia, "cli">,
  look: Look = lookAtSelf,
): LateBox {
  /** Nothing is taken from a home that others can open, nor put there. */
  function judged(): KeptParts {
    judgeHome(home);
    return keptIn(home, seat, via);
  }

  return {
    list() {
      // Newest first there; what waits is shown oldest first.
      return isHomeMade(home) ? [...judged().late.list().requests].reverse() : [];
    },
    async answer(late, given) {
      const answering = { kept: judged(), via, seat };
      if (given.decision === "deny") return await giveLateNo(late, given.note, answering);
      // One call, whatever was asked for: a yes for more is a programmer's error.
      if (given.scope !== "once") throw new TypeError(`${late.request.id} takes no such answer.`);
      const testimony = await look(home, seat);
      return await giveLateYes(late, given.note, () => testimony, answering);
    },
  };
}

type Look = (home: Home, seat: Seat) => Testimony | Promise<Testimony>;

/** The configuration and looking at processes take longer to load than a face takes to draw: only a yes waits for them. */
async function lookAtSelf(home: Home, seat: Seat): Promise<Testimony> {
  const own = await import("./own-look.js");
  return own.lookAtSelf(home, seat);
}
