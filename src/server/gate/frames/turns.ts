/**
 * The order in which a client's messages go on. Invariant: nothing goes on before what was written before it, but what has
 * stepped aside: a call that waits for a person holds nobody up.
 */

/** The place of one call in it. */
export interface Turn {
  /** Resolves when nothing before it is left, or it is over; null where that is so now. */
  ready(): Promise<void> | null;
  /** What is behind it waits for it no more: it went on, stepped aside, or never will. Nothing happens a second time. */
  over(): void;
}

/** Of one connection. Of what takes a place it is told how many bytes are kept for it. */
export interface Turns {
  /** The next place. Whoever takes it says when it is over. */
  take(bytes: number): Turn;
  /** Calls `send` when nothing before it is left: now, where that is so. */
  run(send: () => void, bytes: number): void;
}

interface Place {
  /** Null for a call, which says itself when it is over. */
  readonly send: (() => void) | null;
  readonly bytes: number;
  isOver: boolean;
  wake: () => void;
}

/** Nothing is before the first. `onWaiting` hears how many bytes have not had their turn, each time that is another number. */
export function createTurns(onWaiting: (bytes: number) => void): Turns {
  const places: Place[] = [];
  let waiting = 0;
  let isAdvancing = false;

  function enter(place: Place): void {
    places.push(place);
    waiting += place.bytes;
    onWaiting(waiting);
  }

  function leave(place: Place): void {
    place.isOver = true;
    waiting -= place.bytes;
    onWaiting(waiting);
  }

  function advance(): void {
    // A message that is sent may end others: they are seen by the loop that sent it.
    if (isAdvancing) return;
    isAdvancing = true;
    for (let [first] = places; first !== undefined; [first] = places) {
      if (!first.isOver && first.send === null) break;
      places.shift();
      if (first.send === null) continue;
      leave(first);
      first.send();
    }
    isAdvancing = false;
    places[0]?.wake();
  }

  return {
    take(bytes) {
      const place: Place = { send: null, bytes, isOver: false, wake: () => undefined };
      enter(place);
      return {
        ready() {
          if (place.isOver || places[0] === place) return null;
          return new Promise((resolve) => {
            place.wake = resolve;
          });
        },
        over() {
          if (place.isOver) return;
          leave(place);
          place.wake();
          advance();
        },
      };
    },
    run(send, bytes) {
      if (places.length === 0 && !isAdvancing) return send();
      enter({ send, bytes, isOver: false, wake: () => undefined });
      advance();
    },
  };
}
