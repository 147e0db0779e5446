/** What a server clears away of remembered rules behind its first ask, and what the log says of it. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { FakeClock } from "../../support/fake-clock.js";
import { connectInMemory, printing, waitingProgress } from "../../support/mcp-server.js";
import { dayMs, ruleDraft } from "../../support/remembered.js";
import { RememberedHome } from "../../support/remembered-home.js";

const rule = "Bash(printf %s once)";

test("the first ask clears what is over and the seals of what was taken out by hand, after it was filed; a later look changes nothing", async () => {
  const clock = new FakeClock();
  const server = await connectInMemory({}, { clock });
  const home = new RememberedHome(server.home);
  const keep = (overrides: Parameters<typeof ruleDraft>[1]) =>
    home.open(clock).remember(ruleDraft(clock.now(), { rule, ...overrides }));
  const stays = await keep({ rule: "Bash(ls)" });
  const over = await keep({ createdAt: clock.now() - 40 * dayMs, expiresAt: clock.now() - 1 });
  const removed = await keep({ directory: server.work });
  home.edit((rules) => rules.filter(({ id }) => id !== removed.id));
  server.client.call("run_command", printing, { progressToken: "p" });
  await waitingProgress(server.client);
  const before = readFileSync(home.seal, "utf8");
  expect(before).toContain(removed.id);
  clock.advance(0);
  const revoked = () => server.face.audit().filter(({ kind }) => kind === "rule.revoked");
  await expect.poll(() => revoked().length).toBe(2);
  expect(revoked().map(({ call, details }) => [call, details])).toEqual([
    [over.request, { rule: over.id, text: rule, why: "expired" }],
    [removed.request, { rule: removed.id, text: rule, why: "removed" }],
  ]);
  const after = readFileSync(home.seal, "utf8");
  for (const { id } of [over, removed])
    expect([after.includes(id), home.text().includes(id)]).toEqual([false, false]);
  // Put back, it is a rule that somebody wrote.
  home.edit((rules) => [...rules, removed]);
  expect(home.open(clock).list()).toMatchObject({ rules: [stays], unaccepted: [rule] });
  clock.advance(600_000);
  server.client.call("run_command", { argv: ["true"] }, { progressToken: "q" });
  await waitingProgress(server.client, "q");
  clock.advance(0);
  await expect.poll(() => home.open(clock).list().rules).toEqual([stays]);
  expect(revoked()).toHaveLength(2);
});
