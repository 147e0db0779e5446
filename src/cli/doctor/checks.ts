/**
 * What doctor looks at, in order. Reads only, but for probes in a `pending/` that is there already: it makes no home,
 * sweeps nothing and answers nothing.
 */
import { existsSync, lstatSync } from "node:fs";
import { join } from "node:path";
import {
  DirectoryChannel,
  ensureSafeDirectory,
  type FoundServer,
  type Home,
  isHomeMade,
  isServerGone,
  isUnaltered,
  judgePlaceOf,
  type Listing,
  livenessOf,
  measureSkew,
  measureWatch,
  ownIdentity,
  probeHardLinks,
  type Request,
  readServerRecord,
  recentDialogs,
  rejectedIds,
  requestFileName,
  resolveHome,
  shownText,
} from "../../broker/index.js";
import { manyRejected } from "../../face/card.js";
import { configIn } from "../../face/config.js";
import { factsIn } from "../../face/kept-facts.js";
import { liveServers } from "../../face/live-servers.js";
import type { ServerElsewhere } from "../../face/own-look.js";
import { policyOf, secretOf } from "../../face/policy-here.js";
import { quoted, wispLine } from "../../face/quote.js";
import type { Terminal } from "../terminal.js";
import { aroundOf, clientFiles } from "../wiring/clients.js";
import { checkBanners, type Desktops } from "./banners.js";
import { type Check, failure, ok, warning } from "./check.js";
import { checkClients } from "./clients.js";
import { checkClock, type Instant, instantOf } from "./clock.js";
import { checkConfig } from "./config.js";
import { checkDialogs } from "./dialogs.js";
import { checkElsewhere } from "./elsewhere.js";
import { checkFacts } from "./facts.js";
import { checkGates } from "./gates.js";
import { checkGrants } from "./grants.js";
import { checkKeys } from "./keys.js";
import { checkLog } from "./log.js";
import { checkAccepted, checkPolicy, floors } from "./policy.js";
import { checkShell, type Lasting, lookAsServer } from "./shell.js";
import { unusable } from "./unusable.js";

/** All checks; those that a failed one makes pointless are left out. */
export async function checksOf(terminal: Terminal, machine: Looking): Promise<readonly Check[]> {
  const node = checkNode(process.versions.node);
  let home: Home;
  try {
    home = resolveHome(terminal.environment, terminal.directory);
  } catch (error) {
    return [node, unusable("home", error)];
  }
  const where = `${shownText(home.path)}${home.isDefault ? "" : " (not the default)"}`;
  if (!isHomeMade(home)) return [node, checkPlace(home, where), ...(await around(home, terminal, machine))];
  const first = instantOf(terminal.clock);
  const config = configIn(home, terminal.clock);
  const channel = new DirectoryChannel({
    home,
    clock: terminal.clock,
    asker: null,
    onRefused: () => {},
  });
  let listing: Listing;
  try {
    listing = channel.pending();
    judgeRest(home);
  } catch (error) {
    return [node, unusable("home", error)];
  }
  const servers = liveServers(home, terminal);
  const keys = secretOf(home, terminal);
  return [
    node,
    ok("home", `${where} is private and ours`),
    checkKeys(home, keys),
    checkConfig(config),
    checkAccepted(config, terminal),
    ...checkPolicy(policyOf(home, keys, terminal).standing(), terminal),
    floors(),
    checkPending(listing, home, terminal),
    ...(await probes(home, listing, first, terminal)),
    checkRequests(listing, home, terminal),
    checkServers(servers, home),
    ...checkElsewhere((await machine.elsewhere?.(home)) ?? [], home),
    checkShell(
      servers,
      lookAsServer(config.settings, terminal),
      terminal,
      await machine.lasting?.(home, terminal),
    ),
    checkAnswers(home),
    checkGrants(home, terminal),
    checkGates(home, keys),
    factsOf(home, terminal),
    ...checkClients(clientFiles(aroundOf(terminal)), config.settings),
    checkDialogs(recentDialogs(home.path)),
    checkBanners(config.settings.notify, machine, terminal.environment),
    checkLog(home, keys, terminal),
  ];
}

/** Looks at this process as whoever changes what lasts does. */
export type LookForLasting = (home: Home, terminal: Terminal) => Promise<Lasting>;

/** Looks for servers of ours that use another home. */
export type LookElsewhere = (home: Home) => Promise<readonly ServerElsewhere[]>;

/** What of this machine is looked at; left out is what is not to be. */
interface Looking extends Desktops {
  readonly lasting?: LookForLasting;
  readonly elsewhere?: LookElsewhere;
}

/** What is there beside the home, and is worth knowing before there is one. */
async function around(home: Home, terminal: Terminal, machine: Looking): Promise<readonly Check[]> {
  const { settings } = configIn(home, terminal.clock);
  return [
    ...checkElsewhere((await machine.elsewhere?.(home)) ?? [], home),
    checkShell([], lookAsServer(settings, terminal), terminal),
    ...checkClients(clientFiles(aroundOf(terminal)), settings),
    checkBanners(settings.notify, machine, terminal.environment),
  ];
}

/** A home that cannot be made where it is to be made is found before the first request needs it. */
function checkPlace(home: Home, where: string): Check {
  try {
    judgePlaceOf(home.path);
  } catch (error) {
    return unusable("home", error);
  }
  return ok("home", `${where} is made when it is first used`);
}

