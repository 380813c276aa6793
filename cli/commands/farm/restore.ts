import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { restoreBackup } from "../../../coordinator/backup/backup.ts";
import { exactly, type ParsedCommand } from "../../command/command.ts";
import { toldCommand } from "../../command/told-command.ts";
import { textFlag } from "../../terminal/flags.ts";
import { describe } from "./backup.ts";

/** From a backup to a data folder. */
export const restore: ParsedCommand = {
  details:
    "The backup is checked first. The folder must not hold a farm yet. Jobs that were unfinished when the backup was taken run again; files that were published since then stay. If the old farm still exists, do not start both: their nodes would change sides. Everybody signs in again. What was revoked since the backup was taken, such as API users, nodes and join tokens, is valid again: revoke it once more, or restore with --revoke. People who were removed since can sign in again either way: remove them once more.",
  flags: {
    data: {
      type: "string",
      value: "DIR",
      offers: "folders",
      help: "The data folder to make.",
      default: "~/.mediafarm",
    },
    revoke: {
      type: "boolean",
      help: "End all keys of programs and all join tokens of the backup. The next start prints new ones, and nodes wait until an owner approves them.",
    },
  },
  offers: "files",
  examples: [
    ["mediafarm restore /srv/backups/farm.backup --data ~/restored", "makes the folder; start it with mediafarm up"],
    [
      "mediafarm restore farm.backup --revoke",
      "lets nobody in by a key or join token that may have been revoked since",
    ],
    ["mediafarm restore farm.backup", "restores the usual farm of this user, on a new machine"],
  ],
  check: exactly(1, "restore", "one file"),
  run: async ({ positionals, values, output, world }) => {
    const dataDir = resolve(textFlag(values, "data") ?? join(homedir(), ".mediafarm"));
    const isRevoking = values.revoke === true;
    const revoke = isRevoking ? world.clock.now() : undefined;
    const file = resolve(positionals[0] ?? "");
    const told = { dataDir, action: "restore", about: { file, revoke: isRevoking } };
    const restored = await toldCommand(
      world,
      told,
      () => restoreBackup(file, join(dataDir, "coordinator"), { revoke }),
      ({ made, jobs }) => ({ made: new Date(made).toISOString(), jobs }),
    );
    const revoked = isRevoking
      ? "All keys of programs and all join tokens of the backup have ended: the start prints new ones. Nodes wait for an owner's approval.\n"
      : "";
    output.answer(
      { data: dataDir, made: new Date(restored.made).toISOString(), jobs: restored.jobs, revoked: isRevoking },
      `${describe(restored)}\n${revoked}Restored into ${dataDir}. Start it with: mediafarm up --data ${dataDir}\n`,
    );
    return 0;
  },
};
