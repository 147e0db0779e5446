/**
 * Looks at the process that answered, while it is alive. Invariant: what could not be looked at is not enough, but for
 * what a system shows of nobody, or of no process of somebody else; that is written down each time.
 */
import type { Answer, AnsweredBy } from "../request/answer.js";
import type { Testimony, Witness } from "../request/assurance.js";
import type { ProcessIdentity } from "../request/process.js";
import type { Request } from "../request/request.js";
import { ancestorsOf, isAmong } from "./ancestry.js";
import { type Family, familyOf, type OtherServer, ownFamily } from "./families.js";
import type { LookSource, ProcessFacts, ProcessLook } from "./source.js";
import { systemLook } from "./system-look.js";
import { holderAmong, type TerminalHolder } from "./terminal-holder.js";
import { type Sight, shortfallOf, testimonyTo, testimonyWithout } from "./testimony.js";

/** What a server knows when it looks at a process that answers. */
export interface WitnessOptions {
  /** This process: the server that asked. */
  readonly own: ProcessIdentity;
  /** The client of this server, by its own word; null when it gave none. */
  readonly client: string | null;
  /** Does an answer from within that client's processes not count? */
  readonly isRefusedWithin: (client: string | null) => boolean;
  /** What is above this process, read when it started; without it, or with null, it is read when the witness is made. */
  readonly ancestors?: readonly ProcessFacts[] | null;
  /** Records of the live servers of this home, this one's among them or not. */
  readonly others: () => readonly OtherServer[];
}

/** Looks at nothing, and says so. */
export const blindWitness: Witness = () => ({
  verified: { terminal: null, ancestry: null, signed: null },
  seen: {},
  shortfall: null,
});

/**
 * Each look reads the answering process, its ancestors and its standard input; for clients within which nobody answers
 * also who holds the other end of its terminal.
 */
export function processWitness(
  options: WitnessOptions,
  source: LookSource = systemLook,
): (answer: Pick<Answer, "by">, request?: Request) => Testimony {
  let known: Family | null = null;
  const own = (look: ProcessLook): Family => {
    known ??= ownFamily(options.own, options.client, options.ancestors ?? null, look);
    return known;
  };
  try {
    own(source.look());
  } catch {
    // Tried again with each answer, and none is taken until it succeeds.
  }
  return ({ by }) => {
    try {
      const look = source.look();
      return lookAt(by, own(look), look, options);
    } catch (error) {
      return testimonyWithout(by, "process_unseen", error instanceof Error ? error.message : String(error));
    }
  };
}

function lookAt(by: AnsweredBy, own: Family, look: ProcessLook, options: WitnessOptions): Testimony {
  const one = look.read(by.pid);
  if (one === "hidden") return testimonyWithout(by, "process_unseen");
  if (!isStill(one, by)) {
    const isElsewhere = look.isWithinOther(by.pid, by.startedAt);
    return testimonyWithout(by, isElsewhere ? "process_unseen" : "process_gone");
  }
  const sight = sightOf(one, own, look, options);
  // What was read by its number may have been of a process that came after it.
  return isStill(look.read(by.pid), by) ? testimonyTo(sight) : testimonyWithout(by, "process_gone");
}

function isStill(one: ProcessFacts | "hidden" | null, by: AnsweredBy): one is ProcessFacts {
  return one !== null && one !== "hidden" && !one.isZombie && one.startedAt === by.startedAt;
}

function sightOf(one: ProcessFacts, own: Family, look: ProcessLook, options: WitnessOptions): Sight {
  const input = look.input(one);
  const ancestry = ancestorsOf(one, look);
  const refused = refusedFamilies(own, look, options);
  const line = [one, ...ancestry.processes];
  const within =
    [...refused, own].find((family) => line.some((member) => isAmong(membersOf(family), member))) ?? null;
  const isRefused = within !== null && refused.includes(within);
  const sight = { one, input, ancestry, own, within, isRefused, terminal: null };
  // Whoever is refused already need not wait for all processes to be read.
  if (shortfallOf(sight) !== null || input.kind !== "controlling") return sight;
  return { ...sight, terminal: holderOf(one, input.place, refused, look) };
}

/** The families within which nobody answers: records of other servers only add to them. */
function refusedFamilies(
  own: Family,
  look: ProcessLook,
  { own: self, isRefusedWithin, others }: WitnessOptions,
): readonly Family[] {
  const records = others().filter(({ pid, client }) => pid !== self.pid && isRefusedWithin(client));
  const families = records.flatMap((record) => familyOf(record, self, look) ?? []);
  return isRefusedWithin(own.client) ? [own, ...families] : families;
}

function holderOf(
  { terminal }: ProcessFacts,
  place: number | null,
  refused: readonly Family[],
  look: ProcessLook,
): TerminalHolder | null {
  return terminal === null || refused.length === 0
    ? null
    : holderAmong(refused.flatMap(membersOf), terminal, place, look);
}

function membersOf({ server, processes }: Family): readonly ProcessFacts[] {
  return [server, ...processes];
}
