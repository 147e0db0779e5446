import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { notesServer } from "./notes.mjs";

serveStdio(() => notesServer());
