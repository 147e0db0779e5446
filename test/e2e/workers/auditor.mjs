/**
 * Appends to the audit log of a home, as fast as the disk takes it, and reports each record that is durable.
 *   WISP_TEST_RECORDS: how many
 *   WISP_TEST_ROTATE: put aside after so many bytes; 0 for never
 *   WISP_TEST_AT: begins at this time, so that several begin at once
 */
const door = await import(String(process.env.WISP_TEST_DOOR));
const { ensureHome, homeAt, livenessOf, openAuditLog, ownIdentity, rootSecretOf, systemClock } = door;

const home = homeAt(process.env.WISP_TEST_HOME, false);
const place = { path: home.path, ensureHome: () => ensureHome(home, systemClock), clock: systemClock };
const rotateBytes = Number(process.env.WISP_TEST_ROTATE ?? "0");
const audit = openAuditLog({
  home: place.ensureHome,
  clock: systemClock,
  session: "auditor",
  keys: rootSecretOf(place),
  identity: ownIdentity,
  liveness: livenessOf,
  rotation: rotateBytes === 0 ? null : () => ({ rotateBytes, keep: 3 }),
  headDelayMs: 5,
});
const count = Number(process.env.WISP_TEST_RECORDS ?? "1");
while (Date.now() < Number(process.env.WISP_TEST_AT ?? "0"));
/** @type {unknown[]} */
const faults = [];
for (let index = 0; index < count; index += 1) {
  const details = { process: process.pid, index };
  try {
    await audit.append([{ kind: "approval.decided", call: "abcdefgh", details }], "durable");
    process.send?.({ durable: index });
  } catch (error) {
    faults.push(/** @type {{ code?: string }} */ (error).code ?? String(error));
  }
}
await audit.close();
process.send?.({ faults }, () => process.disconnect?.());
