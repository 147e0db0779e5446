/** Which addresses a gate speaks to, and how it says there who it is. */
import { unescape as unquoted } from "node:querystring";

/** What speaks against `url`, in words that follow "--url"; null where nothing does. */
export function addressObjection(url: URL): string | null {
  switch (url.protocol) {
    case "https:":
      return null;
    case "http:":
      // Whoever is on the way could exchange what was approved, and the answer.
      return isLoopback(url.hostname)
        ? null
        : "takes an http address only on this machine; use https for another one";
    default:
      return "takes an https or http address";
  }
}

/** `hostname` as the parser of addresses writes it: whatever way an address of IPv4 was written, it is four numbers now. */
function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

/** `url` to be fetched: one with a name and a password in it cannot be. */
export function withoutCredentials(url: URL): URL {
  const bare = new URL(url);
  bare.username = "";
  bare.password = "";
  return bare;
}

/** How a gate says at `url` who it is, as a header: by the token, else by name and password of the address; nothing for neither. */
export function authorizationFor({ username, password }: URL, bearer: string | null): Record<string, string> {
  if (bearer !== null) return { authorization: `Bearer ${bearer}` };
  if (username === "" && password === "") return {};
  const words = `${unquoted(username)}:${unquoted(password)}`;
  return { authorization: `Basic ${Buffer.from(words).toString("base64")}` };
}
