/** Programs of bench/ started beside the benchmark, and what they say. A worker that ends early is an error. */
import { type ChildProcess, fork } from "node:child_process";
import { createInterface } from "node:readline";
import { benchProgram } from "./places.js";

export interface Worker<In, Out> {
  readonly pid: number;
  send(message: In): void;
  /** The next message, in order. Rejects when the worker is gone. */
  next(): Promise<Out>;
  /** The next line on its standard output, with the time at which it came. */
  line(): Promise<{ readonly text: string; readonly at: number }>;
  /** Ends the worker and waits until it is gone. */
  stop(): Promise<void>;
}

/** Starts bench/`name`.ts with `options`, which it reads by `workerOptions`. */
export function startWorker<In, Out>(
  name: string,
  options: unknown,
  flags: readonly string[] = [],
): Worker<In, Out> {
  const child = fork(benchProgram(name), [JSON.stringify(options)], {
    execArgv: [...flags],
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  live.add(child);
  const messages = queue<Out>();
  const lines = queue<{ readonly text: string; readonly at: number }>();
  child.on("message", (message) => messages.put(message as Out));
  if (child.stdout !== null) {
    createInterface({ input: child.stdout }).on("line", (text) => lines.put({ text, at: nowUs() }));
  }
  child.on("exit", (code, signal) => {
    live.delete(child);
    const why = new Error(`bench/${name} ended early (${signal ?? code}).`);
    messages.end(why);
    lines.end(why);
  });
  return {
    pid: child.pid ?? 0,
    send: (message) => void child.send(message as object),
    next: messages.take,
    line: lines.take,
    stop: () => stop(child),
  };
}

/** Workers that run now. None outlives the benchmark, however that ends. */
const live = new Set<ChildProcess>();
process.prependListener("exit", () => {
  for (const child of live) child.kill("SIGKILL");
});

/** Microseconds of the monotonic clock, which all processes of the machine share. */
export function nowUs(): number {
  return Number(process.hrtime.bigint()) / 1_000;
}

/** Waits until both processes have gone to sleep. */
export function rest(): Promise<void> {
  return sleep(3);
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Blocks until `at`, as `nowUs`: asleep until shortly before, then awake, so as to hit the instant. */
export function waitUntil(at: number): void {
  const left = at - nowUs();
  if (left > 2_000) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, left / 1_000 - 1);
  while (nowUs() < at);
}

/** What `startWorker` was given, in the worker. */
export function workerOptions<Options>(): Options {
  return JSON.parse(process.argv[2] ?? "null") as Options;
}

/** Tells the benchmark something, from a worker. */
export function tell(message: object): void {
  process.send?.(message);
}

/** Hears what the benchmark sends, in a worker, until the benchmark is gone. */
export function hear<In>(listener: (message: In) => void): void {
  process.on("message", (message) => listener(message as In));
  process.on("disconnect", () => process.exit(0));
}

function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once("exit", () => resolve());
    child.kill("SIGKILL");
  });
}

interface Queue<Value> {
  put(value: Value): void;
  take(): Promise<Value>;
  end(why: Error): void;
}

function queue<Value>(): Queue<Value> {
  const values: Value[] = [];
  const waiting: { resolve(value: Value): void; reject(error: Error): void }[] = [];
  let ended: Error | null = null;
  return {
    put(value) {
      const first = waiting.shift();
      if (first === undefined) values.push(value);
      else first.resolve(value);
    },
    take() {
      const value = values.shift();
      if (value !== undefined) return Promise.resolve(value);
      if (ended !== null) return Promise.reject(ended);
      return new Promise((resolve, reject) => waiting.push({ resolve, reject }));
    },
    end(why) {
      ended = why;
      for (const one of waiting.splice(0)) one.reject(why);
    },
  };
}
