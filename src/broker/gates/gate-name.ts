/** What a gate may be called: rules say `mcp__NAME__TOOL`. */

/** Lower-case letters, digits and dashes, at most 32, and no dash in front. */
export function isGateName(name: string): boolean {
  return /^[a-z0-9][a-z0-9-]{0,31}$/.test(name);
}
