/** Fetching with a limit on what is kept of an answer: a server must not fill our memory. */

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** Breaks an answer off that is longer than `most` bytes, or, where it is a stream of events, has a longer event. */
export function limitedFetch(most: number): Fetch {
  return async (url, init) => {
    const response = await fetch(url, init);
    if (response.body === null) return response;
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(limit(most, isStream)), { status, statusText, headers });
  };
}

function limit(most: number, isStream: boolean): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  /** Of the line that has begun. */
  let inLine = 0;
  let before = 0;

  /** An empty line ends an event; lines end with LF, CR or both. */
  function count(byte: number): void {
    bytes += 1;
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
    transform(chunk, controller) {
      if (isStream) for (const byte of chunk) count(byte);
      else bytes += chunk.length;
      if (bytes > most) controller.error(new RangeError("The answer is too long."));
      else controller.enqueue(chunk);
    },
  });
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
