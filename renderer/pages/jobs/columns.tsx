import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import type { JobSort, UiJobRow } from "../../../shared/api/job-view.ts";
import { jobStateName } from "../../../shared/model/state-labels.ts";
import { describeActivity, finishWords } from "../../data/activity.ts";
import { countBar, totalOf } from "../../data/bars.ts";
import { Bar } from "../../ui/charts/bar.tsx";
import type { Column } from "../../ui/table/table-row.tsx";
import { classes } from "../../ui/text/classes.ts";
import { percentage, shortTime, span } from "../../ui/text/format.ts";
import { State } from "../../ui/text/state.tsx";
import { Words } from "../../ui/text/words.tsx";
import css from "./jobs.module.css";

type Cell = (job: UiJobRow, now: number) => React.ReactNode;
type Known = {
  readonly title: string;
  readonly cell: Cell;
  readonly align?: "end";
  readonly sort?: JobSort;
  /** Width in the grid. */
  readonly width: string;
  /**
   * Where there is no room for it: in windows narrower than 1200 pixels (small) or 900 (narrow), phones among them, or
   * in those of 600 to 900 alone (tablet), since phones have a grid of their own.
   */
  readonly hiddenOn?: "small" | "narrow" | "tablet";
};

/** All columns that the list can show; the page decides which ones, and their order. */
export const jobColumns = {
  state: { title: t`State`, width: "124px", sort: "attention", cell: (job) => <State state={jobStateName(job)} /> },
  name: {
    title: t`Job`,
    width: "minmax(132px, 2.3fr)",
    sort: "name",
    cell: (job) => (
      <>
        <Words text={job.name} className={css.title} />
        {job.user_tag !== null && <Words text={job.user_tag} className={css.tag} />}
      </>
    ),
  },
  bar: {
    title: t`Tasks`,
    width: "64px",
    cell: (job) => <Bar counts={countBar(job)} label={t`Tasks of job ${job.id}`} />,
  },
  done: {
    hiddenOn: "tablet",
    title: t`Done`,
    width: "64px",
    align: "end",
    sort: "progress",
    cell: (job) => doneOf(job),
  },
  what: {
    title: t`What is happening`,
    width: "minmax(140px, 2.9fr)",
    cell: (job, now) => <What job={job} now={now} />,
  },
  finish: {
    title: t`Finish`,
    width: "110px",
    align: "end",
    sort: "end_time",
    cell: (job, now) => finishText(job, now),
  },
  progress: {
    hiddenOn: "narrow",
    title: "%",
    width: "46px",
    align: "end",
    sort: "progress",
    cell: ({ progress }) => percentage(progress),
  },
  priority: {
    hiddenOn: "narrow",
    title: t`Prio`,
    width: "48px",
    align: "end",
    sort: "priority",
    cell: (job) => String(job.priority),
  },
  tag: {
    hiddenOn: "small",
    title: t`Tag`,
    width: "minmax(60px, 0.6fr)",
    sort: "user_tag",
    cell: ({ user_tag }) => (user_tag === null ? "–" : <Words text={user_tag} />),
  },
  owner: {
    hiddenOn: "small",
    title: t`Owner`,
    width: "minmax(48px, 80px)",
    sort: "owner",
    cell: ({ owner }) => (owner === null ? "–" : <Words text={owner} />),
  },
  sent: {
    hiddenOn: "narrow",
    title: t`Sent`,
    width: "92px",
    align: "end",
    sort: "creation_time",
    cell: (job, now) => shortTime(job.creation_time, now),
  },
  started: {
    hiddenOn: "narrow",
    title: t`Started`,
    width: "92px",
    align: "end",
    sort: "start_time",
    cell: (job, now) => shortTime(job.start_time, now),
  },
  id: { hiddenOn: "narrow", title: t`Id`, width: "64px", align: "end", sort: "id", cell: ({ id }) => id },
  age: {
    hiddenOn: "small",
    title: t`Age`,
    width: "60px",
    align: "end",
    sort: "creation_time",
    cell: (job, now) => span(now - Date.parse(job.creation_time)),
  },
} as const satisfies Record<string, Known>;

