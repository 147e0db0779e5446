/** What judges calls by the files as they stand: one for enforcement, `wisp policy check` and every face. */
import type { WispError } from "../request/errors.js";
import type { Level } from "../request/request.js";
import type { Judged, Verdict } from "./verdict.js";

/** What the configuration says of judging. */
export interface JudgeSettings {
  /** The level from which on a command without a rule asks. */
  readonly threshold: Level;
  /** No rule that is remembered counts for more days than this. */
  readonly persistDays: number;
  /** What else waits for a person or is wrong in the home, in words: part of `Verdict.notices`. */
  readonly notices: readonly string[];
  /** Why the configuration cannot be used: then all that is not denied asks, and a yes is for once. Null where it can. */
  readonly onceBecause: string | null;
}

/** The rules of one home. Nothing is made, and no file is read before the first call of either. */
export interface Policy {
  /** Looks whether any file changed, reads again those that did, and judges. Never throws for what stands in the files. */
  judge(judged: Judged, settings: JudgeSettings): Verdict;
  /** What lies there, looked at in the same way: for `wisp doctor`, the overview and `wisp accept`. Never throws. */
  standing(): PolicyStanding;
}

/** Every file that has a say, the person's first. */
export interface PolicyStanding {
  readonly files: readonly FileStanding[];
  /** What every face has to say of them; the same texts as in a verdict. */
  readonly notices: readonly string[];
}

/** One of these files. */
export interface FileStanding {
  readonly kind: "policy" | "project" | "remembered";
  readonly path: string;
  /** As a person names it: `policy.json`, `/home/p/api/.wisp/policy.json`. */
  readonly name: string;
  readonly isThere: boolean;
  /** policy_invalid; null where it can be used. */
  readonly fault: WispError | null;
  /** How many rules it holds that can be used. */
  readonly rules: number;
  /** Changes since it was accepted that wait, because they let more through, or may. */
  readonly looser: number;
  /** Changes since then that are in force already. */
  readonly tighter: number;
  /** What of it waits for `wisp accept`, in words: `2 looser rules`; null where nothing does. */
  readonly waits: string | null;
}
