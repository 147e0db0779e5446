/**
 * Opens what a server needs to ask a person: the configuration, the approver, and around it channel, audit log and
 * server record.
 */
import {
  type Approver,
  type AuditLog,
  type BudgetedBanners,
  type Clock,
  createApprover,
  createDialogUse,
  createFactKeeper,
  createNotices,
  createPerMinute,
  createQuestioner,
  type FactKeeper,
  type FactStore,
  type FileAuditLog,
  type Home,
  isRefusedWithin,
  type LoadedConfig,
  livenessOf,
  momentsOf,
  type NoticeBoard,
  type Notifier,
  type NotifySettings,
  newIdentifier,
  notificationEvent,
  openAuditLog,
  ownIdentity,
  type Policy,
  type Questioner,
  type Request,
  resolveHome,
  rootSecretOf,
  type Settings,
  shownText,
  similarTo,
  version,
  type Witness,
  type WitnessOptions,
} from "../../broker/index.js";
import type { OutputStore } from "../command/capture.js";
import { outputStore } from "../command/output-store.js";
import { wispLine } from "../command/wisp-line.js";
import { type Callers, callersOf } from "./callers.js";
import { doctorLineOf, type HomeOptions, type HomeOrFault, homeOf } from "./found-home.js";
import { createTidying } from "./keeping.js";
import { liveSettings, notifiersOf } from "./live-settings.js";
import { note } from "./note.js";
import type { Peer } from "./peer.js";
import { recordHome } from "./record-home.js";
import { createRequestStates, type RequestStates, stateSeconds } from "./request-state.js";
import { cleared, type Rules, type RulesPlace, rulesIn } from "./rules.js";
import { sayingPolicy } from "./said-policy.js";
import { type Ways, waysOf } from "./ways.js";

/** What one call of a tool needs in order to ask, and to leave a record. */
export interface Asking {
  readonly approver: Approver;
  readonly questioner: Questioner;
  /** Asks whether something is worth keeping. */
  readonly keeper: FactKeeper;
  /** What goes with a dialog of the 2026 era and comes back with its answer. */
  readonly states: RequestStates;
  readonly audit: AuditLog;
  /** What judges each call before anybody is asked; at once where it is open. */
  readonly policy: () => Promise<Policy> | Policy;
  /** What a person was told of each request. */
  readonly notices: Pick<NoticeBoard, "receiptsOf" | "whenTold">;
  /** What the agent itself may tell. */
  readonly banners: BudgetedBanners;
  /** What is in force now: a call reads it once, where it begins. */
  readonly config: LoadedConfig;
  /** The home, where it is not the default; a dialog names it. Null for the default, and where there is none. */
  readonly home: string | null;
  /** The command that answers a request from any terminal, safe to show. */
  readonly answeringLine: (request: Pick<Request, "id" | "kind">) => string;
  /** The command that tells a person what is wrong with asking and how to repair it, safe to show. */
  readonly doctorLine: string;
  /** Where the command of a request keeps output that is too long to show. */
  readonly outputs: (request: string | null) => OutputStore;
}

/** What a server was started with, as far as asking depends on it. */
export interface AskingOptions extends HomeOptions {
  readonly clock: Clock;
  /** One line for whoever looks at what the server says, safe to show. */
  readonly say: (line: string) => void;
  /** Makes what looks at the process behind each answer. */
  readonly createWitness: (options: WitnessOptions) => Witness;
  /** Makes the places where banners go. */
  readonly createNotifiers: (wanted: NotifySettings) => readonly Notifier[];
  /** Opens what is remembered in a home, and what judges by the rules there. */
  readonly openRules: (place: RulesPlace) => Rules | Promise<Rules>;
}

/** What a connection has opened, and closes at its end. */
export interface Opened extends Omit<Ways, "keeping"> {
  readonly asking: Asking;
  readonly notices: NoticeBoard;
  /** To be closed last. */
  readonly audit: FileAuditLog;
  /** To be called with the client of each ask. */
  readonly hear: Callers["hear"];
}

/**
 * For the first ask, of `client`: makes the home and reads the configuration in it, and no more. What the configuration says
 * later counts from the next use on. `facts` are those of the home.
 */
