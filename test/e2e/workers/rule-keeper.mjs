/**
 * A process that remembers, takes back or clears away rules. With WISP_TEST_DO it does that one thing at once and reports what
 * came of it; else it is told over IPC what to do and when.
 */
const door = await import(String(process.env.WISP_TEST_DOOR));
const { ensureHome, homeAt, livenessOf, openRememberedRules, ownIdentity, rootSecretOf, systemClock } = door;

const home = homeAt(process.env.WISP_TEST_HOME, false);
const place = { path: home.path, ensureHome: () => ensureHome(home, systemClock), clock: systemClock };
const own = ownIdentity();
const rules = openRememberedRules({
  ...place,
  keys: rootSecretOf(place),
  own,
  liveness: (/** @type {any} */ one) => livenessOf(one, own),
});

/** @param {any} what */
async function run({ verb, rule, id }) {
  switch (verb) {
    case "remember":
      return (await rules.remember(rule)).id;
    case "revoke":
      return await rules.revoke(id);
    default:
      return await rules.expire();
  }
}

const once = process.env.WISP_TEST_DO;
if (once === undefined) {
  process.on("message", async (/** @type {any} */ { round, at, ...what }) => {
    while (Date.now() < at);
    process.send?.({ [`round ${round}`]: await run(what) });
  });
  process.on("disconnect", () => process.exit(0));
  process.send?.({ ready: true });
} else {
  process.send?.({ done: await run(JSON.parse(once)) });
  process.disconnect?.();
}
