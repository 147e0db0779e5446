/** Many processes and the server that asked, all answering one request at one instant. */
import { answerHash, type Request } from "../../src/broker/index.js";
import type { FromRacer, RacerOptions, ToRacer } from "../workers/racer.js";
import { draftFor, yesTo } from "./asking.js";
import { benchProgram, newPlace } from "./places.js";
import { openServer } from "./server.js";
import { nowUs, startWorker, type Worker, waitUntil } from "./worker.js";

export interface Race {
  /** Races once. Null when exactly one came first and everybody read its answer; else what was wrong. */
  round(): Promise<string | null>;
  /** How many rounds the server's own decision has won: none would prove nothing about time-outs. */
  serverWins(): number;
  close(): Promise<void>;
}

/** Starts `processes` racers; with `fault` they replace what stands in the slot. */
export async function startRace(processes: number, fault: boolean): Promise<Race> {
  const place = newPlace();
  const { channel } = openServer(place.home.path, "none");
  const flags = fault ? ["--import", benchProgram("faults/replaces")] : [];
  const options: RacerOptions = { home: place.home.path };
  const racers: Worker<ToRacer, FromRacer>[] = [];
  for (let index = 0; index < processes; index += 1)
    racers.push(startWorker("workers/racer", options, flags));
  for (const racer of racers) await racer.next();
  let rounds = 0;
  let serverWins = 0;

  /** A quarter of the rounds end by the server: time-outs and withdrawals in turn, as early as the others or later. */
  function serverClaims(request: Request, at: number): string | null {
    if (rounds % 4 !== 0) return null;
    waitUntil(at - (serverLeadsUs[(rounds / 4) % serverLeadsUs.length] ?? 0));
    const decision = rounds % 8 === 0 ? "timed_out" : "withdrawn";
    const taken = channel.withdraw(request.id, decision, null);
    return taken.answer.via === "server" ? taken.hash : null;
  }

  return {
    async round() {
      rounds += 1;
      const request = channel.file(draftFor(rounds), []);
      const at = nowUs() + untilStartUs;
      const answers = racers.map((_, index) => ({ ...yesTo(request), note: `racer ${index}` }));
      for (const [index, racer] of racers.entries()) {
        const answer = answers[index];
        if (answer !== undefined) racer.send({ answer, at });
      }
      // Sending happens in the background, and the server's own claim will block it.
      await new Promise((resolve) => setTimeout(resolve, untilStartUs / 2_000));
      const own = serverClaims(request, at);
      const reports = await Promise.all(racers.map((racer) => racer.next()));
      const news = channel.take(request.id);
      const hashes = answers.map(answerHash);
      const first = hashes.filter((_, index) => reports[index]?.isFirst === true);
      if (own !== null) {
        first.push(own);
        serverWins += 1;
      }
      const read = new Set([
        ...reports.map((report) => report.read),
        news?.kind === "answer" ? news.taken.hash : null,
      ]);
      channel.settle(request.id, {
        outcome: own === null ? "answered" : "withdrawn",
        taken: news?.kind === "answer" ? news.taken : null,
        ran: false,
      });
      if (first.length !== 1) return `${first.length} came first`;
      return read.size === 1 && read.has(first[0] ?? null) ? null : `${read.size} answers were read`;
    },
    serverWins: () => serverWins,
    async close() {
      channel.close();
      for (const racer of racers) await racer.stop();
      place.remove();
    },
  };
}

/** Everybody has been told by then. */
const untilStartUs = 20_000;
/** How long before the others the server claims: each of them can come first. */
const serverLeadsUs = [10_000, 1_000, 200, 0];
