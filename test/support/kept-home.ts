/** A home that keeps what has ended and what yeses left behind, as the servers that kept it did. */

import { recordedOf } from "../../src/broker/audit/decisions.js";
import { ensureHome, type Home } from "../../src/broker/channel/home.js";
import type {
  GrantStore,
  LateRequest,
  LateRequests,
  Moment,
  Yes,
} from "../../src/broker/grants/grant-store.js";
import { openLateRequests } from "../../src/broker/grants/late.js";
import { momentsOf } from "../../src/broker/grants/life.js";
import { openGrantStore } from "../../src/broker/grants/unspent.js";
import { ownIdentity } from "../../src/broker/identity/process.js";
import { rootSecretOf } from "../../src/broker/identity/root-secret.js";
import { answerHash } from "../../src/broker/request/binding.js";
import { systemClock } from "../../src/broker/system/clock.js";
import { auditLogAt } from "./audit-logs.js";
import { approvalRequest } from "./builders.js";
import { boundTo, yesTo } from "./grants.js";
import { sketched } from "./sketched.js";
import { tempHome } from "./temp-home.js";

type Draft = NonNullable<Parameters<typeof approvalRequest>[0]>;

/** What a test wants otherwise of a request that ended. */
export interface Ended {
  readonly draft?: Draft;
  readonly id?: string;
  readonly how?: LateRequest["how"];
  /** When it ended. */
  readonly agoMs?: number;
  /** For how long it may be answered; 0 for one that nobody may answer. */
  readonly lateSeconds?: number;
}

export interface KeptHome {
  readonly home: Home;
  readonly grants: GrantStore;
  readonly late: LateRequests;
  /** A request that nobody said no to. */
  ends(ended?: Ended): Promise<LateRequest["request"]>;
  /** A yes that no call was there to use. */
  keeps(overrides?: Partial<Yes>): Promise<string>;
}

const { boot } = ownIdentity();

export function keptHome(home: Home = tempHome()): KeptHome {
  const place = { path: home.path, ensureHome: () => ensureHome(home, systemClock), clock: systemClock };
  const keys = rootSecretOf(place);
  const moment = momentsOf(systemClock, boot);
  const grants = openGrantStore({
    ...place,
    keys,
    moment,
    ttlSeconds: 300,
    recorded: (id) => recordedOf(home.path, id, keys),
    isServerGone: () => false,
  });
  const audit = auditLogAt(home.path, { home: place.ensureHome, keys });
  const lateAt = (agoMs: number, lateSeconds: number): LateRequests => {
    const then = (): Moment => {
      const { uptimeMs, at } = moment();
      // A machine that was started since: then the clock on the wall counts.
      const isBefore = uptimeMs < agoMs;
      return isBefore
        ? { boot: `${boot}-before`, uptimeMs: 0, at: at - agoMs }
        : { boot, uptimeMs: uptimeMs - agoMs, at: at - agoMs };
    };
    return openLateRequests({ ...place, keys, moment: then, lateSeconds });
  };
  return {
    home,
    grants,
    late: lateAt(0, 0),
    async ends({ draft = {}, id, how = "timed_out", agoMs = 0, lateSeconds = 86_400 } = {}) {
      const createdAt = systemClock.now() - agoMs - 600_000;
      const request = approvalRequest(draft, { createdAt, ...(id === undefined ? {} : { id }) });
      const bound = boundTo();
      await lateAt(agoMs, lateSeconds).file({ bound, request, how, toldMsAgo: 0 }, lateSeconds > 0);
      return request;
    },
    async keeps(overrides = {}) {
      const yes = yesTo(overrides);
      const details = { decision: "approve", answer: answerHash(yes.answer) };
      await audit.append([sketched({ kind: "approval.answered", call: yes.request.id, details })], "durable");
      const approval = await grants.keep(yes);
      if (approval === null) throw new Error("It was not kept.");
      return approval.id;
    },
  };
}
