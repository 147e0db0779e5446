/** What the calls of one gate are made of. */
import type { Clock, GateRuling } from "../../../broker/index.js";
import type { Asking } from "../../mcp/asking.js";
import type { Connection, ConnectionOptions } from "../../mcp/connection.js";
import type { Peer } from "../../mcp/peer.js";
import type { ToolCallFrame } from "../frames/client-frame.js";
import type { OwnAnswer, Passage } from "../frames/passage.js";
import type { Router } from "../frames/router.js";
import type { Act, Acts } from "./acts.js";
import type { GatePolicy } from "./gate-policy.js";
import type { Held } from "./held.js";
import type { Limits } from "./limits.js";
import type { PassedLog } from "./passed-log.js";
import type { Pins } from "./pinned.js";
import type { Came, Rounds } from "./round.js";
import type { Session } from "./session.js";
import type { StateBinding } from "./state-binding.js";
import type { ToolBook } from "./tool-book.js";
import type { ServerIdentity, ToolCall } from "./tool-subject.js";

/** What the calls of one gate share. */
export interface Gate {
  readonly server: ServerIdentity;
  readonly connection: Connection;
  readonly options: ConnectionOptions;
  readonly session: Session;
  readonly tools: ToolBook;
  readonly policy: GatePolicy;
  readonly pins: Pins;
  readonly states: StateBinding;
  readonly rounds: Rounds;
  readonly limits: Limits;
  readonly held: Held;
  readonly acts: Acts;
  readonly passed: PassedLog;
  readonly ask: Router["ask"];
  readonly clock: Clock;
}

/** One call while it is answered. */
export interface OpenCall {
  readonly frame: ToolCallFrame;
  readonly passage: Passage;
  readonly peer: Peer;
  readonly came: Came;
  readonly call: ToolCall;
  readonly ruling: GateRuling;
  readonly asking: Asking;
  /** What was begun before it was judged; null where nothing had to be. */
  readonly act: Act | null;
}

/** What the client gets: a line of the upstream's, an answer of ours, or nothing, because it wants none any more. */
export type Reply = Buffer | OwnAnswer | null;
