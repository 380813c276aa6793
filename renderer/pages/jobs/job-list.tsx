import { t } from "@lingui/core/macro";
import { Plural, Trans } from "@lingui/react/macro";
import { useNavigate } from "@tanstack/react-router";
import { type CSSProperties, useCallback, useMemo, useRef } from "react";
import type { JobGroup, UiJobRow } from "../../../shared/api/job-view.ts";
import { useActions } from "../../data/actions.ts";
import { rowFreeze, useMissed } from "../../data/hold.ts";
import { useCoarseNow } from "../../data/link.ts";
import { useMay } from "../../data/session.tsx";
import { useNarrow } from "../../ui/browser/use-narrow.ts";
import { Failed } from "../../ui/controls/failed.tsx";
import type { ScrollMemory } from "../../ui/table/scroll-memory.ts";
import { Table } from "../../ui/table/table.tsx";
import type { Heading } from "../../ui/table/table-heading.tsx";
import { TablePanel } from "../../ui/table/table-panel.tsx";
import type { Column } from "../../ui/table/table-row.tsx";
import { classes } from "../../ui/text/classes.ts";
import { Loading } from "../../ui/text/notice.tsx";
import { buildColumns, buildGrids, finishText, type JobColumn, type Longest } from "./columns.tsx";
import { GroupHeading } from "./group-heading.tsx";
import { RowKeys } from "./job-keys.tsx";
import css from "./jobs.module.css";
import { NoJobs } from "./no-jobs.tsx";
import { RowMenu } from "./row-menu.tsx";
import { columnsIn, type JobsSearch, sortedBy } from "./search.ts";
import { placeAt } from "./sections.ts";
import { SelectionBar } from "./selection-bar.tsx";
import { useClosed } from "./use-closed.ts";
import { useHold, useSelectAll } from "./use-hold.ts";
import { type JobRows, useJobList } from "./use-job-list.ts";
import { type Selected, useSelection } from "./use-selection.ts";

type JobListProps = {
  readonly search: JobsSearch;
  readonly rowHeight: number;
  readonly show: (change: Partial<JobsSearch>) => void;
};

/** The list itself: apart from the page, because it is drawn anew with every change and while it scrolls. */
export const JobList = ({ search, rowHeight, show }: JobListProps) => {
  const navigate = useNavigate();
  const actions = useActions();
  const mayChange = useMay("operator");
  const isNarrow = useNarrow();
  const { closed, toggle } = useClosed();
  const table = useRef<HTMLDivElement>(null);
  const selection = useSelected(search);
  const list = useJobList(selection, closed);
  const chosen = useSelection({ ...list, selection });
  const shown = columnsIn(search);
  const columns = useColumns(shown, mayChange, chosen, actions);
  const longest = useLongest(list.rows, useCoarseNow());
  const open = useOpen();
  useHold(chosen.size > 0);
  useSelectAll(chosen.selectAll, mayChange);
  return (
    <TablePanel label={t`List of jobs`}>
      {list.error && <Failed error={list.error} onAgain={list.again} />}
      {list.count === undefined && !list.error && <Loading what={t`jobs`} rows={8} />}
      {list.count === 0 && <NoJobs {...search} />}
      {list.rows.length > 0 && (
        // biome-ignore lint/a11y/noStaticElementInteractions: rows keep their places while somebody points at them
        <div
          ref={table}
          className={css.table}
          style={buildGrids(shown, mayChange, longest) as CSSProperties /* which knows no properties of our own */}
          onMouseEnter={() => rowFreeze.set("pointer", true)}
          onMouseLeave={() => rowFreeze.set("pointer", false)}
        >
          <Table<UiJobRow>
            label={t`Jobs`}
            columns={columns}
            layout={classes(css.layout)}
            rows={list.rows}
            keyOf={idOf}
            headingAt={(index) => headingAt(list.rows.sections, index, toggle)}
            selected={chosen.selected}
            rowHeight={isNarrow ? 84 : rowHeight}
            isMeasured={isNarrow}
            sorting={{ key: search.sort ?? "attention", order: search.order ?? "desc" }}
            onSort={(key) => show(sortedBy(search, key))}
            onOpen={open}
            onSelect={mayChange ? (index, mode) => void chosen.select(index, mode) : undefined}
            onSight={list.onSight}
            lastPlace={lastPlace}
          />
        </div>
      )}
      <Missed />
      {mayChange && chosen.size === 0 && (
        <RowKeys
          focusedJob={() => rowWithFocus(table.current, list.rows)}
          actions={actions}
          onWhy={(why) => void navigate({ to: ".", search: (old: object) => ({ ...old, why }) })}
        />
      )}
      {chosen.size > 0 && (
        <SelectionBar selected={chosen} actions={actions} all={chosen.whole === undefined ? list.count : undefined} />
      )}
    </TablePanel>
  );
};