export type JobColumn = keyof typeof jobColumns;
export const jobColumnNames = Object.keys(jobColumns) as JobColumn[]; // Object.keys forgets the literal names
export const usualColumns: readonly JobColumn[] = [
  "state",
  "name",
  "bar",
  "done",
  "what",
  "finish",
  "priority",
  "owner",
  "age",
];
/** Always shown: a row is useless without them. */
export const fixedColumns: ReadonlySet<JobColumn> = new Set(["state", "name", "what"]);

export const buildColumns = (shown: readonly JobColumn[], now: number): readonly Column<UiJobRow>[] =>
  shown.map((name) => {
    const { title, align, sort, cell, hiddenOn }: Known = jobColumns[name];
    return {
      key: classes(css[name] ?? name, hiddenOn && css[hiddenOn]),
      title,
      align,
      sort,
      cell: (job: UiJobRow) => cell(job, now),
    };
  });

/** The widest share of names, and how many characters fit into one part of the shares. */
const [leastShare, mostShare, charactersAShare] = [0.9, 2.3, 16];

/** What names as long as the longest of them need: what they leave goes to the sentences beside them, which are longer. */
const nameShare = (longest: number): number =>
  Math.max(leastShare, Math.min(mostShare, Math.ceil(longest / 4) * (4 / charactersAShare)));

/** When it ends or ended, as its column says it. */
export const finishText = ({ end_time, finish }: UiJobRow, now: number): string =>
  end_time === null ? finishWords(finish, now) : shortTime(end_time, now);

/** What the longest needs: "13:18–13:44", or a range on another day, such as "Tue 01:32–02:15". */
const finishWidth = (longest: number): string => (longest > 11 ? "110px" : "82px");

/** The most characters of a name with its tag, and of a finish, among the rows. */
export type Longest = { readonly name: number; readonly finish: number };

/** The grids of these columns in a wide window, a smaller and a narrow one; a phone has a grid of its own. */
export const buildGrids = (
  shown: readonly JobColumn[],
  hasActions: boolean,
  longest: Longest,
): Record<string, string> => {
  const [before, behind] = hasActions ? [["20px"], ["28px"]] : [[], []];
  const own = { name: `minmax(132px, ${nameShare(longest.name)}fr)`, finish: finishWidth(longest.finish) }; // untranslated: CSS
  const widthOf = (name: JobColumn) => (name === "name" || name === "finish" ? own[name] : jobColumns[name].width);
  const grid = (...hidden: readonly string[]) => {
    const left = shown.filter((name) => !hidden.includes((jobColumns[name] as Known).hiddenOn ?? ""));
    return [...before, ...left.map(widthOf), ...behind].join(" ");
  };
  return { "--grid": grid(), "--grid-small": grid("small"), "--grid-narrow": grid("small", "narrow", "tablet") };
};

const What = ({ job, now }: { readonly job: UiJobRow; readonly now: number }) => {
  const { text, full, tone, whyTask } = describeActivity(job, now);
  const isOurs = tone !== "fault" && whyTask === undefined;
  const look = { plain: css.sentence, fault: css.fault, warning: css.warning }[tone];
  return (
    <>
      <Words text={text} full={full} isOurs={isOurs} className={look} />
      {whyTask !== undefined && (
        <Link
          to="."
          search={(old: object) => ({ ...old, why: whyTask })}
          className={css.why}
          onClick={(event) => event.stopPropagation()}
          aria-label={t`Why does job ${job.id} not run?`}
        >
          <Trans>Why?</Trans>
        </Link>
      )}
    </>
  );
};

const doneOf = ({ task_counts: counts }: UiJobRow) => {
  const total = totalOf(counts);
  return total === 0 ? (
    "–"
  ) : (
    <>
      <b>{counts.completed}</b>/{total}
    </>
  );
};
