/** Which scripts of sed may run programs or write files: all but those that are plainly edits of text. */

/** The scripts among `words` from `start` on that may, each with its place. */
export function scriptsThatRun(
  words: readonly string[],
  start: number,
): readonly (readonly [number, string])[] {
  const scripts: (readonly [number, string])[] = [];
  let isNext = false;
  let hasExpression = false;
  let operand: readonly [number, string] | null = null;
  for (const [index, word] of words.entries()) {
    if (index < start) continue;
    if (isNext) {
      scripts.push([index, word]);
      isNext = false;
    } else if (/^--e/.test(word)) {
      hasExpression = true;
      if (word.includes("=")) scripts.push([index, word.slice(word.indexOf("=") + 1)]);
      else isNext = true;
    } else if (/^-[^-]/.test(word)) {
      const at = word.indexOf("e");
      if (at === -1) continue;
      // Behind `i` it may be the ending of a copy.
      hasExpression ||= /^-[nErsuz]*e/.test(word);
      if (at + 1 < word.length) scripts.push([index, word.slice(at + 1)]);
      else isNext = true;
    } else if (!word.startsWith("--")) operand ??= [index, word];
  }
  if (!hasExpression && operand !== null) scripts.push(operand);
  return scripts.filter(([, text]) => text.length > longestScript || !plainScript.test(text));
}

const longestScript = 1_000;

const address = String.raw`(?:\d+(?:~\d+)?|\$|/(?:[^/\\\n\ud800]|\\[^\n])*/I?)`;
const editing = ["/", "|", ",", "#", ":", "@"]
  .map((mark) => {
    const text = String.raw`(?:[^${mark}\\\n\ud800]|\\[^\n])*`;
    return `${mark === "|" ? "\\|" : mark}${text}${mark === "|" ? "\\|" : mark}${text}${mark === "|" ? "\\|" : mark}`;
  })
  .join("|");
const command = `(?:${address}(?:,[+~]?${address})?)?!?(?:[pPdDqQgGhHxnNlz=]|s(?:${editing})[gpiIM0-9]*)`;
const plainScript = new RegExp(`^ *${command}(?: *; *${command})*$`);
