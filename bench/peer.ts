/**
 * Another proxy of MCP side by side with the gate: printed, and no row, because nothing here promises to be faster than it.
 * It is measured where it is installed: `npm ci --prefix bench/peers`, then `node dist/bench/peer.mjs`.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { loadLine, machineLine } from "./machine.js";
import { type Exchange, exchanged } from "./support/exchange.js";
import { openGateClients } from "./support/gate-clients.js";
import { root } from "./support/places.js";
import { residentKiBOf } from "./support/stdio-client.js";
import { rest } from "./support/worker.js";
import { median } from "./verdict.js";

const peers = join(root, "bench/peers");
const rounds = 150;
const warmRounds = 300;

if (existsSync(join(peers, "node_modules/mcp-proxy"))) await compare();
else process.stdout.write("No other proxy is installed: npm ci --prefix bench/peers\n");

async function compare(): Promise<void> {
  process.stdout.write(`${machineLine()} · ${loadLine()}\n`);
  const clients = openGateClients();
  const ways = [
    await clients.straight(),
    await clients.throughRelay(),
    await clients.throughGate(null),
    await clients.through([join(peers, "stdio-proxy.mjs")]),
  ];
  const small: Exchange = (client) => client.call(1_000);
  const big: Exchange = (client) => client.call(950_000);
  await exchanged(ways, small, warmRounds);
  const added = await exchanged(ways, small, rounds, rest);
  const [base = Number.NaN, relay = Number.NaN, gate = Number.NaN, peer = Number.NaN] = added.map(median);
  print("what it adds to a call, 1 kB", (gate - base) / (relay - base), (peer - base) / (relay - base));
  const [, bigRelay = Number.NaN, bigGate = Number.NaN, bigPeer = Number.NaN] = (
    await exchanged(ways, big, warmRounds / 10)
  ).map(median);
  print("a call, 950 kB", bigGate / bigRelay, bigPeer / bigRelay);
  const [, held = Number.NaN, heldGate = Number.NaN, heldPeer = Number.NaN] = ways.map(({ pid }) =>
    residentKiBOf(pid),
  );
  print("resident memory after both", heldGate / held, heldPeer / held);
  await clients.close();
}

function print(what: string, gate: number, peer: number): void {
  process.stdout.write(`${what}, against a relay: gate ${gate.toFixed(2)}×, mcp-proxy ${peer.toFixed(2)}×\n`);
}
