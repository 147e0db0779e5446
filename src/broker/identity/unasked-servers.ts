/**
 * Servers of ours that wrote no record yet, since nothing was asked through them, and agents by the name of their program.
 * Invariant: what is found here only refuses.
 */
import type { ProcessIdentity } from "../request/process.js";
import { ancestorsOf } from "./ancestry.js";
import type { OtherServer } from "./families.js";
import { agentIn } from "./known-agents.js";
import type { LookSource, ProcessFacts } from "./source.js";
import { type StartSource, systemStarts } from "./started-with.js";
import { systemLook } from "./system-look.js";

/** What is asked of the system: who started whom, and with which words. */
export interface AgentSource extends LookSource {
  readonly starts: StartSource;
}

const systemSource: AgentSource = { look: () => systemLook.look(), starts: systemStarts };

/** Our programs by their file, and the verbs that serve a client. */
const programs = new Set(["wisp", "wisp.cjs", "wisp-mcp.mjs"]);
const servingVerbs = new Set(["mcp", "gate"]);

/** What decides which home a process uses, as its environment said when it started; "" for nothing. */
export interface StartedIn {
  /** `WISP_HOME` */
  readonly wispHome: string;
  /** `HOME` */
  readonly home: string;
}

/**
 * The servers that run our program for the home that `isHome` takes, as their records would tell of them; each is said to
 * be of `client`. Throws where processes cannot be asked.
 */
export function runningServers(
  own: ProcessIdentity,
  isHome: (started: StartedIn) => boolean,
  client: string,
  { look: open, starts }: AgentSource = systemSource,
): readonly OtherServer[] {
  if (!starts.isTold) return [];
  const look = open();
  return servingIn(look.all(), own, starts).flatMap(({ process: one, started: home }) => {
    // Of whose environment nothing shows, nobody can say that it serves another home.
    if (home !== null && !isHome(home)) return [];
    const parent = look.read(one.parent);
    if (parent === null || parent === "hidden") return [];
    const { pid, startedAt } = one;
    const { boot, namespace } = own;
    const started = { pid: parent.pid, startedAt: parent.startedAt };
    return [{ pid, startedAt, boot, namespace, parent: started, client }];
  });
}

/** All that run our program, by what their environment says of their home; those that hide it are left out. Throws as above. */
export function startedServers(
  own: ProcessIdentity,
  { look, starts }: AgentSource = systemSource,
): readonly { readonly pid: number; readonly started: StartedIn }[] {
  if (!starts.isTold) return [];
  return servingIn(look().all(), own, starts).flatMap(({ process: { pid }, started }) =>
    started === null ? [] : [{ pid, started }],
  );
}

function servingIn(
  processes: readonly ProcessFacts[],
  own: ProcessIdentity,
  starts: StartSource,
): readonly { readonly process: ProcessFacts; readonly started: StartedIn | null }[] {
  return processes.flatMap((process) => {
    if (process.pid === own.pid || process.isZombie || !serves(starts.words(process.pid))) return [];
    const wispHome = starts.variable(process.pid, "WISP_HOME");
    const home = starts.variable(process.pid, "HOME");
    return [{ process, started: wispHome === null || home === null ? null : { wispHome, home } }];
  });
}

/** Can servers without a record be found here? Not where the system does not tell with which words a process was started. */
export function canFindUnasked({ starts }: Pick<AgentSource, "starts"> = systemSource): boolean {
  return starts.isTold;
}

/** The nearest agent above process `pid`, by the name of its program; null where none is known. Throws as above. */
export function agentAbove(
  pid: number,
  { look: open, starts }: AgentSource = systemSource,
): { readonly agent: string; readonly process: ProcessFacts } | null {
  const look = open();
  const one = look.read(pid);
  if (one === null || one === "hidden") return null;
  for (const process of ancestorsOf(one, look).processes) {
    const agent = agentIn(process.name, starts.words(process.pid));
    if (agent !== null) return { agent, process };
  }
  return null;
}

/** Is one of these words our program, and the one behind it a verb that serves? The program of the server needs none. */
function serves(words: readonly string[]): boolean {
  return words.some((word, index) => {
    const base = word.slice(word.lastIndexOf("/") + 1);
    if (!programs.has(base)) return false;
    return base === "wisp-mcp.mjs" || servingVerbs.has(words[index + 1] ?? "");
  });
}
