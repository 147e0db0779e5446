/** Where a server asks besides the dialog: the channel of its home, what it keeps there, and who tidies up. */
import {
  type AuditLog,
  type Channel,
  type Clock,
  createUpkeep,
  DirectoryChannel,
  type FactStore,
  type Home,
  livenessOf,
  ownParent,
  type ProcessIdentity,
  type Settings,
  serverPresence,
  shownText,
  version,
  type WispError,
  type Witness,
  type WitnessOptions,
} from "../../broker/index.js";
import type { Callers } from "./callers.js";
import type { HomeOrFault } from "./found-home.js";
import { type Keeping, openKeeping } from "./keeping.js";
import { leftFactsIn } from "./left-facts.js";
import { note } from "./note.js";
import { witnessOptions } from "./witness-options.js";

/** The ways of one connection, beside its dialog. */
export interface Ways {
  /** To be closed when nothing is asked any more; null where the dialog alone asks. */
  readonly channel: Channel | null;
  /** Null where nothing is kept beyond a call. */
  readonly keeping: Keeping | null;
  /** To be called with each ask: sweeps now and then what other servers left behind. */
  readonly upkeep: () => void;
}

/** Who asks, and what it looks at. */
export interface Asker {
  readonly clock: Clock;
  readonly audit: AuditLog;
  readonly identity: ProcessIdentity;
  readonly instance: string;
  readonly callers: Callers;
  readonly settings: () => Settings;
  readonly facts: FactStore;
  readonly createWitness: (options: WitnessOptions) => Witness;
}

/** The ways of `asker` in the home that was found. Nothing is made before it is used. */
export function waysOf(found: HomeOrFault, asker: Asker): Ways {
  // For as long as the connection lasts: it is a key that changes only where a person accepts it.
  if (!asker.settings().approval.outOfBand) return { channel: null, keeping: null, upkeep: () => undefined };
  return found.home === null ? unusable(found.fault) : usable(found.home, asker);
}

function usable(home: Home, asker: Asker): Ways {
  const { clock, audit, identity, instance, callers, createWitness } = asker;
  const { pid, startedAt, boot } = identity;
  const record = () => ({
    v: 1 as const,
    ...identity,
    instance,
    parent: ownParent(),
    client: callers.chosen(),
    home: home.path,
  });
  const channel = new DirectoryChannel({
    home,
    clock,
    asker: {
      server: { pid, startedAt, boot, instance },
      by: { pid, startedAt, tty: null, version },
      presence: serverPresence({ home, clock, record }),
      witness: createWitness(witnessOptions(home, asker)),
    },
    onRefused: ({ id, reason, movedTo, testimony }) =>
      note(audit, [
        {
          kind: "answer.refused",
          call: id,
          verified: testimony?.seen ?? {},
          details: { reason: shownText(reason), movedTo },
        },
      ]),
  });
  const upkeep = createUpkeep({
    home,
    clock,
    channel,
    instance,
    liveness: (one) => livenessOf(one, identity),
    onDecidedFact: leftFactsIn(home, asker),
    onSwept: (swept) =>
      note(
        audit,
        swept.map(({ id, what }) => ({ kind: "request.swept", call: id, verified: { what } })),
      ),
  });
  const keeping = openKeeping(home, {
    ...{ clock, identity, facts: asker.facts },
    settings: () => asker.settings().approval,
  });
  return {
    channel,
    keeping,
    upkeep() {
      upkeep();
      keeping.tidy();
    },
  };
}

/** A channel that asks nobody: the approver then leaves it to the dialog, or refuses with the reason. */
function unusable(fault: WispError): Ways {
  const refuse = (): never => {
    throw fault;
  };
  const channel: Channel = {
    file: refuse,
    pending: refuse,
    answer: refuse,
    slot: refuse,
    retract: refuse,
    take: refuse,
    withdraw: refuse,
    settle: refuse,
    refusal: refuse,
    receipt: refuse,
    isThere: refuse,
    changes: () => () => undefined,
    close: () => undefined,
  };
  return { channel, keeping: null, upkeep: () => undefined };
}
