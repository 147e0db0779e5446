/** The least that can stand between a client and a server: bytes from one pipe to the next, both ways, unread. */
import { spawn } from "node:child_process";

const [program = "", ...words] = process.argv.slice(2);
const child = spawn(program, words, { stdio: ["pipe", "pipe", "inherit"] });
process.stdin.pipe(child.stdin);
child.stdout.pipe(process.stdout);
child.on("exit", (code) => process.exit(code ?? 1));
