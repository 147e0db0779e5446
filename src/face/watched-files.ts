/** What there is to say of the person's files, for a face that stays. */
import { expectWispError, type Home, shownText } from "../broker/index.js";
import type { NoticingSeat } from "./file-notices.js";
import { hasFileTraces } from "./file-traces.js";

/** Knows nothing before the first look. */
export interface WatchedFiles {
  /** Lines that are safe to print; the same list until one of them is another. */
  readonly lines: readonly string[];
  /** Looks once more. What judges the files is loaded with the first one that is there, so that is told a little later. */
  look(): void;
  close(): void;
}

/** `home` was judged; `onChange` hears of other lines. */
export function watchFiles(
  home: Home,
  { clock, environment, directory }: NoticingSeat,
  onChange: () => void,
): WatchedFiles {
  let lines: readonly string[] = [];
  let notices: (() => readonly string[]) | null = null;
  let isLoading = false;
  let isClosed = false;

  function read(): void {
    const now = notices === null ? [] : readable(notices);
    if (isClosed || now.join("\n") === lines.join("\n")) return;
    lines = now;
    onChange();
  }

  async function load(): Promise<void> {
    const { fileNotices } = await import("./file-notices.js");
    notices = fileNotices(home, { clock, environment, directory });
    read();
  }

  return {
    get lines() {
      return lines;
    },
    look() {
      if (notices !== null) read();
      else if (!isLoading && hasFileTraces(home, directory)) {
        isLoading = true;
        void load();
      }
    },
    close() {
      isClosed = true;
    },
  };
}

/** Where they cannot even be looked at, that is what there is to say. */
function readable(notices: () => readonly string[]): readonly string[] {
  try {
    return notices();
  } catch (error) {
    return [shownText(expectWispError(error).message)];
  }
}
