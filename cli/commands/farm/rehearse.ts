import { mkdtempSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { Secret } from "../../../shared/basics/secret.ts";
import { exactly, type ParsedCommand } from "../../command/command.ts";
import { toldCommand } from "../../command/told-command.ts";
import { dataFolderOf } from "../../farms/chosen-farm.ts";
import { jobCount } from "../../text/count.ts";

/** Whether this program can take over a farm. */
export const rehearse: ParsedCommand = {
  details:
    "This program takes over the farm of a backup as its first start would, in a copy beside the file, which is deleted afterwards: the database is changed and opened, its secrets are tried, and every page of it is read. Nothing is sent, and the farm may run meanwhile; its audit gets a line. mediafarm upgrade does this by itself with the newer program.",
  flags: {},
  offers: "files",
  examples: [
    ["mediafarm rehearse /srv/backups/farm.backup", "says whether this program can go on with that farm"],
    ["mediafarm rehearse farm.backup --json", "prints the versions and the number of jobs as JSON"],
  ],
  check: exactly(1, "rehearse", "one file"),
  run: async ({ positionals, values, output, world }) => {
    const file = resolve(positionals[0] ?? "");
    const { rehearse: take } = await import("../../../coordinator/backup/rehearse.ts");
    const scratch = mkdtempSync(join(dirname(file), ".rehearsal-"));
    try {
      const key = world.env.MEDIAFARM_SECRET_KEY;
      const told = { dataDir: dataFolderOf(values, world.env), action: "rehearse", about: { file } };
      const done = await toldCommand(
        world,
        told,
        () => take(file, scratch, key ? new Secret(key) : undefined),
        ({ from, to, jobs }) => ({ from, to, jobs }),
      );
      const { from, to, schema, jobs } = done;
      const change = schema.from === schema.to ? "stays as it is" : `goes from version ${schema.from} to ${schema.to}`;
      output.answer(
        done,
        `Mediafarm ${to} takes over the farm of Mediafarm ${from}: ${jobCount(jobs)}. The database ${change}.\n`,
      );
      return 0;
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
  },
};
