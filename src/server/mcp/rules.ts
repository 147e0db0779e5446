/** The rules of a home as a connection uses them: what judges each call, and where a yes leaves a rule. */
import {
  type AuditEvent,
  type Clock,
  clearedEvent,
  ensureHome,
  type Home,
  homeDirectoryOf,
  type Policy,
  type ProcessIdentity,
  type RememberedRules,
  type RootSecret,
  rootSecretOf,
  type Verdict,
} from "../../broker/index.js";

/** Opened for one connection; nothing of it is read before the first call, or made before a yes leaves a rule. */
export interface Rules {
  readonly policy: Policy;
  readonly remembered: RememberedRules;
}

/** Which rules, and who reads and writes them. */
export interface RulesPlace {
  /** The home that is chosen for what is written down. */
  readonly path: string;
  /** Makes the home where it is missing, judges it, and returns its path. */
  readonly ensureHome: () => string;
  readonly clock: Clock;
  readonly keys: RootSecret;
  readonly identity: ProcessIdentity;
  /** What `~` stands for. */
  readonly homeDirectory: string;
  /** Where the server was started. */
  readonly startDirectory: string;
}

/**
 * The same, opened when they are needed first. What opens them is a program of its own; where it is not there, all of this
 * rejects: nothing is judged then, and nothing runs.
 */
export interface LateRules {
  policy(): Promise<Policy>;
  readonly remembered: Pick<RememberedRules, "remember" | "revoke" | "expire">;
}

/** Clears away what is over, and what a person took out of the file; `note` writes that down. Never throws. */
export async function cleared(
  remembered: Pick<RememberedRules, "expire">,
  note: (events: readonly AuditEvent[]) => Promise<void>,
): Promise<void> {
  const rules = await remembered.expire();
  if (rules.length > 0) await note(rules.map(clearedEvent));
}

/** Who opens them. */
export interface RulesParts {
  readonly clock: Clock;
  readonly identity: ProcessIdentity;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly directory: string;
  readonly openRules: (place: RulesPlace) => Rules | Promise<Rules>;
  /** Why the home that was meant cannot be used, safe to show; null where it can. */
  readonly fault: string | null;
}

/** The rules of `home`. Where it is not the one that was meant, nothing in it lets anything through. */
export function rulesIn(home: Home, parts: RulesParts): LateRules {
  const { clock, identity, environment, directory, openRules, fault } = parts;
  const place = { path: home.path, ensureHome: () => ensureHome(home, clock), clock };
  let opened: Promise<Rules> | null = null;

  async function open(): Promise<Rules> {
    opened ??= Promise.resolve(
      openRules({
        ...place,
        keys: rootSecretOf(place),
        identity,
        homeDirectory: homeDirectoryOf(environment),
        startDirectory: directory,
      }),
    );
    try {
      return await opened;
    } catch (error) {
      // It may be there the next time.
      opened = null;
      throw error;
    }
  }

  return {
    async policy() {
      const { policy } = await open();
      return fault === null ? policy : askingPolicy(policy, fault);
    },
    remembered: {
      remember: async (rule) => (await open()).remembered.remember(rule),
      revoke: async (id) => (await open()).remembered.revoke(id),
      async expire() {
        // Nobody waits for it: what keeps them from being opened is told to the calls that need them.
        const rules = await open().catch(() => null);
        return rules === null ? [] : await rules.remembered.expire();
      },
    },
  };
}

/** What is denied stays so; all else asks, each time. */
function askingPolicy(policy: Policy, why: string): Policy {
  return {
    judge: (judged, settings) => cautious(policy.judge(judged, settings), why),
    standing: () => policy.standing(),
  };
}

function cautious(verdict: Verdict, why: string): Verdict {
  const notices = [...verdict.notices, why];
  if (verdict.name === "deny") return { ...verdict, notices };
  const once = { maxScope: "once", remembered: null, offers: [], isFaulty: true } as const;
  if (verdict.name === "ask") return { ...verdict, ...once, notices };
  const rule = {
    list: "floor",
    text: "the home cannot be used, so everything asks",
    file: null,
    line: null,
  } as const;
  return { ...verdict, ...once, name: "ask", rule, notices };
}
