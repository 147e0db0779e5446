/** What a gate costs whoever is not asked: against no gate, and against bytes that are only handed on. */
import { blocksOfTime, type Row } from "../row.js";
import { bareNode } from "../support/bare-node.js";
import { type Exchange, exchanged } from "../support/exchange.js";
import { type GateClients, openGateClients } from "../support/gate-clients.js";
import { benchProgram } from "../support/places.js";
import { residentKiBOf, type StdioClient } from "../support/stdio-client.js";
import { rest } from "../support/worker.js";
import { alternate, median, ratioOf } from "../verdict.js";

const fewBytes = 1_000;
const manyBytes = 950_000;
const rounds = 60;
const bigRounds = 20;
const warmRounds = 200;
const callsInAll = 3_500;

const smallCall: Exchange = (client) => client.call(fewBytes);
const bigCall: Exchange = (client) => client.call(manyBytes);
const ping: Exchange = (client) => client.ping();

/** What stands in the gate's place, and adds what the gate is held to. */
interface AddedFloor {
  readonly against: string;
  readonly through: (clients: GateClients) => Promise<StdioClient>;
}

const relay: AddedFloor = {
  against: "what a relay of the same pipes adds, which reads nothing",
  through: (clients) => clients.throughRelay(),
};

export const gatePassRow: Row = addedRow({
  name: "gate-pass",
  what: "`wisp gate`: what it adds to a request that is no call of a tool, median",
  gate: { bar: 2, goal: 1.6, holds: "at most" },
  exchange: ping,
});

export const gateCallRow: Row = addedRow({
  name: "gate-call",
  what: "`wisp gate`: what it adds to an allowed `tools/call`, answered with 1 kB, median",
  gate: { bar: 5.5, goal: 1.6, holds: "at most" },
  exchange: smallCall,
});

export const gateProxyRow: Row = addedRow(
  {
    name: "gate-proxy",
    what: "the same",
    gate: { bar: 1.2, goal: 0.8, holds: "at most" },
    exchange: smallCall,
  },
  {
    against: "what a proxy adds that is made of the SDK's client and server, and judges nothing",
    through: (clients) => clients.through([benchProgram("workers/sdk-proxy")]),
  },
);

/** What the gate adds, as often as what `floor` adds; each after a rest, as a call of an agent's comes. */
function addedRow(
  row: Pick<Row, "name" | "what" | "gate"> & { readonly exchange: Exchange },
  floor = relay,
): Row {
  const { exchange, ...told } = row;
  return {
    ...told,
    against: floor.against,
    unit: "×",
    mostBlocks: blocksOfTime,
    fault: "whatever it hands on comes five milliseconds late",
    async open({ fault }) {
      const clients = openGateClients();
      const straight = await clients.straight();
      const between = await floor.through(clients);
      const gate = await clients.throughGate(fault ? "lags" : null);
      const ways = [straight, between, gate];
      await exchanged(ways, exchange, warmRounds);
      return {
        async block() {
          const [base = [], least = [], subject = []] = await exchanged(ways, exchange, rounds, rest);
          const added = median(least) - median(base);
          // Where the floor adds nothing, nothing was measured.
          return added > 0 ? (median(subject) - median(base)) / added : Number.NaN;
        },
        close: clients.close,
      };
    },
  };
}

export const gateBigRow: Row = {
  name: "gate-big",
  what: "`wisp gate`: an allowed `tools/call`, answered with 950 kB",
  against: "the same through a relay of the same pipes, which reads nothing",
  unit: "×",
  gate: { bar: 2, goal: 1.6, holds: "at most" },
  mostBlocks: blocksOfTime,
  fault: "whatever it hands on is parsed and written anew, several times",
  async open({ fault }) {
    const clients = openGateClients();
    const relay = await clients.throughRelay();
    const gate = await clients.throughGate(fault ? "parses-again" : null);
    await exchanged([relay, gate], bigCall, bigRounds);
    return {
      block: async () =>
        ratioOf(
          await alternate(
            bigRounds,
            () => bigCall(relay),
            () => bigCall(gate),
          ),
        ),
      close: clients.close,
    };
  },
};

export const gateMemoryRow: Row = {
  name: "gate-memory",
  what: "`wisp gate`: resident memory after 3,500 allowed calls",
  against: "a bare `node` that waits for its input",
  unit: "×",
  gate: { bar: 2, goal: 1.3, holds: "at most" },
  mostBlocks: 3,
  fault: "it keeps 32 KiB with each line that it hands on",
  async open({ fault }) {
    const opened: GateClients[] = [];
    return {
      async block() {
        const clients = openGateClients();
        opened.push(clients);
        const bare = await bareNode(clients.directory);
        const gate = await clients.throughGate(fault ? "keeps-lines" : null);
        for (let call = 0; call < callsInAll; call += 1) await smallCall(gate);
        return residentKiBOf(gate.pid) / bare.residentKiB;
      },
      async close() {
        for (const clients of opened) await clients.close();
      },
    };
  },
};
