/** What the file says of clients, against what was accepted of them: each word of each client by itself. */
import type { ChangeEffect } from "../files/proposal.js";
import type { ClientSettings, Clients } from "./settings.js";

/** What `file` does in the place of `accepted`. `same` where it says in other words what was accepted. */
export function effectOnClients(accepted: Clients, file: Clients): ChangeEffect | "same" {
  const effects = namesIn(accepted, file).map((name) => effectOnOne(of(accepted, name), of(file, name)));
  return (["looser", "unclear", "tighter"] as const).find((effect) => effects.includes(effect)) ?? "same";
}

/** What was accepted, with all that `file` says stricter; how long calls are held is as in the file. */
export function tightened(accepted: Clients, file: Clients): Clients {
  const clients = namesIn(accepted, file).map((name): readonly [string, ClientSettings] => {
    const [before, after] = [of(accepted, name), of(file, name)];
    const { dialog, shell, unseenDecline } = before;
    const one = {
      holdSeconds: after.holdSeconds,
      unseenDecline,
      dialog: dialogRank(after) > dialogRank(before) ? after.dialog : dialog,
      shell: shellRank(after) > shellRank(before) ? after.shell : shell,
    };
    return [name, Object.fromEntries(Object.entries(one).filter(([, value]) => value !== undefined))];
  });
  return Object.fromEntries(
    clients.filter(([name, one]) => Object.hasOwn(accepted, name) || Object.keys(one).length > 0),
  );
}

function effectOnOne(before: ClientSettings, after: ClientSettings): ChangeEffect | "same" {
  const isLooser = dialogRank(after) < dialogRank(before) || shellRank(after) < shellRank(before);
  if (isLooser) return "looser";
  if (before.unseenDecline !== after.unseenDecline) return "unclear";
  const isTighter = dialogRank(after) > dialogRank(before) || shellRank(after) > shellRank(before);
  return isTighter || before.holdSeconds !== after.holdSeconds ? "tighter" : "same";
}

/** The stricter the higher: whether its dialog may be raised. */
function dialogRank({ dialog = true }: ClientSettings): number {
  return dialog ? 0 : 1;
}

/** Whether a terminal below it proves nothing; where nothing is said it depends on what is known of the client. */
function shellRank({ shell }: ClientSettings): number {
  if (shell === undefined) return 1;
  return shell ? 2 : 0;
}

function namesIn(accepted: Clients, file: Clients): readonly string[] {
  return [...new Set([...Object.keys(accepted), ...Object.keys(file)])];
}

/** A client chooses its name: one like "toString" must not find what every object inherits. */
function of(clients: Clients, name: string): ClientSettings {
  return new Map(Object.entries(clients)).get(name) ?? {};
}
