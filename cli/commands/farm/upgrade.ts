import { rmSync } from "node:fs";
import { resolve } from "node:path";
import packageJson from "../../../package.json" with { type: "json" };
import { AppError } from "../../../shared/basics/errors.ts";
import { type Call, exactly, type ParsedCommand } from "../../command/command.ts";
import { UsageError } from "../../terminal/flags.ts";
import { jobCount } from "../../text/count.ts";
import type { Prepared } from "../../upgrade/upgrade.ts";

/** From the program that is installed to a newer one. */
export const upgrade: ParsedCommand = {
  details:
    "FILE is a newer package: the Debian package, or the one for npm, as this program was installed. The farm is backed up, and the newer program takes over a copy of it; if that fails, nothing is changed. What is installed is kept as a package, and the newer one is installed. Services of the Debian package are restarted; start another farm again yourself. On a machine that only has a node, there is nothing to rehearse. mediafarm rollback goes back. A farm that is kept in PostgreSQL is backed up by PostgreSQL's tools. Ctrl-C ends it only before the installation begins.",
  flags: { rehearse: { type: "boolean", help: "Only rehearse: keep and install nothing." } },
  offers: "files",
  examples: [
    ["sudo mediafarm upgrade ./mediafarm_0.2.0_amd64.deb", "rehearses the upgrade of a Debian package, and does it"],
    [
      "mediafarm upgrade --rehearse ./mediafarm-0.2.0.tgz",
      "says whether the upgrade would succeed, and changes nothing",
    ],
  ],
  check: exactly(1, "upgrade", "one file"),
  run: async (call) => {
    const { openUpgrade } = await import("../../upgrade/open.ts");
    // All of it is loaded now: the files of this program are replaced on the way.
    const [{ prepareUpgrade, performUpgrade }, { toldCommand }, opened] = [
      await import("../../upgrade/upgrade.ts"),
      await import("../../command/told-command.ts"),
      await openUpgrade(call),
    ];
    const file = resolve(call.positionals[0] ?? "");
    const { ending } = opened.packaging;
    if (!file.endsWith(ending)) throw new UsageError(`This Mediafarm is upgraded with a file ${ending}`);
    const interrupted = call.world.interrupted();
    const upgrading = { ...opened, version: packageJson.version, say: call.output.problem };
    const told = { dataDir: opened.dataDir, about: { file, from: packageJson.version } };
    const prepared = await toldCommand(
      call.world,
      { ...told, action: "rehearseUpgrade" },
      () => prepareUpgrade(file, upgrading),
      ({ to }) => ({ to }),
    );
    if (call.values.rehearse || interrupted.aborted) {
      rmSync(prepared.folder, { recursive: true, force: true });
      if (interrupted.aborted) throw new AppError("CONFLICT", "Interrupted: nothing was changed");
      return tell(call, prepared, { done: false, comesBack: true });
    }
    const ran = await opened.isRunning();
    const { to } = prepared;
    await toldCommand(call.world, { ...told, action: "upgrade", about: { ...told.about, to } }, () =>
      performUpgrade(prepared, upgrading),
    );
    const comesBack = !ran || !opened.isRestarted || (await opened.runsAgain());
    return tell(call, prepared, { done: true, comesBack, mustRestart: ran && !opened.isRestarted });
  },
};

type End = { readonly done: boolean; readonly comesBack: boolean; readonly mustRestart?: boolean };

const tell = (
  { output }: Call,
  { to, rehearsed, folder }: Prepared,
  { done, comesBack, mustRestart = false }: End,
): number => {
  const jobs = rehearsed === null ? "no farm is on this machine" : jobCount(rehearsed.jobs);
  const change =
    rehearsed !== null && rehearsed.schema.from !== rehearsed.schema.to ? ", and changes its database" : "";
  const words = done
    ? [
        `Upgraded from ${packageJson.version} to ${to} (${jobs})`,
        ...(mustRestart ? ["The farm still runs the old program: restart it"] : []),
        ...(comesBack ? [] : ["The farm does not answer after the upgrade: look into its log"]),
        "Go back with: mediafarm rollback",
      ]
    : [`Mediafarm ${to} takes over this farm (${jobs})${change}. Nothing was changed`];
  const answer = { from: packageJson.version, to, done, ...(done && { folder }), rehearsed, must_restart: mustRestart };
  output.answer(answer, `${words.join("\n")}\n`);
  return comesBack ? 0 : 1;
};
