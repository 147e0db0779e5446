/** Whether a client is still at the other end of what nobody reads. */
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { clientLook, isHungUp } from "../../../src/server/gate/client-there.js";

/** A pair of sockets, and the number of the one that is not read from. */
async function pair() {
  const directory = mkdtempSync(join(tmpdir(), "wisp-"));
  const path = join(directory, "s");
  const server = createServer().listen(path);
  await once(server, "listening");
  const near = connect(path).pause();
  const [far] = (await once(server, "connection")) as [Socket];
  near.on("error", () => undefined);
  onTestFinished(() => {
    for (const socket of [near, far]) socket.destroy();
    server.close();
    rmSync(directory, { recursive: true });
  });
  const { fd } = (near as unknown as { readonly _handle: { readonly fd: number } })._handle;
  return { far, fd };
}

test("a socket whose other end is closed is hung up, also with unread bytes before that", async () => {
  const { far, fd } = await pair();
  far.write("unread");
  expect([isHungUp(fd), clientLook(fd)()]).toEqual([false, true]);
  far.destroy();
  await expect.poll(() => isHungUp(fd)).toBe(true);
  expect(clientLook(fd)()).toBe(false);
});

test("what is no socket is never hung up", () => {
  const directory = mkdtempSync(join(tmpdir(), "wisp-"));
  writeFileSync(join(directory, "f"), "text");
  const file = openSync(join(directory, "f"), "r");
  onTestFinished(() => {
    closeSync(file);
    rmSync(directory, { recursive: true });
  });
  expect([isHungUp(file), clientLook(file)()]).toEqual([false, true]);
});
