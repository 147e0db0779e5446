/** Programs that type for an agent: each opens a terminal of its own and waits there for what is asked. */

/** Opens a terminal, waits for the second word in it, types the first and ends as the rest of the words did. */
const typist = `
import os, pty, sys
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(sys.argv[3], sys.argv[3:])
seen, is_typed = b"", False
while True:
    try:
        data = os.read(terminal, 65536)
    except OSError:
        break
    os.write(1, data)
    seen += data
    if not is_typed and sys.argv[2].encode() in seen:
        os.write(terminal, sys.argv[1].encode() + b"\\n")
        is_typed = True
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
`;

/** The same for expect. */
const expecting = `
set timeout -1
spawn -noecho {*}[lrange $argv 2 end]
expect -ex [lindex $argv 1]
send -- "[lindex $argv 0]\\r"
expect eof
exit [lindex [wait] 3]
`;

/** What expect does is done by python as well, because expect is not everywhere. */
export const typists = [
  ["python3", typist],
  ["expect", expecting],
] as const;
