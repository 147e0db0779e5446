/** Of many processes that answer one request at one instant exactly one comes first, and everybody reads its answer. */
import type { Row } from "../row.js";
import { startRace } from "../support/race.js";

const processes = 64;
const rounds = { check: 200, full: 10_000 };

export const raceRow: Row = {
  name: "race",
  what: "64 processes answer one request at one instant, a quarter of the rounds with its server: not exactly one winner",
  against: "nothing: counted",
  unit: "faults",
  gate: { bar: 0, goal: 0, holds: "at most" },
  mostBlocks: 1,
  fault: "answers replace each other",
  async open({ fault, isFull }) {
    const race = await startRace(processes, fault);
    return {
      async block() {
        let faults = 0;
        for (let round = 0; round < (isFull ? rounds.full : rounds.check); round += 1) {
          if ((await race.round()) !== null) faults += 1;
        }
        return race.serverWins() === 0 ? faults + 1 : faults;
      },
      close: race.close,
    };
  },
};
