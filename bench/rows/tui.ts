/** What the full-screen face costs whoever waits for it: its start, moving through what waits, and what comes. */
import { blocksOfTime, type Row } from "../row.js";
import { cpuMsOf } from "../support/cpu.js";
import { benchProgram, wispTui } from "../support/places.js";
import { type Screen, startOnScreen } from "../support/screen.js";
import { startThreadsServer, type ThreadsServer } from "../support/threads.js";
import { rest, startWorker } from "../support/worker.js";
import { alternate, median, ratioOf } from "../verdict.js";
import type { FromLeastReader } from "../workers/least-reader.js";

const startRounds = 10;
const frameRounds = 20;
const moves = 15;
const few = 20;
const crowd = 10_000;

export const tuiStartRow: Row = {
  name: "tui-start",
  what: "`wisp-tui`, 5 waiting: start → first frame, CPU",
  against: "a hello by the same ink, bundled",
  unit: "×",
  gate: { bar: 1.5, goal: 1.2, holds: "at most" },
  mostBlocks: blocksOfTime,
  fault: "it loads commander and the whole of zod",
  async open({ fault }) {
    const server = await startThreadsServer(5);
    const environment = { WISP_HOME: server.home.path };
    const heavy = fault ? ["--import", benchProgram("faults/heavy-import")] : [];
    const floor = [benchProgram("workers/ink-hello")];
    const subject = [...heavy, wispTui];
    return {
      block: async () =>
        ratioOf(
          await alternate(
            startRounds,
            () => cpuMsOfStart(floor, "hello from ink", environment),
            () => cpuMsOfStart(subject, "git push origin feature-4", environment),
          ),
        ),
      close: server.close,
    };
  },
};

export const tuiMoveRow: Row = {
  name: "tui-move",
  what: "`wisp-tui`: bytes written when the caret moves to the next of 10,000 waiting",
  against: "itself with 20 waiting",
  unit: "×",
  gate: { bar: 1.2, goal: 1, holds: "at most" },
  mostBlocks: 1,
  fault: "it writes everything four times",
  async open({ fault }) {
    const several = await openFace(few, "none");
    const many = await openFace(crowd, fault ? "writes-again" : "none");
    return {
      block: async () => (await bytesPerMove(many.screen)) / (await bytesPerMove(several.screen)),
      async close() {
        await several.close();
        await many.close();
      },
    };
  },
};

export const tuiMoveBytesRow: Row = {
  name: "tui-move-bytes",
  what: "the same, with 10,000 waiting",
  against: "nothing: counted, 80 columns by 24 rows",
  unit: "B",
  gate: { bar: 600, goal: 600, holds: "at most" },
  mostBlocks: 1,
  fault: "it writes everything four times",
  async open({ fault }) {
    const { screen, close } = await openFace(crowd, fault ? "writes-again" : "none");
    return { block: () => bytesPerMove(screen), close };
  },
};

export const tuiFrameRow: Row = {
  name: "tui-frame",
  what: "a request is filed → it stands on the screen of a waiting `wisp-tui`",
  against: "the same → read and parsed by a bare `fs.watch` reader",
  unit: "×",
  gate: { bar: 12, goal: 6, holds: "at most" },
  mostBlocks: blocksOfTime,
  fault: "the face has no watch and polls",
  async open({ fault }) {
    const face = await openFace(3, fault ? "no-watch" : "none");
    const reader = await openReader();
    await alternate(frameRounds, reader.hearOne, face.showOne);
    return {
      block: async () => ratioOf(await alternate(frameRounds, reader.hearOne, face.showOne)),
      async close() {
        await face.close();
        await reader.close();
      },
    };
  },
};

/** Milliseconds of CPU that `node` with `words` has taken when `text` is drawn. It ends with 0 when q is typed. */
async function cpuMsOfStart(
  words: readonly string[],
  text: string,
  environment: Readonly<Record<string, string>>,
): Promise<number> {
  const screen = await startOnScreen(words, environment);
  await screen.seen(text);
  const cpuMs = cpuMsOf(screen.pid);
  await screen.leave("q");
  return cpuMs;
}

interface OpenFace {
  readonly screen: Screen;
  /** Files a request and withdraws it again: microseconds until it stood on the screen. */
  showOne(): Promise<number>;
  close(): Promise<void>;
}

/** The face on a terminal, with `count` requests that wait, spoilt by that file of faults/. */
async function openFace(count: number, fault: "none" | "no-watch" | "writes-again"): Promise<OpenFace> {
  const server = await startThreadsServer(count);
  const spoilt = fault === "none" ? [] : ["--import", benchProgram(`faults/${fault}`)];
  const screen = await startOnScreen([...spoilt, wispTui], { WISP_HOME: server.home.path });
  await screen.seen("git push origin feature-0");
  await screen.quiet();
  return {
    screen,
    showOne: () =>
      timeOne(
        server,
        async ({ text }) => await screen.seen(text),
        () => screen.quiet(),
      ),
    async close() {
      await screen.leave("q");
      await server.close();
    },
  };
}

async function openReader(): Promise<{ hearOne(): Promise<number>; close(): Promise<void> }> {
  const server = await startThreadsServer(3);
  const worker = startWorker<never, FromLeastReader>("workers/least-reader", {
    directory: server.home.pending,
  });
  await worker.next();
  const hear = async ({ id }: { readonly id: string }): Promise<number> => {
    const heard = await worker.next();
    if (heard.id !== id) throw new Error(`Filed ${id}, and ${heard.id} was read.`);
    return heard.at;
  };
  return {
    hearOne: () => timeOne(server, hear, rest),
    async close() {
      await worker.stop();
      await server.close();
    },
  };
}

/** Microseconds from before a request is filed until `shown` says that it was. Both sides have slept before. */
async function timeOne(
  server: ThreadsServer,
  shown: (filed: { readonly id: string; readonly text: string }) => Promise<number>,
  settled: () => Promise<void>,
): Promise<number> {
  await rest();
  const filed = await server.fileOne();
  const took = (await shown(filed)) - filed.at;
  await server.withdraw(filed.id);
  await settled();
  return took;
}

/** The middle of several moves down, each drawn whole before the next. */
async function bytesPerMove(screen: Screen): Promise<number> {
  const counts: number[] = [];
  for (let move = 0; move < moves; move += 1) {
    await screen.quiet();
    screen.forget();
    screen.type("j");
    await screen.seen("\u001b");
    await screen.quiet();
    counts.push(screen.forget());
  }
  return median(counts);
}
