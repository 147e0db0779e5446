/** Every row, in the order of the table. */
import type { Row } from "./row.js";
import { answerAgainstPollRow, answerInCrowdRow, answerRow } from "./rows/answer.js";
import { auditRow } from "./rows/audit.js";
import { approveRow, listingRow, pendingRow } from "./rows/commands.js";
import { gateBigRow, gateCallRow, gateMemoryRow, gatePassRow, gateProxyRow } from "./rows/gate.js";
import { mcpStartRow } from "./rows/mcp-start.js";
import { raceRow } from "./rows/race.js";
import { resultRow } from "./rows/result.js";
import { rulesRow } from "./rows/rules.js";
import { serversRow } from "./rows/servers.js";
import { tuiFrameRow, tuiMoveBytesRow, tuiMoveRow, tuiStartRow } from "./rows/tui.js";
import { heapRow, idleRow, residentRow } from "./rows/waiting.js";

export const rows: readonly Row[] = [
  answerRow,
  answerAgainstPollRow,
  resultRow,
  answerInCrowdRow,
  idleRow,
  pendingRow,
  approveRow,
  mcpStartRow,
  gatePassRow,
  gateCallRow,
  gateProxyRow,
  gateBigRow,
  gateMemoryRow,
  rulesRow,
  tuiStartRow,
  tuiMoveRow,
  tuiMoveBytesRow,
  tuiFrameRow,
  serversRow,
  listingRow,
  heapRow,
  residentRow,
  auditRow,
  raceRow,
];
