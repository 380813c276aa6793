import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { restoreBackup } from "../../../coordinator/backup/backup.ts";
import { exactly, type ParsedCommand } from "../../command/command.ts";
import { textFlag } from "../../terminal/flags.ts";
import { describe } from "./backup.ts";

/** From a backup to a data folder. */
export const restore: ParsedCommand = {
  details:
    "The backup is checked first. The folder must not hold a farm yet. Jobs that were unfinished when the backup was taken run again; files that were published since then stay. If the old farm still exists, do not start both: their nodes would change sides. Everybody signs in again. What was revoked since the backup was taken, such as API users, nodes and join tokens, is valid again: revoke it once more.",
  flags: {
    data: {
      type: "string",
      value: "DIR",
      offers: "folders",
      help: "The data folder to make.",
      default: "~/.mediafarm",
    },
  },
  offers: "files",
  examples: [
    ["mediafarm restore /srv/backups/farm.backup --data ~/restored", "makes the folder; start it with mediafarm up"],
    ["mediafarm restore farm.backup", "restores the usual farm of this user, on a new machine"],
  ],
  check: exactly(1, "restore", "one file"),
  run: async ({ positionals, values, output }) => {
    const dataDir = resolve(textFlag(values, "data") ?? join(homedir(), ".mediafarm"));
    const restored = restoreBackup(resolve(positionals[0] ?? ""), join(dataDir, "coordinator"));
    output.answer(
      { data: dataDir, made: new Date(restored.made).toISOString(), jobs: restored.jobs },
      `${describe(restored)}\nRestored into ${dataDir}. Start it with: mediafarm up --data ${dataDir}\n`,
    );
    return 0;
  },
};