/** What the list is read by: the same value until one of its parts is another. */
const useSelected = (search: JobsSearch) => {
  const { state, owner, text, sort, order, flat } = search;
  return useMemo(() => ({ state, owner, text, sort, order, flat }), [state, owner, text, sort, order, flat]);
};

/** Only grows while the list is open: columns must not move while somebody scrolls. */
const useLongest = (rows: JobRows, now: number): Longest => {
  const longest = useRef<Longest>({ name: 0, finish: 0 });
  // Rows come and go ten times a second; most of them are those that were there before.
  const known = useRef({ now, jobs: new WeakSet<UiJobRow>() });
  return useMemo(() => {
    if (known.current.now !== now) known.current = { now, jobs: new WeakSet() };
    const { jobs } = known.current;
    for (const job of rows.read()) {
      if (jobs.has(job)) continue;
      jobs.add(job);
      longest.current = {
        name: Math.max(longest.current.name, job.name.length + (job.user_tag?.length ?? 0)),
        finish: Math.max(longest.current.finish, finishText(job, now).length),
      };
    }
    return longest.current;
  }, [rows, now]);
};

const useOpen = () => {
  const navigate = useNavigate();
  return useCallback(
    (row: UiJobRow) => void navigate({ to: "/jobs/$jobId", params: { jobId: row.id }, search: {} }),
    [navigate],
  );
};

const headingAt = (
  sections: JobRows["sections"],
  index: number,
  toggle: (group: JobGroup) => void,
): Heading | undefined => {
  const place = placeAt(sections, index);
  if (!("heading" in place)) return undefined;
  const { group, isOpen } = place.heading;
  const content = <GroupHeading group={group} />;
  return { key: group.group, content, isOpen, onToggle: () => toggle(group.group) };
};

const rowWithFocus = (table: HTMLElement | null, rows: JobRows): UiJobRow | undefined => {
  const row = document.activeElement?.closest<HTMLElement>("[data-index]");
  return row && table?.contains(row) ? rows.at(Number(row.dataset.index)) : undefined;
};

/** The row that somebody left for its job: they come back to it. */
const lastPlace: ScrollMemory = { key: undefined };

const idOf = ({ id }: UiJobRow): string => id;

/** The columns, with a box before them and a menu behind. */
const useColumns = (
  shown: readonly JobColumn[],
  mayChange: boolean,
  chosen: Selected,
  actions: ReturnType<typeof useActions>,
): readonly Column<UiJobRow>[] => {
  const now = useCoarseNow();
  // Whoever scrolls reads other rows all the time: the columns must not be others for that.
  const latest = useRef(chosen);
  latest.current = chosen;
  const isAny = chosen.size > 0;
  const { isAll } = chosen;
  const key = shown.join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: columns are others when what they show is
  return useMemo(() => {
    const wide = buildColumns(shown, now);
    if (!mayChange) return wide;
    const box: Column<UiJobRow> = {
      key: css.box ?? "box",
      title: (
        <input
          type="checkbox"
          aria-label={t`Select all jobs of the list`}
          ref={(box) => {
            if (box) box.indeterminate = isAny && !isAll;
          }}
          checked={isAll}
          onChange={() => (isAll ? latest.current.clear() : latest.current.selectAll())}
        />
      ),
      cell: (job) => <Box job={job} isOn={chosen.selected.has(job.id)} select={latest} />,
    };
    const menu: Column<UiJobRow> = {
      key: css.menu ?? "menu",
      title: (
        <span className="unseen">
          <Trans>Actions</Trans>
        </span>
      ),
      cell: (job) => <RowMenu job={job} actions={actions} />,
    };
    return [box, ...wide, menu];
  }, [key, now, mayChange, chosen.selected, isAny, isAll, actions]);
};

/** Shift selects all rows from the last box on. */
const Box = ({
  job,
  isOn,
  select,
}: {
  readonly job: UiJobRow;
  readonly isOn: boolean;
  readonly select: { readonly current: Selected };
}) => (
  <input
    type="checkbox"
    aria-label={t`Choose job ${job.id}`}
    checked={isOn}
    onChange={() => {}} // the click knows whether Shift is held
    onClick={(event) => {
      event.stopPropagation();
      const row = event.currentTarget.closest<HTMLElement>("[data-index]");
      if (row) void select.current.select(Number(row.dataset.index), event.shiftKey ? "range" : "toggle");
    }}
    tabIndex={-1}
  />
);

const Missed = () => {
  const count = useMissed();
  if (count === 0) return null;
  return (
    <button type="button" className={css.missed} onClick={() => rowFreeze.show()}>
      <Trans>
        <Plural value={count} one="# change" other="# changes" /> hidden while rows are held: show
      </Trans>
    </button>
  );
};
