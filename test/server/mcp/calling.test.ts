import { SdkError, SdkErrorCode } from "@modelcontextprotocol/server";
import { describe, expect, test } from "vitest";
import { Detach } from "../../../src/broker/approval/approver.js";
import { callingOf } from "../../../src/server/mcp/calling.js";
import { FakeClock } from "../../support/fake-clock.js";

/** What a call's signal is aborted with when its caller says `reason` after so many milliseconds. */
function reasonAfter(ms: number, reason: unknown): unknown {
  const clock = new FakeClock();
  const caller = new AbortController();
  const calling = callingOf(caller, clock);
  clock.advance(ms);
  caller.abort(reason);
  expect(calling.signal.aborted).toBe(true);
  return calling.signal.reason;
}

const gone = new SdkError(SdkErrorCode.ConnectionClosed, "Connection closed");

describe("a cancellation", () => {
  test.each([
    ["SdkError: Request timed out", 0],
    ["McpError: MCP error -32001: Request timed out", 4_000],
    ["REQUEST TIMED OUT", 19_999],
    ["AbortError: user-cancel", 20_000],
    ["MCP request cancelled by caller", 300_000],
    [undefined, 20_000],
  ])("by the words %j after %i ms leaves the request waiting", (reason, ms) => {
    expect(reasonAfter(ms, reason)).toEqual(new Detach("timed out"));
  });

  test.each([
    ["AbortError: user-cancel", 0],
    ["MCP request cancelled by caller", 19_999],
    ["timeout", 4_000],
    [undefined, 19_999],
    [gone, 0],
    [gone, 300_000],
  ])("by %j after %i ms takes the request back", (reason, ms) => {
    expect(reasonAfter(ms, reason)).not.toBeInstanceOf(Detach);
  });

  test("that came before the call is heard", () => {
    const calling = callingOf({ signal: AbortSignal.abort("no") }, new FakeClock());
    expect([calling.signal.aborted, calling.signal.reason]).toEqual([true, "no"]);
  });

  test("after the call has stopped asking, or was detached, changes nothing", () => {
    const caller = new AbortController();
    const stopped = callingOf(caller, new FakeClock());
    const detached = callingOf(caller, new FakeClock());
    stopped.stop();
    detached.detach("held");
    caller.abort("no");
    expect(stopped.signal.aborted).toBe(false);
    expect(detached.signal.reason).toEqual(new Detach("held"));
  });
});