export function openAsking(options: AskingOptions, client: Peer["client"], facts: FactStore): Opened {
  const { clock } = options;
  const identity = ownIdentity();
  const { pid, startedAt, boot } = identity;
  const instance = newIdentifier((size) => clock.randomBytes(size), instanceLength);
  const found = homeOf(options);
  const { home } = found;
  const records = recordHome(home, resolveHome({}, options.directory), clock);
  const place = records.choose();
  const keys = rootSecretOf({ path: place.path, ensureHome: records.make, clock });
  const audit = openAuditLog({
    home: records.make,
    clock,
    session: instance,
    keys,
    identity: () => identity,
    liveness: livenessOf,
    rotation: () => settings().audit,
    headDelayMs,
    say: options.say,
  });
  const named = home === null || home.isDefault ? null : home.path;
  const acceptLine = wispLine(["accept"], named);
  const source = liveSettings({
    home: place,
    clock,
    acceptLine: shownText(acceptLine),
    note: (event) => void note(audit, [event]),
    say: options.say,
  });
  const settings = (): Settings => source.current().settings;
  const callers = callersOf(client, (name) => isRefusedWithin(name, settings()));
  const asker = {
    clock,
    audit,
    identity,
    instance,
    client,
    callers,
    settings,
    facts,
    createWitness: options.createWitness,
  };
  const { channel, keeping, upkeep } = waysOf(found, asker);
  const { policy: rules, remembered } = rulesIn(records.choose(), {
    ...options,
    identity,
    fault: unmeantBecause(found, records.choose()),
  });
  let saying: Promise<Policy> | null = null;
  let said: Policy | null = null;
  // One promise for all calls: none overtakes one that came before it.
  const policy: Asking["policy"] = () => {
    if (said !== null) return said;
    saying ??= rules().then(
      (known) => {
        said = sayingPolicy(known, acceptLine, options.say);
        return said;
      },
      (error: unknown) => {
        // It may be there the next time.
        saying = null;
        throw error;
      },
    );
    return saying;
  };
  // After the ask that called for it, which waits for no lock.
  const tidyRules = createTidying(clock, () =>
    clock.after(0, () => void cleared(remembered, (events) => note(audit, events))),
  );
  const server = { pid, startedAt, boot, instance };
  const answeringLine: Asking["answeringLine"] = (request) =>
    shownText(wispLine(answeringWords(request), named));
  const notifiers = notifiersOf(() => settings().notify, options.createNotifiers);
  const notices = createNotices({
    clock,
    get notifiers() {
      return notifiers();
    },
    get delaySeconds() {
      return settings().approval.bannerDelaySeconds;
    },
    get timeoutSeconds() {
      return settings().approval.timeoutSeconds;
    },
    answering: answeringLine,
    listing: shownText(wispLine(["approvals", "pending"], named)),
    onReceipt: (receipt, requests) => note(audit, [notificationEvent(receipt, requests)]),
  });
  const shared = { channel, audit, clock, server, version, notices, dialogUse: createDialogUse() };
  const approver = createApprover({
    ...shared,
    get timeoutSeconds() {
      return settings().approval.timeoutSeconds;
    },
    get declineMemorySeconds() {
      return settings().approval.declineMemorySeconds;
    },
    get unseenAnswerMs() {
      return settings().approval.unseenAnswerMs;
    },
    dialogCounts: (level) => settings().approval.require[level] === "dialog",
    grants: keeping?.grants ?? null,
    late: keeping?.late ?? null,
    remembered,
  });
  const questioner = createQuestioner({
    ...shared,
    get timeoutSeconds() {
      return settings().approval.timeoutSeconds;
    },
    get declineMemorySeconds() {
      return settings().approval.declineMemorySeconds;
    },
    get unseenAnswerMs() {
      return settings().approval.unseenAnswerMs;
    },
    get keepSeconds() {
      return settings().questions.keepSeconds;
    },
    // Who lets no dialog approve anything lets none answer either.
    dialogCounts: () => Object.values(settings().approval.require).includes("dialog"),
  });
  const keeper = createFactKeeper({
    ...{ channel, audit, clock, server, facts, notices },
    similar: similarTo,
    get keepDays() {
      return settings().facts.keepDays;
    },
  });
  const moment = momentsOf(clock, boot);
  const states = createRequestStates({
    ...{ clock, moment, kept: keeping },
    get ttlSeconds() {
      return stateSeconds(settings().approval.timeoutSeconds);
    },
  });
  const outputs = (request: string | null): OutputStore => ({
    create: (stream) => outputStore(records.make(), request ?? "").create(stream),
  });
  const doctorLine = doctorLineOf(found, options);
  const budget = {
    get notifiers() {
      return notifiers();
    },
    get most() {
      return settings().notify.perMinute;
    },
  };
  const banners = createPerMinute(budget, clock);
  const told = { notices, banners };
  const asking = {
    approver,
    questioner,
    keeper,
    states,
    audit,
    policy,
    ...told,
    get config() {
      return source.current();
    },
    home: named,
    answeringLine,
    doctorLine,
    outputs,
  };
  return {
    asking,
    hear: callers.hear,
    channel,
    upkeep() {
      upkeep();
      tidyRules();
    },
    notices,
    audit,
  };
}

/** Why what is written down goes to another home than the one that was meant; null where it does not. */
function unmeantBecause({ home, fault }: HomeOrFault, chosen: Home): string | null {
  if (home === null) return shownText(fault.message);
  return home === chosen ? null : shownText(`The home ${home.path} cannot be used.`);
}

/** The words that answer a request, after `wisp`. */
function answeringWords({ kind, id }: Pick<Request, "id" | "kind">): readonly string[] {
  switch (kind) {
    case "approval":
      return ["approvals", "approve", id];
    case "fact":
      return ["facts", "keep", id];
    case "question":
      return ["questions", "answer", id];
    default:
      return kind satisfies never;
  }
}

/** What a call writes comes close together, and the head is signed when it has its result. */
const headDelayMs = 250;

/** As long as the format of the channel says. */
const instanceLength = 16;
