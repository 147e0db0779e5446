/** A client's dialog that answers when a test says so. */
import type { Askable, Dialog, DialogAnswer } from "../../src/broker/approval/dialog.js";
import type { ApprovalRequest } from "../../src/broker/request/request.js";

export class FakeDialog<Asked extends Askable = ApprovalRequest> implements Dialog<Asked> {
  unseenDecline: Dialog["unseenDecline"] = "decline";
  /** What it was asked to show. */
  readonly shown: Asked[] = [];
  /** Called when the dialog is withdrawn, with the reason given. */
  onWithdrawn: (reason: unknown) => void = () => {};
  isWithdrawn = false;
  readonly #ignoresWithdrawal: boolean;
  #resolve: (answer: DialogAnswer) => void = () => {};
  #reject: (error: unknown) => void = () => {};

  /** One that ignores its withdrawal stays open, as some clients' do. */
  constructor({ ignoresWithdrawal = false } = {}) {
    this.#ignoresWithdrawal = ignoresWithdrawal;
  }

  ask(request: Asked, signal: AbortSignal): Promise<DialogAnswer> {
    this.shown.push(request);
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      signal.addEventListener("abort", () => {
        this.isWithdrawn = true;
        this.onWithdrawn(signal.reason);
        if (!this.#ignoresWithdrawal) resolve({ kind: "dismissed" });
      });
    });
  }

  answer(answer: DialogAnswer): void {
    this.#resolve(answer);
  }

  /** Breaks the dialog's promise never to reject. */
  break(error: unknown): void {
    this.#reject(error);
  }
}
