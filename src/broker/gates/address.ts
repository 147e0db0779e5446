/** Addresses of servers that a gate can stand in front of. */

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

/** `url` to be fetched, or shown: one with a name and a password in it cannot be. */
export function withoutCredentials(url: URL): URL {
  const bare = new URL(url);
  bare.username = "";
  bare.password = "";
  return bare;
}
