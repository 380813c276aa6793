import { plural, t } from "@lingui/core/macro";
import type { Computer, ComputerState } from "../../../shared/desktop/ipc.ts";
import { language } from "../../language/index.ts";
import { minuteTime } from "../../ui/text/format.ts";

const titles: Readonly<Record<Exclude<ComputerState, "lending">, string>> = {
  new: t`Not part of a farm yet`,
  starting: t`Starting`,
  unreachable: t`Coordinator unreachable`,
  failed: t`Not running`,
  paused: t`Paused by an operator`,
  soon: t`Lending starts soon`,
  inUse: t`In use by you`,
  busy: t`Other programs are busy`,
  outOfHours: t`Outside your hours`,
  stopped: t`Lending is stopped`,
  never: t`This computer does not lend`,
  fullScreen: t`A program fills the screen`,
  program: t`A program of yours is running`,
  battery: t`On battery`,
  diskLow: t`Paused itself: the disk is nearly full`,
  asleep: t`Asleep`,
};

/** The computer's state in the language of the pages. The app and its agent say it in English, with more detail. */
export const computerTitle = ({ state, title }: Pick<Computer, "state" | "title">): string =>
  language === "en" || state === "lending" ? title : titles[state];

export const computerWords = (computer: Pick<Computer, "state" | "words" | "report">): string => {
  const { state, words, report } = computer;
  if (language === "en") return words;
  const count = report?.running.length ?? 0;
  switch (state) {
    case "new":
      return t`Start a farm here, or join one.`;
    case "failed":
      return t`It restarts automatically.`;
    case "starting":
    case "unreachable":
      return "";
    case "paused":
      return t`Running tasks finish, and no new ones start.`;
    case "lending":
      return t`Tasks run at low priority.`;
    case "soon":
      return t`Nobody has used this computer for a while.`;
    default:
      return [fateOf(count, report?.standing.isSuspended ?? false), untilWords(report?.standing.until ?? null)].join(
        " ",
      );
  }
};

const fateOf = (count: number, isSuspended: boolean): string =>
  isSuspended
    ? plural(count, { 0: "Nothing runs here.", one: "# task is suspended.", other: "# tasks are suspended." })
    : plural(count, {
        0: "Nothing runs here.",
        one: "# task finishes, and no new ones start.",
        other: "# tasks finish, and no new ones start.",
      });

const untilWords = (until: number | null): string =>
  until === null ? "" : t`It continues by itself until ${minuteTime(until)}.`;
