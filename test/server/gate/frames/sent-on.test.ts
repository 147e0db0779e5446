/** A server at an address that answers by sending a request on, and then is gone. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { openedUpstream } from "../../../support/http-upstreams.js";
import { pingUnder } from "../../../support/routing.js";

test("a request that the server has sent on to where nobody listens may have run", async () => {
  const server = createServer((_incoming, response) => {
    // Nothing connects any more once this arrives.
    server.close();
    response.writeHead(307, { location: "/next", connection: "close" }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const opened = openedUpstream(new URL(`http://127.0.0.1:${port}/mcp`));
  opened.sends(pingUnder(1));
  await expect
    .poll(() => opened.lost, { timeout: 10_000 })
    .toEqual([[1, expect.stringContaining("ECONNREFUSED")]]);
  expect(opened.unsent).toEqual([]);
  // Under an id that was used before nothing is held against what never got there.
  opened.sends(pingUnder(1));
  await expect.poll(() => opened.unsent, { timeout: 10_000 }).toEqual([1]);
});
