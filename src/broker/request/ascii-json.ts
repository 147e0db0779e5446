/**
 * JSON that is safe on a terminal: JSON itself lets C1 control characters, directional overrides and the like through.
 * As escapes they parse back to the same text.
 */
export function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(notAscii, escapeOf);
}

const notAscii = /[^\x20-\x7e]/g;

function escapeOf(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
