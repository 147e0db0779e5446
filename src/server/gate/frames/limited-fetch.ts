/** Fetching with limits on what is kept of an answer: a server must not fill our memory. */

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** Whether what comes is taken for now. */
export interface Flow {
  pause(): void;
  resume(): void;
  /** Resolves once it is taken again; null where it is. */
  taken(): Promise<void> | null;
}

/** One in which all is taken. */
export function createFlow(): Flow {
  let waiting: Promise<void> | null = null;
  let resolve: () => void = () => undefined;
  return {
    pause() {
      waiting ??= new Promise((done) => {
        resolve = done;
      });
    },
    resume() {
      waiting = null;
      resolve();
    },
    taken: () => waiting,
  };
}

/** Lets answers come as `flow` says. Breaks an answer off that is longer than `most` bytes, or, where it is a stream of events, has a longer event. */
export function limitedFetch(most: number, flow: Flow): Fetch {
  return async (url, init) => {
    const response = await fetch(url, init);
    if (response.body === null) return response;
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(limit(most, isStream, flow)), {
      status,
      statusText,
      headers,
    });
  };
}

function limit(most: number, isStream: boolean, flow: Flow): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  let isTooLong = false;
  /** Of the line that has begun. */
  let inLine = 0;
  let before = 0;

  /** An empty line ends an event; lines end with LF, CR or both. */
  function count(byte: number): void {
    bytes += 1;
    isTooLong ||= bytes > most;
    const isEnd = byte === lineFeed || byte === carriageReturn;
    const isSecondHalf = byte === lineFeed && before === carriageReturn;
    before = byte;
    if (!isEnd) inLine += 1;
    else if (!isSecondHalf) {
      if (inLine === 0) bytes = 0;
      inLine = 0;
    }
  }

  return new TransformStream({
    async transform(chunk, controller) {
      await flow.taken();
      if (isStream) for (const byte of chunk) count(byte);
      else {
        bytes += chunk.length;
        isTooLong = bytes > most;
      }
      if (isTooLong) controller.error(new RangeError("The answer is too long."));
      else controller.enqueue(chunk);
    },
  });
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
