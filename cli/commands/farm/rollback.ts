import { AppError } from "../../../shared/basics/errors.ts";
import { nothing, type ParsedCommand } from "../../command/command.ts";
import { jobCount } from "../../text/count.ts";

/** Back to the program before the last upgrade. */
export const rollback: ParsedCommand = {
  details:
    "It undoes the last mediafarm upgrade: the older package that was kept is installed again. Where the upgrade changed the database, the backup of before it is restored as well: jobs that came since are not in it, and the newer database stays beside the backup. Services of the Debian package are stopped meanwhile; stop another farm yourself. With --restore, the backup is restored in any case.",
  flags: {
    restore: {
      type: "boolean",
      help: "Restore the backup also where the older program could open the database as it is.",
    },
  },
  examples: [
    ["sudo mediafarm rollback", "goes back to what was installed before mediafarm upgrade"],
    ["mediafarm rollback --restore --data ~/farm", "also takes the farm of that data folder back to then"],
  ],
  check: nothing("rollback"),
  run: async (call) => {
    const [{ openUpgrade }, { rollBack }, { newestUpgrade }, { toldCommand }] = await Promise.all([
      import("../../upgrade/open.ts"),
      import("../../upgrade/rollback.ts"),
      import("../../upgrade/records.ts"),
      import("../../command/told-command.ts"),
    ]);
    const opened = await openUpgrade(call);
    const upgrade = newestUpgrade(opened.dataDir);
    call.world.interrupted(); // half a way back would be worse
    const services = await opened.stopServices();
    if (await opened.isRunning()) {
      await services.start();
      throw new AppError("CONFLICT", `A farm runs from ${opened.dataDir}: stop it, and say this again`);
    }
    try {
      const { from, to } = upgrade.record;
      const restoring = call.values.restore === true;
      const told = { dataDir: opened.dataDir, action: "rollback", about: { from: to, to: from } };
      const done = await toldCommand(
        call.world,
        told,
        () => rollBack({ ...opened, ...upgrade, restoring }),
        ({ restored }) => ({ restored }),
      );
      const jobs = done.jobs
        ? `The farm is as it was before the upgrade: ${jobCount(done.jobs.after)} instead of ${done.jobs.before}. The newer database is in ${done.aside}\n`
        : "The farm's data stays as it is\n";
      call.output.answer({ from: to, to: from, ...done }, `Went back from ${to} to ${from}\n${jobs}`);
    } finally {
      await services.start();
    }
    return 0;
  },
};
