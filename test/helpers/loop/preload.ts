import { writeSync } from "node:fs";
import { blockedMessage } from "./blocked.ts";
import { watchLoop } from "./watch-loop.ts";

// Loaded before a coordinator's program (node --import): says on standard error when its loop is kept from others, from
// the first request on. Before that, programs are loaded and the database is opened.
watchLoop(
  (words) => void writeSync(2, `${JSON.stringify({ level: "error", message: blockedMessage, work: words })}\n`),
  (heard) => heard === "HTTPINCOMINGMESSAGE",
  5000, // more would cost every waiting coordinator a twentieth of a processor
);

// A test file that runs out of time ends without its programs: they end with it.
const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) process.exit(1);
}, 1000).unref();