const oldestNode = { major: 20, minor: 19 };

/** Is `version`, as `process.versions.node` spells it, new enough? */
export function checkNode(version: string): Check {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isNew = major > oldestNode.major || (major === oldestNode.major && minor >= oldestNode.minor);
  const needed = `${oldestNode.major}.${oldestNode.minor}`;
  return isNew
    ? ok("node", version)
    : failure("node", `${version} is older than ${needed}`, `Install Node.js ${needed} or newer.`);
}

/** What is there beside `pending/`: a receipt, a record or a grant that others could write is as bad as a request. */
function judgeRest({ path, spool, settled, rejected, servers }: Home): void {
  const facts = [
    "facts",
    ...["project", "global", "dropped", "forgotten"].map((name) => join("facts", name)),
  ];
  const others = [
    "audit",
    "keys",
    "late",
    "grants",
    "gates",
    ...["spent", "consumed", "gates"].map((name) => join("keys", name)),
    ...facts,
  ];
  const directories = [spool, settled, rejected, servers, ...others.map((name) => join(path, name))];
  for (const directory of directories) {
    // A link to nowhere stands there, too.
    if (lstatSync(directory, { throwIfNoEntry: false }) !== undefined) ensureSafeDirectory(directory);
  }
}

function checkPending(
  { requests, newer, unreadable }: Listing,
  home: Home,
  { environment }: Terminal,
): Check {
  const waiting = `${requests.length} waiting${newer.length === 0 ? "" : `, ${newer.length} of a newer wisp`}`;
  if (unreadable.length === 0) return ok("pending", waiting);
  const files = unreadable.length === 1 ? "1 file is" : `${unreadable.length} files are`;
  const example = unreadable
    .slice(0, 1)
    .map(({ name, reason }) => `${shownText(name)}: ${shownText(reason)}`);
  const detail = `${waiting}; ${files} no request (${example.join("")}) in ${shownText(home.pending)}`;
  return warning("pending", detail, wispLine(environment, ["doctor", "--fix"]));
}

/** What can be told only by trying, in the directory itself. */
async function probes(
  home: Home,
  { requests }: Listing,
  first: Instant,
  { clock }: Terminal,
): Promise<readonly Check[]> {
  if (!existsSync(home.pending)) return [];
  try {
    probeHardLinks(home.pending, clock);
  } catch (error) {
    return [unusable("links", error)];
  }
  const skewMs = measureSkew(home.pending, clock);
  const latencyMs = await measureWatch(home.pending, clock);
  return [
    ok("links", "hard links work, so the first answer wins"),
    latencyMs === null
      ? warning("watch", "no change events here: answers are noticed by polling", null)
      : ok("watch", `changes are noticed by events, after ${latencyMs.toFixed(1)} ms`),
    checkClock({ skewMs, first, last: instantOf(clock), requests }),
  ];
}

function checkRequests({ requests }: Listing, home: Home, { clock, environment }: Terminal): Check {
  const own = ownIdentity();
  const stale = requests.filter((request) => {
    if (request.kind === "fact") return false;
    const found = readServerRecord(home, request.server.instance);
    return isServerGone(request, found, clock.now(), (one) => livenessOf(one, own));
  });
  const altered = requests.filter((request) => !isUnaltered(request));
  if (altered.length > 0) return changed(altered, home);
  if (stale.length === 0) return ok("requests", "none is stale");
  const ids = stale.map(({ id }) => id).join(", ");
  const detail = `${stale.length} stale, the server is gone: ${ids}`;
  return warning("requests", detail, wispLine(environment, ["approvals", "pending"]));
}

/** Such a request can be answered by nobody; without its file its server gives it up, and nothing runs. */
function changed(requests: readonly Request[], home: Home): Check {
  const ids = requests.map(({ id }) => id).join(", ");
  const files = requests.map((request) => quoted(join(home.pending, requestFileName(request)))).join(" ");
  const detail = `${requests.length} changed after filing, by another program of yours: ${ids}`;
  return warning("requests", `${detail}; end it, and have it asked again`, `rm ${files}`);
}

function checkServers(alive: readonly FoundServer[], home: Home): Check {
  const named = alive.map(
    ({ record }) => `${shownText(record.client?.name ?? "unnamed client")} (process ${record.pid})`,
  );
  const detail = alive.length === 0 ? "none is asking" : `${alive.length} live: ${named.join(", ")}`;
  const elsewhere = alive.filter(({ record }) => record.home !== home.path);
  if (elsewhere.length === 0) return ok("servers", detail);
  const homes = elsewhere
    .map(({ record }) => `process ${record.pid} says ${shownText(record.home)}`)
    .join(", ");
  return warning("servers", `${detail}; another home than this one: ${homes}`, null);
}

function factsOf(home: Home, terminal: Terminal): Check {
  try {
    return checkFacts(home, factsIn(home, terminal, terminal.via).facts);
  } catch (error) {
    return unusable("facts", error);
  }
}

function checkAnswers(home: Home): Check {
  const count = rejectedIds(home).length;
  if (count === 0) return ok("answers", "none was refused");
  const detail = `${count} not taken, kept in ${shownText(home.rejected)}`;
  return count < manyRejected
    ? ok("answers", detail)
    : warning("answers", `something is writing answers: ${detail}`, `ls -l ${quoted(home.rejected)}`);
}
