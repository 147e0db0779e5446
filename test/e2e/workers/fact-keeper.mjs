/** A process that keeps and forgets facts, told over IPC what and when. Reports whether it was the one that did. */
const door = await import(String(process.env.WISP_TEST_DOOR));
const { ensureHome, homeAt, openFactStore, rootSecretOf, systemClock } = door;

const home = homeAt(process.env.WISP_TEST_HOME, false);
const place = { path: home.path, ensureHome: () => ensureHome(home, systemClock), clock: systemClock };
const facts = openFactStore({ ...place, keys: rootSecretOf(place) });

process.on("message", async (/** @type {any} */ { round, verb, fact, at }) => {
  while (Date.now() < at);
  const did = verb === "keep" ? await facts.keep(fact) : await facts.forget(fact.id);
  process.send?.({ [`round ${round}`]: did });
});
process.on("disconnect", () => process.exit(0));
process.send?.({ ready: true });
