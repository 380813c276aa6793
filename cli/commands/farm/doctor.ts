import { resolve } from "node:path";
import { nothing, type ParsedCommand } from "../../command/command.ts";
import { textFlag } from "../../terminal/flags.ts";

/** A look at everything that a farm on this machine needs. */
export const doctor: ParsedCommand = {
  details:
    "It looks at this program, ffmpeg, the data folder, clocks, the running farm, its nodes, what they reach, and its backups, and changes nothing. Lines with ! work now but need attention; lines with ✕ do not work. With --json it prints one document with all of it.",
  flags: {
    bundle: {
      type: "string",
      value: "FILE",
      offers: "files",
      help: "Also write the findings and the nodes into a new JSON file for a bug report. No secrets and no jobs are in it; look through it before you send it.",
    },
  },
  examples: [
    ["mediafarm doctor", "says what is wrong, and what to do about it"],
    ["mediafarm doctor --bundle report.json", "also writes a file that can be attached to a bug report"],
  ],
  exits: ["1 also means: something does not work"],
  check: nothing("doctor"),
  // Loaded only here: it knows the agent's tools and the store.
  run: async (call) => {
    const { visit } = await import("../../doctor/visit.ts");
    const bundle = textFlag(call.values, "bundle");
    return visit(call, bundle === undefined ? undefined : resolve(bundle));
  },
};
