/** A notifier that keeps what it was told, and can fail, or take its time until it is released. */
import type { Banner, BannerReceipt, Notifier } from "../../src/broker/notify/notifier.js";
import { receiptOf, shownBanner, skippedRoute } from "../../src/broker/notify/shown-banner.js";
import type { Clock } from "../../src/broker/system/clock.js";

export class FakeNotifier implements Notifier {
  /** What was posted, as it was shown, in order. */
  readonly shown: Banner[] = [];
  /** Why nothing can be posted; null while it can. */
  fault: string | null = null;
  /** Posts wait until `release`, or until they are given up. */
  isHolding = false;
  #held: (() => void)[] = [];
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async post(banner: Banner, signal: AbortSignal): Promise<BannerReceipt> {
    const shown = shownBanner(banner);
    if (this.isHolding && !signal.aborted) await this.#released(signal);
    const why = signal.aborted ? "cancelled" : this.fault;
    if (why !== null) {
      const how = { outcome: "failed", route: null, skipped: [skippedRoute("fake", why)] } as const;
      return receiptOf(shown, how, this.#clock.now());
    }
    this.shown.push(shown);
    return receiptOf(shown, { outcome: "posted", route: "fake", skipped: [] }, this.#clock.now());
  }

  release(): void {
    this.isHolding = false;
    const held = this.#held;
    this.#held = [];
    for (const go of held) go();
  }

  #released(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      this.#held.push(resolve);
      signal.addEventListener("abort", () => resolve());
    });
  }
}
