/** Notices that write down what they hear, and say of each banner what a test wants. */
import type { BannerWord, HowItWaits, NoticeEnd, Notices } from "../../src/broker/approval/notices.js";

export class HeardNotices implements Notices {
  readonly delaySeconds = 10;
  /** In order. */
  readonly heard: string[] = [];
  readonly waiting = new Map<string, HowItWaits>();
  word: BannerWord = "posted";

  waits({ id }: { readonly id: string }, how: HowItWaits): void {
    this.waiting.set(id, how);
    this.heard.push(`${id} waits`);
  }

  dialogEnded(id: string): void {
    this.heard.push(`${id} has no dialog`);
  }

  settled(id: string): NoticeEnd {
    this.heard.push(`${id} is settled`);
    const before = this.waiting.get(id)?.toldMsAgo ?? null;
    return { word: this.word, toldMsAgo: this.word === "posted" ? 0 : before };
  }

  close(): void {
    this.heard.push("closed");
  }
}
