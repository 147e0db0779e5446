/** `wisp config set` and `unset`: one key, by a person, who is told what a looser value means before it counts. */
import {
  type AcceptedValues,
  acceptKeys,
  asciiJson,
  changingSealed,
  configPath,
  effectOf,
  hasToWait,
  inForce,
  judgeConfig,
  livenessOf,
  type Objection,
  objectionText,
  ownIdentity,
  parseStrictJson,
  readAcceptedConfig,
  readConfigText,
  replaceConfig,
  type SealedKey,
  type Settings,
  sealedKeys,
  sealedValue,
  shellQuoted,
  shownText,
  type Testimony,
  WispError,
  waitingNotice,
} from "../../broker/index.js";
import { auditIn } from "../../face/kept-log.js";
import { wispLine } from "../../face/quote.js";
import { exits } from "../exits.js";
import { judgeLasting, type LastingLook } from "../lasting.js";
import { complain } from "../report.js";
import type { Terminal } from "../terminal.js";
import { edited } from "./edit.js";
import { type KeyPath, keyText, parseKey, valueAt } from "./key.js";
import { type ConfigPlace, configPlace } from "./place.js";

/** What is to be done with the key that was typed; null takes it out of the file. */
export interface Change {
  readonly typed: string;
  readonly value: string | null;
}

/** Does it, and returns the exit code. `look` stands for the look at this process in a test. */
export async function changeKey(change: Change, terminal: Terminal, look?: LastingLook): Promise<number> {
  const { typed, value } = change;
  const path = parseKey(typed);
  const words = ["config", ...(value === null ? ["unset", typed] : ["set", typed, value])];
  const looked = await judgeLasting(terminal, { refusal: "Nothing was changed", words }, look);
  if (looked.kind === "refused") return looked.exit;
  const where = configPlace(terminal);
  const before = readConfigText(where.home.path);
  const { text, settings } = judged(before, path, value, where);
  const accepted = readAcceptedConfig(where.home.path, where.keys);
  const keys = sealedKeys.filter((key) => isAbout(key, keyText(path)));
  const sealed = Object.fromEntries(keys.map((key) => [key, sealedValue(settings, key)]));
  const looser = keys.filter((key) => hasToWait(key, accepted[key], sealed[key]));
  const confirmed = await confirm(looser, accepted, sealed, terminal);
  if (confirmed !== null) return confirmed;
  await write({ before, text, path, accepted, sealed, seen: looked.seen }, where, terminal);
  const after = inForce(settings, { ...accepted, ...sealed });
  told(path, value, after.settings, terminal);
  const notice = waitingNotice(
    after.waiting.map((one) => one.key),
    wispLine(terminal.environment, ["accept"]),
  );
  if (notice !== null) terminal.err.write(`${notice}\n`);
  return exits.done;
}

interface Judged {
  readonly text: string;
  readonly settings: Settings;
}

/** The whole file as it would be. A text is tried as JSON, and else taken as it is, where the key takes a text. */
function judged(before: string | null, path: KeyPath, value: string | null, { home }: ConfigPlace): Judged {
  const written = before ?? "{}\n";
  const parsed = parseStrictJson(Buffer.from(written, "utf8"));
  if (!parsed.ok) throw refusal(`config.json cannot be changed: ${parsed.objection}`, home.path);
  const whole = judgeConfig(parsed.value);
  if (!("settings" in whole) && isBlocked(parsed.value, path)) {
    throw refusal(
      `config.json cannot be changed: ${whole.objections.map(objectionText).join("; ")}`,
      home.path,
    );
  }
  const given = value === null ? undefined : meant(value);
  const isThere = valueAt(parsed.value, path) !== undefined;
  const text = given === undefined && !isThere ? written : edited(written, path, given);
  const result = parseStrictJson(Buffer.from(text, "utf8"));
  if (!result.ok) throw notChanged(path, result.objection, givesAnother, false);
  const verdict = judgeConfig(result.value);
  if ("settings" in verdict) return { text, settings: verdict.settings };
  throw refusedBy(verdict.objections, path, before !== null, home.path);
}

const givesAnother = "Give another value.";

/** In few words where it is the key itself that is wrong; what else is wrong with the file stands with its place. */
function refusedBy(
  objections: readonly Objection[],
  path: KeyPath,
  isThere: boolean,
  home: string,
): WispError {
  const isOwn = ({ path: at }: Objection): boolean =>
    at !== null && keyText(at.map(String)) === keyText(path);
  const others = objections.filter((one) => !isOwn(one));
  const why = [...objections.filter(isOwn).map(({ what }) => what), ...others.map(objectionText)].join("; ");
  const isElsewhere = isThere && others.length > 0;
  const correct = `orrect ${shellQuoted(configPath(home))}.`;
  const fix = isElsewhere
    ? others.length === objections.length
      ? `C${correct}`
      : `Give another value, or c${correct}`
    : givesAnother;
  return notChanged(
    path,
    why,
    fix,
    objections.some(({ isPair }) => isPair),
  );
}

function notChanged(path: KeyPath, what: string, fix: string, isPair: boolean): WispError {
  return new WispError("config_invalid", `${shownText(keyText(path))} was not changed: ${what}.`, {
    why: `The file is as it was.${isPair ? " Some keys are judged together: docs/configuration.md." : ""}`,
    fix,
  });
}

