import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import { type CheckedBackup, checkBackup, takeBackup } from "../../../coordinator/backup/backup.ts";
import { exactly, type ParsedCommand } from "../../command/command.ts";
import { toldCommand } from "../../command/told-command.ts";
import { dataFolderOf } from "../../farms/chosen-farm.ts";
import { jobCount } from "../../text/count.ts";
import { sizeText } from "../../text/size.ts";

/** A backup of the farm on this machine, or a look at one. */
export const backup: ParsedCommand = {
  details:
    "The file holds the database, the key of its secrets and the local agent's identity, all of one moment; media files are not in it. Only this user can read it: protect it like a password. It is opened and checked after it was written; --check does that again with a file that exists.",
  flags: { check: { type: "boolean", help: "Only check FILE: read every page of it and try its key." } },
  offers: "files",
  examples: [
    ["mediafarm backup /srv/backups/farm.backup", "writes a backup of the farm that runs here"],
    ["mediafarm backup --check /srv/backups/farm.backup", "says whether it can be restored"],
  ],
  check: exactly(1, "backup", "one file"),
  run: async ({ positionals, values, output, world }) => {
    const file = resolve(positionals[0] ?? "");
    const dataDir = dataFolderOf(values, world.env);
    const take = () => takeBackup(join(dataDir, "coordinator"), file, world.clock.now());
    const told = { dataDir, action: "backup", about: { file } };
    const taken = values.check ? checkBackup(file) : await toldCommand(world, told, take, ({ jobs }) => ({ jobs }));
    const size = statSync(file).size;
    if (taken.move !== undefined) output.problem(movedAway(taken.move));
    output.answer(toAnswer(taken, size), `${describe(taken)}, ${sizeText(size)}\n`);
    return 0;
  },
};

const movedAway = (move: string): string =>
  `Warning: this farm began to move to another store (${move}), and did not run here since: if it moved, this is what it was before. A PostgreSQL database is backed up with its server's tools.`;

const toAnswer = ({ file, made, program, jobs }: CheckedBackup, bytes: number) => ({
  ...{ file, made: new Date(made).toISOString(), program, jobs, bytes },
});

export const describe = ({ file, made, program, jobs }: CheckedBackup): string =>
  `${file} is complete: ${jobCount(jobs)}, taken ${new Date(made).toISOString()} by Mediafarm ${program}`;
