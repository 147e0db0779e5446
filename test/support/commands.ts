/** Real commands for tests: a listener they can report to, and a store in memory. */
import { writeFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { systemClock } from "../../src/broker/system/clock.js";
import type { OutputStore, StreamName } from "../../src/server/command/capture.js";
import { smallEnvironment } from "../../src/server/command/environment.js";
import { killGroups } from "../../src/server/command/group.js";
import {
  type ResolvedCommand,
  resolveCommand,
  type WantedCommand,
} from "../../src/server/command/resolve.js";
import { type RanCommand, type RunParts, runCommand } from "../../src/server/command/run.js";

export const testEnvironment = smallEnvironment(process.env);

/** Writes an executable file and returns its path. */
export function writeProgram(directory: string, name: string, text: string): string {
  const path = join(directory, name);
  writeFileSync(path, text, { mode: 0o755 });
  return path;
}

export function ofArgv(directory: string, argv: readonly string[]): ResolvedCommand {
  return resolved({ argv, line: null, directory });
}

export function ofLine(directory: string, line: string): ResolvedCommand {
  return resolved({ argv: null, line, directory });
}

function resolved(wanted: WantedCommand): ResolvedCommand {
  return resolveCommand(wanted, testEnvironment);
}

/** Parts for one run; what a failing test leaves running is ended when it ends. */
export function runParts(overrides: Partial<RunParts> = {}): RunParts {
  const groups = overrides.groups ?? new Set<number>();
  onTestFinished(() => killGroups(groups));
  return {
    clock: systemClock,
    signal: new AbortController().signal,
    environment: testEnvironment,
    store: new MemoryStore(),
    umask: null,
    onStarted: () => {},
    ...overrides,
    groups,
  };
}

/** Longer than any test may take: a command that is not ended fails its test. */
export const longMs = 600_000;

/** Runs `command` and returns what became of it; throws where nothing ran. */
export async function runToEnd(
  command: ResolvedCommand,
  overrides: Partial<RunParts> = {},
  timeoutMs = longMs,
): Promise<RanCommand> {
  const result = await runCommand(command, timeoutMs, runParts(overrides));
  if (result.ending === "abandoned" || result.ending === "not_started") {
    throw new Error(`Nothing ran: ${JSON.stringify(result)}`);
  }
  return result;
}

/** Keeps whole outputs in memory; a test can make it fail like a full disk. */
export class MemoryStore implements OutputStore {
  readonly files = new Map<StreamName, Buffer[]>();
  readonly closed: StreamName[] = [];
  /** Throw this from the given step. */
  failure: { readonly step: "create" | "append" | "close"; readonly errno: string } | null = null;

  create(stream: StreamName) {
    this.#fail("create");
    const chunks: Buffer[] = [];
    this.files.set(stream, chunks);
    return {
      path: `/memory/${stream}`,
      append: (bytes: Uint8Array): void => {
        this.#fail("append");
        chunks.push(Buffer.from(bytes));
      },
      close: (): void => {
        this.closed.push(stream);
        this.#fail("close");
      },
    };
  }

  whole(stream: StreamName): Buffer {
    return Buffer.concat(this.files.get(stream) ?? []);
  }

  #fail(step: string): void {
    if (this.failure?.step !== step) return;
    throw Object.assign(new Error(this.failure.errno), { code: this.failure.errno });
  }
}

/** A connection from a command. */
export interface Connection {
  /** Resolves with the first line the command sends. */
  readonly line: Promise<string>;
  /** Resolves when nobody holds the other end any more. */
  readonly ended: Promise<void>;
  readonly hasEnded: boolean;
  write(text: string): void;
}

/**
 * A port that a command reports to, closed when the running test ends. `connects` are the words for bash; the
 * connection ends when every process that inherited its descriptor 3 is gone.
 */
export async function startListener(): Promise<{ connects: string; connection: () => Promise<Connection> }> {
  const server = createServer({ allowHalfOpen: false });
  const first = new Promise<Connection>((resolve) => {
    server.once("connection", (socket) => resolve(connectionOf(socket)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The listener has no port.");
  return { connects: `exec 3<>/dev/tcp/127.0.0.1/${address.port}`, connection: () => first };
}

function connectionOf(socket: Socket): Connection {
  let hasEnded = false;
  const ended = new Promise<void>((resolve) => {
    socket.once("close", () => {
      hasEnded = true;
      resolve();
    });
  });
  // A command that is killed may reset the connection.
  socket.on("error", () => undefined);
  const line = new Promise<string>((resolve) =>
    socket.once("data", (data) => resolve(data.toString("utf8"))),
  );
  return {
    line,
    ended,
    get hasEnded() {
      return hasEnded;
    },
    write: (text) => void socket.write(text),
  };
}
