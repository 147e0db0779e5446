/**
 * Tests never put a banner on the desktop of whoever runs them. Programs that post are looked for in PATH, in this order
 * on every system, and the first that takes a banner ends the search: so stand-ins come first there, for this process
 * and for all that it starts.
 */
import { delimiter } from "node:path";
import { fileURLToPath } from "node:url";

/** Where the stand-ins lie. */
export const standIns: string = fileURLToPath(new URL("./no-banners", import.meta.url));

const { PATH = "" } = process.env;
if (PATH.split(delimiter)[0] !== standIns) process.env.PATH = [standIns, PATH].join(delimiter);
