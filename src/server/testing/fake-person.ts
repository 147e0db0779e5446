/**
 * A person for an author's tests: they answer what a server asks, through files in a home of their own, as every face does.
 * Nothing of this machine's home is read, and no banner is posted.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Clock,
  DirectoryChannel,
  ensureHome,
  ensureSafeDirectory,
  homeAt,
  type Request,
  systemClock,
  type Testimony,
} from "../../broker/index.js";
import type { AnyServer } from "../library/call-context.js";
import { runsNothing } from "../library/create-wisp.js";
import { ownServer } from "../library/own-server.js";
import { openWisp, type Wisp } from "../library/wisp.js";
import { fileRules } from "../mcp/file-rules.js";
import { answerOf, type FakeReply } from "./fake-reply.js";

/** What they say to a request; null for nothing yet. */
export type Saying = FakeReply | null | ((request: Request) => FakeReply | null);

/** They say nothing at first. */
export interface FakePerson {
  /** Where their home lies: what stands in its `policy.json` and log, a test may read and write. */
  readonly home: string;
  /** What asks this person, and nobody else. It stands for what `createWisp` makes, and is closed in the same way. */
  wisp(options: { readonly name: string; readonly server: AnyServer }): Wisp;
  /** From now on they answer so, also what waits already. */
  says(saying: Saying): void;
  /** Resolves with the next request that they are asked, oldest first, answered or not; each is told once. */
  asked(): Promise<Request>;
  /** Removes the home; to be called after every wisp was closed. */
  leave(): void;
}

/** `clock` is the time of what asks them, the machine's where none is given. */
export function fakePerson(clock: Clock = systemClock): FakePerson {
  const directory = mkdtempSync(join(tmpdir(), "wisp-person-"));
  const home = homeAt(join(directory, "home"), false);
  ensureSafeDirectory(ensureHome(home, systemClock));
  ensureSafeDirectory(home.pending);
  const channel = new DirectoryChannel({ home, clock: systemClock, asker: null, onRefused: () => undefined });
  const seen = new Set<string>();
  const answered = new Set<string>();
  const untold: Request[] = [];
  const listening: ((request: Request) => void)[] = [];
  let saying: Saying = null;

  function look(): void {
    for (const request of channel.pending().requests) {
      if (!seen.has(request.id)) tell(request);
      const reply = typeof saying === "function" ? saying(request) : saying;
      if (reply === null || answered.has(request.id)) continue;
      answered.add(request.id);
      channel.answer(answerOf(request, reply, systemClock.now()));
    }
  }

  function tell(request: Request): void {
    seen.add(request.id);
    const listener = listening.shift();
    if (listener === undefined) untold.push(request);
    else listener(request);
  }

  channel.changes(look);

  return {
    home: home.path,
    wisp: ({ name, server }) =>
      openWisp({
        own: ownServer(name, name),
        server,
        options: {
          ...runsNothing,
          clock,
          environment: { WISP_HOME: home.path, HOME: directory },
          directory,
          hold: null,
          say: () => undefined,
          createWitness: () => () => atTheirTerminal,
          createNotifiers: () => [],
          openRules: fileRules,
        },
      }),
    says(next) {
      saying = next;
      look();
    },
    asked() {
      const request = untold.shift();
      return request === undefined
        ? new Promise((resolve) => listening.push(resolve))
        : Promise.resolve(request);
    },
    leave() {
      channel.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** They are none of this machine's processes, and are believed all the same: only what `wisp` makes asks them. */
const atTheirTerminal: Testimony = {
  verified: { terminal: true, ancestry: true, signed: null },
  seen: {},
  shortfall: null,
};
