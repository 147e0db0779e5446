/** A home with a fact whose server is gone, and a process that sweeps it. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createLeftFacts, type LeftFactParts } from "../../src/broker/approval/left-facts.js";
import { ensureHome } from "../../src/broker/channel/home.js";
import { leftPlaceIn } from "../../src/broker/channel/left-fact.js";
import { type Swept, sweep } from "../../src/broker/channel/sweep.js";
import type { Answer } from "../../src/broker/request/answer.js";
import { composeRequest } from "../../src/broker/request/binding.js";
import type { Liveness } from "../../src/broker/request/process.js";
import { type FactRequest, requestFileName } from "../../src/broker/request/request.js";
import { answerTo, filingFacts } from "./builders.js";
import { FakeClock } from "./fake-clock.js";
import { MemoryAuditLog } from "./memory-audit-log.js";
import { FactShelf, memoryFacts } from "./memory-facts.js";
import { factDraft } from "./request-kinds.js";
import { madeHome, openFace } from "./temp-home.js";
import { atTerminal } from "./witnesses.js";

export class LeftScene {
  readonly home = madeHome();
  readonly clock = new FakeClock();
  readonly shelf = new FactShelf();
  readonly audit = new MemoryAuditLog();
  readonly channel = openFace(this.home, { clock: this.clock });
  readonly request: FactRequest;
  liveness: Liveness = "gone";

  constructor(overrides: Parameters<typeof factDraft>[0] = {}) {
    ensureHome(this.home, this.clock);
    const createdAt = this.clock.now();
    const draft = factDraft({ expiresAt: createdAt + 7 * 86_400_000, ...overrides });
    this.request = composeRequest(draft, filingFacts({ createdAt })) as FactRequest;
    this.write(this.request);
  }

  /** Puts `request` under its name, as its server did, or as anybody can. */
  write(request: FactRequest): void {
    this.plant(requestFileName(request), JSON.stringify(request));
  }

  /** Puts a file into `pending/`. */
  plant(name: string, text: string): void {
    writeFileSync(join(this.home.pending, name), text, { mode: 0o600 });
  }

  answer(overrides: Partial<Answer> = {}): Answer {
    const answer = answerTo(this.request, { decision: "keep", scope: "project", ...overrides });
    this.channel.answer(answer);
    return answer;
  }

  /** What carries decisions out in one process: the one that gave them all, unless a test says otherwise. */
  carrier(overrides: Partial<LeftFactParts> = {}) {
    const { home, clock, audit, shelf } = this;
    return createLeftFacts({
      place: leftPlaceIn(home, clock),
      facts: memoryFacts(shelf, clock),
      audit,
      clock,
      session: "test",
      recorded: (ids) => this.recorded(ids),
      whoIs: () => "this process",
      lookAtSelf: () => atTerminal,
      ...overrides,
    });
  }

  /** Sweeps once, and resolves when what was decided is carried out as far as it can be. */
  async sweep(carryOut = this.carrier()): Promise<readonly Swept[]> {
    const { home, clock } = this;
    const carried: Promise<void>[] = [];
    const options = {
      ...{ home, clock, instance: null, liveness: () => this.liveness },
      onDecidedFact: (request: FactRequest, answer: Answer | null) =>
        void carried.push(carryOut(request, answer)),
    };
    const swept = sweep(options, this.channel.pending());
    await Promise.all(carried);
    return swept;
  }

  /** The hashes of the answers that kept each of these, as the log says. */
  recorded(ids: ReadonlySet<string>): ReadonlyMap<string, readonly string[]> {
    const events = this.audit.only("fact.answered").filter(({ details }) => details?.decision === "keep");
    const hashesOf = (id: string): readonly string[] =>
      events.filter(({ call }) => call === id).map(({ details }) => String(details?.answer));
    return new Map([...ids].map((id) => [id, hashesOf(id)]));
  }
}
