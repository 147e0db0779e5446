/**
 * Appends to the audit log of a home, as fast as the disk takes it, and reports each record that is durable.
 *   WISP_TEST_RECORDS: how many
 *   WISP_TEST_ROTATE: put aside after so many bytes, and keep one; 0 for never
 *   WISP_TEST_AT: begins at this time, so that several begin at once
 *   WISP_TEST_SERVE: "1" to be told over IPC in which home, how many, and which step fails there, again and again
 */
const door = await import(String(process.env.WISP_TEST_DOOR));
const { ensureHome, homeAt, livenessOf, openAuditLog, ownIdentity, rootSecretOf, systemClock } = door;

const rotateBytes = Number(process.env.WISP_TEST_ROTATE ?? "0");

/**
 * @param {string} path
 * @param {number} count
 * @param {(index: number) => void} report
 */
async function append(path, count, report) {
  const home = homeAt(path, false);
  const place = { path: home.path, ensureHome: () => ensureHome(home, systemClock), clock: systemClock };
  const audit = openAuditLog({
    home: place.ensureHome,
    clock: systemClock,
    session: "auditor",
    keys: rootSecretOf(place),
    identity: ownIdentity,
    liveness: livenessOf,
    rotation: rotateBytes === 0 ? null : () => ({ rotateBytes, keep: 1 }),
    headDelayMs: 5,
  });
  /** @type {unknown[]} */
  const faults = [];
  for (let index = 0; index < count; index += 1) {
    const details = { process: process.pid, index };
    try {
      await audit.append([{ kind: "approval.decided", call: "abcdefgh", details }], "durable");
      report(index);
    } catch (error) {
      faults.push(/** @type {{ code?: string }} */ (error).code ?? String(error));
    }
  }
  await audit.close();
  return faults;
}

if (process.env.WISP_TEST_SERVE === "1") {
  process.on("message", async (/** @type {any} */ { job, path, count, step }) => {
    if (step !== null) /** @type {any} */ (globalThis).wispFaultAt(path, step);
    /** @type {number[]} */
    const durable = [];
    const faults = await append(path, count, (index) => durable.push(index));
    process.send?.({ [job]: { durable, faults } });
  });
  process.on("disconnect", () => process.exit(0));
} else {
  while (Date.now() < Number(process.env.WISP_TEST_AT ?? "0"));
  process.send?.({ begins: true });
  const count = Number(process.env.WISP_TEST_RECORDS ?? "1");
  const faults = await append(String(process.env.WISP_TEST_HOME), count, (durable) =>
    process.send?.({ durable }),
  );
  process.send?.({ faults }, () => process.disconnect?.());
}
