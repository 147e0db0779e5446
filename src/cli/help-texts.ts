/** What stands below the flags in the help of commands: details, exit codes, where to read on. */

/** Of `wisp mcp`. */
export const mcpDetails: string = `
  --hold SECONDS  hold a call so long before it returns pending; a little less
                  than the client's own limit. A question of ask_person is
                  held a minute at most, unless configured otherwise`;

/** Of `wisp gate`, in its first line. */
export const gateSynopsis: string = "[FLAGS] (--url URL | -- CMD ARG…)";

/** Of `wisp gate`. */
export const gateDetails: string = `
Put it before the command of an MCP server, where a client starts that:
  wisp gate -- npx -y @modelcontextprotocol/server-filesystem .
What only reads passes, where a preset knows the server (docs/gate.md), and so
does what your rules allow (docs/policy.md: mcp__NAME__TOOL). Every other call
of a tool asks you. All that is no call of a tool passes as it is (over HTTP it
is written anew).
  --name NAME     what rules call the server; without it the name of its preset
                  or its package; an address has none, but that of a preset
  --preset NAME   what is known of a server, where its command does not tell
  --read-only     let through only what is proven to change nothing
  --url URL       a server over Streamable HTTP
  --bearer-env NAME, --bearer-file FILE
                  with --url: where the token for it is kept; never the token
  --hold SECONDS  hold a call so long for an answer before it returns pending; a
                  little less than the client's own limit
It ends with its client, and with its server, whose exit code is its own;
127 where that could not be started.`;

/** Of `wisp completion`. */
export const completionDetails: string = `
Load it in the file that your shell starts with:
  bash   source <(wisp completion bash)
  zsh    source <(wisp completion zsh)      after compinit
  fish   wisp completion fish | source
What you typed is never run by it.`;

/** Of `wisp accept`. */
export const acceptDetails: string = `
What makes more calls ask counts as soon as it stands in policy.json,
remembered.json or config.json; what lets more through counts once you accept
it here. It shows every change, a page at a time, and asks for a typed word. An
agent's shell can do neither. Exit codes: 7 not confirmed, 6 a file changed
meanwhile, 10 within an agent, 78 a file cannot be used, or more than 200
changes that loosen wait at once.`;

/** Of `wisp` itself. */
export const afterHelp: string = `
Environment:
  WISP_HOME             another home than ~/.wisp
  WISP_ELICITATION=off  the server leaves the client's own dialog alone
  WISP_LOG=debug        say more about what went wrong
  NO_COLOR              no colours
  FORCE_COLOR           colours also where TERM=dumb; not in wisp tui

Exit codes: wisp approvals --help`;

/** Of `wisp approvals`, to which others point. */
export const exitCodes: string = `
Exit codes:
  0 done    1 unexpected    2 usage    3 nothing such waits    4 not a terminal
  5 answered first elsewhere, or ended already    6 the request was changed
  7 denied, dropped, declined, timed out, abandoned, not confirmed, or not
    answered
  8 channel unsafe, or the request failed
  9 its server is gone or stopped asking, or did not prove a yes
  10 not enough assurance    78 a file cannot be used
  128+n ended by signal n
  130 interrupted, but wisp tui is left by Ctrl-C with 0

An ending marked (unverified) may be true: nothing proves that the server that
asked wrote it, because its request is gone or its server died.`;

/** Of groups whose requests other verbs show as well. */
export const elsewhere: string = `
wisp approvals show ID and wait ID work for these as well.
Exit codes: wisp approvals --help`;
