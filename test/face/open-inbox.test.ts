import { join } from "node:path";
import { expect, test } from "vitest";
import { requestFileName } from "../../src/broker/request/request.js";
import { approvalDraft } from "../support/builders.js";
import { watchedInbox } from "../support/inboxes.js";
import { plantRequest } from "../support/planted.js";
import { madeHome, openAsker, tempHome } from "../support/temp-home.js";

test("what waits stands in the state from the start; what comes later arrives once", () => {
  const home = madeHome();
  const first = plantRequest(home, 1_000);
  const { inbox, told, event, advance } = watchedInbox(home);
  expect(inbox.state.requests).toEqual([first]);
  expect(told()).toEqual([]);
  advance(50);
  const second = plantRequest(home, 2_000);
  event(join(home.pending, requestFileName(second)));
  expect(inbox.state.requests).toEqual([first, second]);
  expect(told()).toEqual([`+${second.id}`]);
  event(join(home.pending, requestFileName(second)));
  advance(2_000);
  expect(told()).toEqual([]);
});

test("a home that does not exist is no fault, and what its first server asks arrives", () => {
  const home = tempHome();
  const { inbox, told, advance } = watchedInbox(home);
  expect(inbox.state).toMatchObject({ requests: [], health: { kind: "watching" } });
  advance(2_000);
  expect(told()).toEqual([]);
  const request = openAsker(home).channel.file(approvalDraft(), []);
  advance(1_000);
  expect(told()).toEqual([`+${request.id}`]);
  expect(inbox.state.health).toEqual({ kind: "watching" });
});
