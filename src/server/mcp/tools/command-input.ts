/** What `run_command` takes. Sizes are in UTF-8 bytes, text limits in characters. */
import { isAbsolute } from "node:path";
import * as z from "zod";
import { sizedInput, textInput } from "../input.js";

const longestWord = 64 * 1024;
const longestCommand = 128 * 1024;
/** The longest path that Linux takes. */
const longestPath = 4_096;
const longestRunSeconds = 3_600;

/** Exactly one of `argv` and `line`; a field that is not listed refuses the call. */
export const commandInput = z
  .strictObject({
    argv: z
      .array(sizedInput(longestWord))
      .min(1)
      .optional()
      .describe("The program and its arguments, run without a shell. Preferred."),
    line: sizedInput(longestWord)
      .refine((line) => line.trim() !== "", "must not be blank")
      .optional()
      .describe("A line for bash, when a shell is needed (pipes, redirections). Give either argv or line."),
    directory: sizedInput(longestPath)
      .refine(isAbsolute, "must be an absolute path")
      .optional()
      .describe("Where it runs: an absolute path. Default: the directory the server was started in."),
    says: textInput(500)
      .optional()
      .describe("Why you want to run it, in one sentence, for the person who is asked."),
    thread: textInput(64).optional().describe("A short label for the task this belongs to."),
    timeoutSeconds: z
      .int()
      .min(1)
      .max(longestRunSeconds)
      .default(120)
      .describe("How long the command may run. It never shortens the wait for the person."),
  })
  .superRefine(({ argv, line }, check) => {
    if ((argv === undefined) === (line === undefined)) {
      check.addIssue({ code: "custom", message: "give exactly one of argv and line" });
    }
    if (argv?.[0] === "") {
      check.addIssue({ code: "custom", path: ["argv", 0], message: "must name a program" });
    }
    // Each with its end, as the system counts them: empty words are not for nothing.
    const bytes = (argv ?? []).reduce((sum, word) => sum + Buffer.byteLength(word, "utf8") + 1, 0);
    if (bytes > longestCommand) {
      check.addIssue({ code: "custom", path: ["argv"], message: `at most ${longestCommand} bytes in all` });
    }
  });

/** Arguments that were checked, with defaults where the client left something out. */
export type CommandInput = z.infer<typeof commandInput>;
