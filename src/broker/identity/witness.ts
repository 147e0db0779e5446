/**
 * Looks at the process that answered, while it is alive. Invariant: what could not be looked at is not enough, but for
 * what a system shows of nobody, or of no process of somebody else; that is written down each time.
 */
import type { Answer, AnsweredBy } from "../request/answer.js";
import type { Testimony, Witness } from "../request/assurance.js";
import type { ProcessIdentity } from "../request/process.js";
import type { Request } from "../request/request.js";
import { type Ancestry, ancestorsOf, isAmong } from "./ancestry.js";
import { type Family, familyOf, type OtherServers, type OwnFamily, ownFamily } from "./families.js";
import type { LookSource, ProcessFacts, ProcessLook } from "./source.js";
import { systemLook } from "./system-look.js";
import { holderAmong, type SoughtTerminal, type TerminalHolder } from "./terminal-holder.js";
import { type Sight, shortfallOf, testimonyTo, testimonyWithout } from "./testimony.js";

/** What a server knows when it looks at a process that answers. */
export interface WitnessOptions {
  /** This process: the server that asked. */
  readonly own: ProcessIdentity;
  /**
   * The client of this server, by its own word; null when it gave none. Of several names that it gave, one within which
   * nobody answers.
   */
  readonly client: () => string | null;
  /** Does an answer from within that client's processes not count? */
  readonly isRefusedWithin: (client: string | null) => boolean;
  /** What is above this process, read when it started; without it, or with null, it is read when the witness is made. */
  readonly ancestry?: Ancestry | null;
  /** Records of the live servers of this home, this one's among them or not. */
  readonly others: () => OtherServers;
}

/** Looks at nothing, and says so. */
export const blindWitness: Witness = () => ({
  verified: { terminal: null, ancestry: null, signed: null },
  seen: {},
  shortfall: null,
});

/**
 * Each look reads the answering process, its ancestors, its standard input and, where that is its terminal and nothing
 * is wanting yet, all processes, for whoever holds the other end of it.
 */
export function processWitness(
  options: WitnessOptions,
  source: LookSource = systemLook,
): (answer: Pick<Answer, "by">, request?: Request) => Testimony {
  let known: OwnFamily | null = null;
  const own = (look: ProcessLook, request?: Request): OwnFamily => {
    known ??= ownFamily(options.own, null, options.ancestry ?? null, look);
    return { ...known, client: nameOf(options, request) };
  };
  try {
    own(source.look());
  } catch {
    // Tried again with each answer, and none is taken until it succeeds.
  }
  return ({ by }, request) => {
    try {
      const look = source.look();
      return lookAt(by, own(look, request), look, options);
    } catch (error) {
      return testimonyWithout(by, "process_unseen", error instanceof Error ? error.message : String(error));
    }
  };
}

/** One connection can bring calls under several names: one that refuses counts for all, and for the request its own. */
function nameOf({ client, isRefusedWithin }: WitnessOptions, request?: Request): string | null {
  const name = client();
  const asking = request?.client?.name ?? name;
  return isRefusedWithin(name) ? name : isRefusedWithin(asking) ? asking : name;
}

function lookAt(by: AnsweredBy, own: OwnFamily, look: ProcessLook, options: WitnessOptions): Testimony {
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

function sightOf(one: ProcessFacts, own: OwnFamily, look: ProcessLook, options: WitnessOptions): Sight {
  const input = look.input(one);
  const ancestry = ancestorsOf(one, look);
  const { refused, unread } = refusedFamilies(one, own, look, options);
  const line = [one, ...ancestry.processes];
  const within =
    [...refused, own].find((family) => line.some((member) => isAmong(membersOf(family), member))) ?? null;
  const isRefused = within !== null && refused.includes(within);
  const doubt = refused.includes(own) ? own.doubt : null;
  const sight = { one, input, ancestry, own, within, isRefused, doubt, unread, terminal: null };
  // Whoever is refused already need not wait for all processes to be read.
  if (shortfallOf(sight) !== null || input.kind !== "controlling" || one.terminal === null) return sight;
  const terminal = { name: one.terminal, place: input.place, above: ancestry.processes };
  return { ...sight, terminal: holderOf(terminal, own, refused, look) };
}

interface Refused {
  readonly refused: readonly Family[];
  readonly unread: number;
}

/** The families within which nobody answers: records of other servers only add to them. */
function refusedFamilies(
  one: ProcessFacts,
  own: Family,
  look: ProcessLook,
  { own: self, isRefusedWithin, others }: WitnessOptions,
): Refused {
  const { servers, unread } = others();
  // Who answers is no server; a record that says so was written to refuse them.
  const records = servers.filter(
    ({ pid, client }) => pid !== self.pid && pid !== one.pid && isRefusedWithin(client),
  );
  const families = records.flatMap((record) => familyOf(record, self, look) ?? []);
  return { refused: isRefusedWithin(own.client) ? [own, ...families] : families, unread };
}

/** Families that refuse come first: what they hold is not to pass as held by another that does not. */
function holderOf(
  terminal: SoughtTerminal,
  own: Family,
  refused: readonly Family[],
  look: ProcessLook,
): TerminalHolder {
  const refusing = { members: refused.flatMap(membersOf), isRefused: true };
  const rest = refused.includes(own) ? [] : [{ members: membersOf(own), isRefused: false }];
  return holderAmong([refusing, ...rest], terminal, look);
}

function membersOf({ server, processes }: Family): readonly ProcessFacts[] {
  return [server, ...processes];
}
