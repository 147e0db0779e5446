import { expect, test } from "vitest";
import { receiptLifeMs } from "../../../src/broker/channel/receipts.js";
import { heartbeatLimitMs, heartbeatMs } from "../../../src/broker/channel/server-record.js";
import { publishLimitMs, temporaryLifeMs } from "../../../src/broker/files/publish.js";

test("the times that other programs rely on are those of the format", () => {
  expect({ heartbeatMs, heartbeatLimitMs, receiptLifeMs, publishLimitMs, temporaryLifeMs }).toEqual({
    heartbeatMs: 5_000,
    heartbeatLimitMs: 20_000,
    receiptLifeMs: 600_000,
    publishLimitMs: 10_000,
    temporaryLifeMs: 60_000,
  });
});

test("no sweeper races a writer: a publish gives up long before its temporary may be swept", () => {
  expect(publishLimitMs * 2).toBeLessThan(temporaryLifeMs);
});
