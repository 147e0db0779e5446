/** Whether an answer that is given from where doctor runs would be taken, by each server that lives. */
import {
  assuranceOf,
  type FoundServer,
  isRefusedWithin,
  otherServerOf,
  processWitness,
  type ServerRecord,
  type Settings,
  type Shortfall,
  shownText,
  startedAtOf,
  type Testimony,
  version,
} from "../../broker/index.js";
import type { Terminal } from "../terminal.js";
import { type Check, ok, warning } from "./check.js";

/** What the server of `record` would see of this process; `others` are the records of the other live servers. */
export type Look = (record: ServerRecord, others: readonly ServerRecord[]) => Testimony;

/** Looks as that server does, with the settings that are in force now. */
export function lookAsServer(settings: Pick<Settings, "approval">, terminal: Terminal): Look {
  return ({ pid, startedAt, boot, namespace, client }, others) => {
    const witness = processWitness({
      own: { pid, startedAt, boot, namespace },
      client: () => client?.name ?? null,
      isRefusedWithin: (name) => isRefusedWithin(name, settings),
      others: () => ({ servers: others.map((record) => otherServerOf(record)), unread: 0 }),
    });
    const tty = terminal.deviceName();
    return witness({ by: { pid: process.pid, startedAt: startedAtOf(process.pid) ?? "", tty, version } });
  };
}

/** One line over all servers; a warning where a person at this terminal would be refused by one of them. */
export function checkShell(
  servers: readonly FoundServer[],
  look: Look,
  { canAnswer }: Terminal,
  lasting: Lasting | null = null,
): Check {
  if (!canAnswer) return ok("shell", "no answer from here: standard input is no terminal");
  const refused = lasting === null ? null : refusedText(lasting);
  const answers = answersFrom(servers, look);
  return refused === null ? answers : warning("shell", `${answers.detail}; ${refused}`, outside);
}

/** What was seen of this process, for what lasts. */
export type Lasting = Pick<Testimony, "shortfall" | "seen">;

const outside = "Answer from a terminal that was opened outside of the client that asks.";

/** Nothing that lasts is changed from within an agent, whether it asks or not. */
function refusedText({ shortfall, seen }: Lasting): string | null {
  if (shortfall === null) return null;
  const within = typeof seen.within === "string" ? seen.within : "an agent's client";
  return `accept, config set and facts forget are refused from here: ${reasonOf(shortfall, within)}`;
}

function answersFrom(servers: readonly FoundServer[], look: Look): Check {
  if (servers.length === 0)
    return ok("shell", "no server is asking, so none would look at an answer from here");
  const records = servers.map(({ record }) => record);
  const found = records.map((record) => {
    const testimony = look(
      record,
      records.filter((one) => one !== record),
    );
    const server = `${nameOf(record)} (process ${record.pid})`;
    return { isTaken: testimony.shortfall === null, text: textOf(server, record, testimony) };
  });
  const detail = `an answer from here would be ${found.map(({ text }) => text).join("; ")}`;
  if (found.every(({ isTaken }) => isTaken)) return ok("shell", detail);
  return warning("shell", detail, outside);
}

function textOf(server: string, record: ServerRecord, testimony: Testimony): string {
  const { verified, shortfall } = testimony;
  const within = withinOf(testimony, record);
  if (shortfall !== null) {
    return `refused by the server of ${server}: ${reasonOf(shortfall, within)}`;
  }
  const level = assuranceOf("cli", verified);
  const origin = verified.ancestry === false ? `, although it comes from within ${within}` : "";
  const unseen = verified.ancestry === null || verified.terminal === null ? ", as far as can be seen" : "";
  return `taken by the server of ${server} as ${level}${origin}${unseen}`;
}

function reasonOf(shortfall: Shortfall, within: string): string {
  switch (shortfall) {
    case "within_client":
      return `started from within ${within}`;
    case "terminal_held":
      return "a process of an agent's client holds the other end of this terminal";
    case "no_terminal":
      return "standard input is not the terminal that controls this command";
    case "process_unseen":
      return "it cannot look at this process";
    case "process_gone":
      return "it does not find this process";
    default:
      return shortfall satisfies never;
  }
}

/** The client that this process belongs to, as the look names it; "it" where that is the server's own. */
function withinOf({ seen }: Testimony, record: ServerRecord): string {
  const within = typeof seen.within === "string" ? seen.within : null;
  return within === null || within === nameOf(record) ? "it" : within;
}

function nameOf({ client }: ServerRecord): string {
  return client === null ? "a client without a name" : shownText(client.name);
}
