import { statSync } from "node:fs";
import { join } from "node:path";
import { checkBackup } from "../../../coordinator/backup/backup.ts";
import type { BackupsView } from "../../../shared/api/backups.ts";
import { messageOf } from "../../../shared/basics/errors.ts";
import { agoText } from "../../text/time.ts";
import type { FarmArea } from "../area.ts";
import { bad, type Finding, ok, warn } from "../finding.ts";

const hourMs = 3_600_000;
/** Reading a larger one would take longer than a look should. */
const maxCheckedBytes = 256 * 1024 * 1024;

/** Whether the farm makes backups, how old the newest is, and whether it can be restored. */
export const backups: FarmArea = {
  name: "backups",
  limitMs: 60_000,
  ask: async ({ farm, clock, dataDir }, signal) => {
    const view = await farm.ask("getBackups", {}, { signal });
    const [newest] = view.items;
    if (view.folder === null || !newest) return ageFindings(view, clock.now());
    return [
      ...ageFindings(view, clock.now()),
      checkFinding(join(view.folder, newest.name), newest.bytes),
      ...diskFindings(view.folder, dataDir),
    ];
  },
};

export const ageFindings = ({ folder, schedule, items, failure }: BackupsView, now: number): Finding[] => {
  if (folder === null)
    return [
      warn("schedule", "The farm makes no backups of itself", "Start it with --backups DIR, best on another disk."),
    ];
  const failed = failure
    ? [
        bad(
          "last try",
          `The last backup failed: ${failure.message}`,
          `Mend that, or choose another folder than ${folder}.`,
        ),
      ]
    : [];
  const [newest] = items;
  if (!newest)
    return [...failed, warn("newest", `There is no backup in ${folder} yet`, "Begin one on the page Backups.")];
  const broken = items.flatMap(({ problem }) =>
    problem === null ? [] : [bad("damaged", problem, "Delete it, and find out what damages files on this disk.")],
  );
  const words = `The newest backup is from ${agoText(newest.made, now)}`;
  const isOld = now - Date.parse(newest.made) > 2 * schedule.everyHours * hourMs;
  return [
    ...failed,
    ...broken,
    isOld
      ? bad(
          "newest",
          `${words}, and one is due every ${schedule.everyHours} h`,
          "Look into the farm's log for why none was made.",
        )
      : ok("newest", words),
  ];
};

const checkFinding = (file: string, bytes: number): Finding => {
  const itself = `mediafarm backup --check ${file}`;
  if (bytes > maxCheckedBytes) return ok("check", `The newest backup is large, so it was not read. Try it: ${itself}`);
  try {
    const { jobs } = checkBackup(file);
    return ok("check", `The newest backup was read whole and can be restored: ${jobs} jobs`);
  } catch (problem) {
    return bad("check", messageOf(problem), "Make another one now, and find out what damaged this one.");
  }
};

/** One disk that breaks should not take the farm and its backups. */
const diskFindings = (folder: string, dataDir: string): Finding[] =>
  statSync(folder).dev === statSync(dataDir).dev
    ? [
        warn(
          "place",
          "The backups lie on the same disk as the farm",
          "Put them on another disk or a share: --backups DIR.",
        ),
      ]
    : [];