/** Does something stand above `path` that holds no keys? */
function isBlocked(value: unknown, path: KeyPath): boolean {
  return path.some((_, depth) => {
    const above = valueAt(value, path.slice(0, depth));
    return above !== undefined && (typeof above !== "object" || above === null || Array.isArray(above));
  });
}

function meant(value: string): unknown {
  const parsed = parseStrictJson(Buffer.from(value, "utf8"));
  return parsed.ok ? parsed.value : value;
}

function refusal(what: string, home: string): WispError {
  return new WispError("config_invalid", `${what}.`, {
    why: "The file is as it was.",
    fix: `Correct ${shellQuoted(configPath(home))}.`,
  });
}

/** Is `key` the key that is changed, above it, or below it? */
function isAbout(key: SealedKey, changed: string): boolean {
  return key === changed || key.startsWith(`${changed}.`) || changed.startsWith(`${key}.`);
}

/** Null where nothing is looser, or the person said yes; else the exit code. */
async function confirm(
  looser: readonly SealedKey[],
  accepted: AcceptedValues,
  sealed: AcceptedValues,
  terminal: Terminal,
): Promise<number | null> {
  if (looser.length === 0) return null;
  const { err } = terminal;
  for (const key of looser) {
    const [from, to] = [accepted[key], sealed[key]].map((value) => shownText(asciiJson(value)));
    const effect = effectOf(key, accepted[key], sealed[key]);
    err.write(
      `${key}: ${from} -> ${to}\n  ${effect === "looser" ? "looser" : "may be looser"}: ${loosens[key]}\n`,
    );
  }
  const line = await terminal.readLine("Put it in force? Type y: ", terminal.interruption());
  if (line === null) return exits.interrupted;
  if (line.trim().toLowerCase() === "y") return null;
  complain(terminal, { what: "Nothing was changed: it was not confirmed.", why: null, fix: null });
  return exits.notApproved;
}

/** What a person gives away with each. */
const loosens: Readonly<Record<SealedKey, string>> = {
  "approval.outOfBand": "whether you are asked outside the client's dialog changes",
  "approval.timeoutSeconds": "a request waits longer for a yes",
  "approval.threshold": "fewer commands ask you",
  "approval.ancestry": "other terminals count as yours",
  "approval.require.low": "the client's own dialog may approve what is low",
  "approval.require.moderate": "the client's own dialog may approve what is moderate",
  "approval.require.high": "the client's own dialog may approve what is high",
  "approval.require.dangerous": "the client's own dialog may approve what is dangerous",
  "approval.clients": "what is believed of clients changes",
  "approval.unseenAnswerMs": "a dialog's answer counts that comes sooner than anybody reads",
  "approval.persistDays": "what you approve for the project or for always lives longer",
  "notify.command": "another program runs with each banner",
  "audit.rotateBytes": "what was decided is thrown away after fewer records",
  "audit.keep": "what was decided is thrown away after fewer records",
  "gate.trustAnnotations": "a server's own word lets calls of its tools through",
  "gate.asksPerMinute": "you may be asked more often in a minute, and pay less heed",
};

interface Writing {
  readonly before: string | null;
  readonly text: string;
  readonly path: KeyPath;
  /** What counted before of the keys that can loosen, and what is accepted now of those that the change is about. */
  readonly accepted: AcceptedValues;
  readonly sealed: AcceptedValues;
  readonly seen: Testimony["seen"];
}

/** Written down before it is done. The file comes before its seal: what is cut off between them is not in force. */
async function write(
  { before, text, path, accepted, sealed, seen }: Writing,
  { place, keys }: ConfigPlace,
  { via }: Terminal,
): Promise<void> {
  const own = ownIdentity();
  const audit = auditIn(place, via, keys);
  const change = async (): Promise<void> => {
    const names = [keyText(path)];
    const details = {
      how: "set",
      keys: names,
      accepted: changed(accepted, sealed),
      waiting: [],
      fault: null,
    } as const;
    await audit.append([{ kind: "config.changed", call: null, verified: seen, details }], "durable");
    if (text !== (before ?? "{}\n")) await replaceConfig(place, before, text);
    if (Object.keys(sealed).length > 0) await acceptKeys(place, sealed, keys);
  };
  await changingSealed(place, { own, liveness: (one) => livenessOf(one, own) }, change);
}

/** Of each key whose accepted value is another one now, but of the program that runs with a banner: its words may hold secrets. */
function changed(accepted: AcceptedValues, sealed: AcceptedValues) {
  return sealedKeys
    .filter((key) => key !== "notify.command" && key in sealed)
    .map((key) => ({ key, before: valueText(accepted[key]), after: valueText(sealed[key]) }))
    .filter(({ before, after }) => before !== after);
}

/** Escaped down to ASCII, and cut: somebody else may have written it. */
function valueText(value: unknown): string {
  return shownText(asciiJson(value)).slice(0, mostValueCharacters);
}

const mostValueCharacters = 1_000;

function told(path: KeyPath, value: string | null, settings: Settings, { out }: Terminal): void {
  const key = shownText(keyText(path));
  const now = valueAt(settings, path);
  if (now === undefined) out.write(`${key} is not set\n`);
  else out.write(`${key} = ${shownText(asciiJson(now))}${value === null ? " (default)" : ""}\n`);
}
