/** What judges calls, and tells whoever looks at what the server says where a file of rules is not what it seems. */
import { type Judged, type Policy, shownText, type Verdict } from "../../broker/index.js";

/** More different ones at once are no news: then each is said anew. */
const mostSaid = 1_000;

/**
 * Says each notice of a verdict once, safe to show; and again after a call in the same directory was judged without it.
 * `accept` is the command that accepts what waits in this home, not yet safe to show: the verdicts name it, too, because
 * a person may read them in another terminal.
 */
export function sayingPolicy(policy: Policy, accept: string, say: (line: string) => void): Policy {
  /** The directory in which it was found. */
  const said = new Map<string, string | null>();

  const named = (notice: string): string => notice.replace(/\bwisp accept$/, () => accept);

  function tell(notices: Verdict["notices"], directory: Judged["directory"]): void {
    for (const [notice, where] of said) {
      if (where === directory && !notices.includes(notice)) said.delete(notice);
    }
    if (said.size > mostSaid) said.clear();
    for (const notice of notices) {
      if (!said.has(notice)) say(shownText(named(notice)));
      said.set(notice, directory);
    }
  }

  return {
    judge(judged, settings) {
      const verdict = policy.judge(judged, settings);
      if (verdict.notices.length === 0 && said.size === 0) return verdict;
      // What the configuration adds is said where it is read.
      const known = [...settings.notices, settings.onceBecause];
      tell(
        verdict.notices.filter((one) => !known.includes(one)),
        judged.directory,
      );
      return { ...verdict, notices: verdict.notices.map(named) };
    },
    standing: () => policy.standing(),
  };
}
