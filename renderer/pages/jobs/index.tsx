import { t } from "@lingui/core/macro";
import { Plural, Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { type CSSProperties, useCallback, useMemo, useRef } from "react";
import type { UiJobRow } from "../../../shared/job-view.ts";
import { useActions } from "../../data/actions.ts";
import { rowHold, useMissed } from "../../data/hold.ts";
import { countIn, type JobStateFilter, jobStateFilters } from "../../data/job-states.ts";
import { useCoarseNow } from "../../data/link.ts";
import { jobCountsQuery } from "../../data/queries.ts";
import { useMay } from "../../data/session.tsx";
import { stateWord } from "../../language/words.ts";
import { Button } from "../../ui/button.tsx";
import { Chips } from "../../ui/chip.tsx";
import { classes } from "../../ui/classes.ts";
import { useDensity } from "../../ui/density.ts";
import { Failed } from "../../ui/failed.tsx";
import { useKeys } from "../../ui/keys.tsx";
import type { LastPlace } from "../../ui/last-place.ts";
import { Switches } from "../../ui/menu.tsx";
import { Loading } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { Table } from "../../ui/table.tsx";
import type { Heading } from "../../ui/table-heading.tsx";
import { TablePanel } from "../../ui/table-panel.tsx";
import type { Column } from "../../ui/table-row.tsx";
import { useNarrow } from "../../ui/use-narrow.ts";
import { columnsOf, fixedColumns, gridsOf, type JobColumn, jobColumnNames, jobColumns } from "./columns.tsx";
import { GroupHeading } from "./group-heading.tsx";
import { RowKeys } from "./job-keys.tsx";
import css from "./jobs.module.css";
import { NoJobs } from "./no-jobs.tsx";
import { OwnerChip } from "./owner-chip.tsx";
import { RowMenu } from "./row-menu.tsx";
import { columnsIn, type JobsSearch, sortedBy } from "./search.ts";
import { SearchBox } from "./search-box.tsx";
import { placeAt } from "./sections.ts";
import { SelectionBar } from "./selection-bar.tsx";
import { useClosed } from "./use-closed.ts";
import { useHold, useSelectAll } from "./use-hold.ts";
import { type JobRows, useJobList } from "./use-job-list.ts";
import { useSelection } from "./use-selection.ts";
import { Views } from "./views.tsx";

const route = getRouteApi("/inside/jobs");

/** All jobs, which of them are stuck, and why. */
export const JobsPage = () => {
  const search: JobsSearch = route.useSearch();
  const navigate = useNavigate();
  const { density, rowHeight, toggle } = useDensity();
  const shown = columnsIn(search);
  const show = useCallback(
    (change: Partial<JobsSearch>) => void navigate({ to: "/jobs", search: (old: object) => ({ ...old, ...change }) }),
    [navigate],
  );
  useKeys([{ keys: ".", word: t`Rows higher or lower`, run: toggle }]);

  return (
    <Page
      title={<Top search={search} />}
      name={t`Jobs`}
      fills
      actions={
        <>
          <SearchBox text={search.text} />
          <OwnerChip owner={search.owner} onChoose={(owner) => show({ owner })} />
          <Button aria-pressed={density === "comfortable"} onClick={toggle} className={css.density}>
            {density === "compact" ? t`Compact` : t`Comfortable`}
          </Button>
          <Switches<JobColumn | "headings">
            trigger={
              <Button className={css.density}>
                <Trans>Columns</Trans>
              </Button>
            }
            choices={[
              ...jobColumnNames
                .filter((key) => !fixedColumns.has(key))
                .map((key) => ({ key, word: jobColumns[key].title })),
              { key: "headings", word: t`Headings of groups` },
            ]}
            on={new Set([...shown, ...(search.flat ? [] : (["headings"] as const))])}
            onToggle={(key) =>
              show(
                key === "headings" ? { flat: search.flat ? undefined : true } : { cols: toggled(shown, key).join(",") },
              )
            }
          />
        </>
      }
    >
      <StateChips state={search.state} onChoose={(key) => show({ state: key })} />
      <JobList search={search} rowHeight={rowHeight} show={show} />
    </Page>
  );
};

/** The list itself: apart from the page, because it is drawn anew with every change and while it scrolls. */
const JobList = ({
  search,
  rowHeight,
  show,
}: {
  readonly search: JobsSearch;
  readonly rowHeight: number;
  readonly show: (change: Partial<JobsSearch>) => void;
}) => {
  const navigate = useNavigate();
  const actions = useActions();
  const mayChange = useMay("operator");
  const isNarrow = useNarrow();
  const { state, owner, text, sort, order, flat } = search;
  const selection = useMemo(() => ({ state, owner, text, sort, order, flat }), [state, owner, text, sort, order, flat]);
  const { closed, toggle } = useClosed();
  const table = useRef<HTMLDivElement>(null);
  const list = useJobList(selection, closed);
  const { sections } = list.rows;
  const headingAt = (index: number): Heading | undefined => {
    const place = placeAt(sections, index);
    if (!("heading" in place)) return undefined;
    const { group, isOpen } = place.heading;
    const content = <GroupHeading group={group} />;
    return { key: group.group, content, isOpen, onToggle: () => toggle(group.group) };
  };
  const chosen = useSelection(list.rows);
  const shown = columnsIn(search);
  const columns = useColumns(shown, mayChange, chosen, list.rows, actions);
  const open = useCallback(
    (row: UiJobRow) => void navigate({ to: "/jobs/$jobId", params: { jobId: row.id }, search: {} }),
    [navigate],
  );
  const focusedJob = () => {
    const row = document.activeElement?.closest<HTMLElement>("[data-index]");
    return row && table.current?.contains(row) ? list.rows.at(Number(row.dataset.index)) : undefined;
  };
  useHold(chosen.ids.size > 0);
  useSelectAll(list.rows, chosen.add, mayChange);
  return (
    <TablePanel label={t`List of jobs`}>
      {list.error && <Failed error={list.error} onAgain={list.again} />}
      {list.count === undefined && !list.error && <Loading what={t`jobs`} rows={8} />}
      {list.count === 0 && <NoJobs {...search} />}
      <Missed />
      {list.rows.length > 0 && (
        // biome-ignore lint/a11y/noStaticElementInteractions: rows keep their places while somebody points at them
        <div
          ref={table}
          className={css.table}
          style={gridsOf(shown, mayChange) as CSSProperties /* which knows no properties of our own */}
          onMouseEnter={() => rowHold.set("pointer", true)}
          onMouseLeave={() => rowHold.set("pointer", false)}
        >
          <Table<UiJobRow>
            label={t`Jobs`}
            columns={columns}
            layout={classes(css.layout)}
            rows={list.rows}
            keyOf={idOf}
            headingAt={headingAt}
            selected={chosen.ids}
            rowHeight={isNarrow ? 84 : rowHeight}
            isMeasured={isNarrow}
            sorting={{ key: sort ?? "attention", order: order ?? "desc" }}
            onSort={(key) => show(sortedBy(search, key))}
            onOpen={open}
            onSelect={mayChange ? chosen.select : undefined}
            onSight={list.onSight}
            lastPlace={lastPlace}
          />
        </div>
      )}
      {mayChange && chosen.ids.size === 0 && (
        <RowKeys
          focusedJob={focusedJob}
          actions={actions}
          onWhy={(why) => void navigate({ to: ".", search: (old: object) => ({ ...old, why }) })}
        />
      )}
      {chosen.ids.size > 0 && <SelectionBar jobs={chosen.jobs} actions={actions} onClear={chosen.clear} />}
    </TablePanel>
  );
};

/** The row that somebody left for its job: they come back to it. */
const lastPlace: LastPlace = { key: undefined };

const idOf = ({ id }: UiJobRow): string => id;

const Top = ({ search }: { readonly search: JobsSearch }) => (
  <div className={css.top}>
    <h1>
      <Trans>Jobs</Trans>
    </h1>
    <Views search={search} />
  </div>
);

/** The columns, with a box before them and a menu behind. */
const useColumns = (
  shown: readonly JobColumn[],
  mayChange: boolean,
  chosen: ReturnType<typeof useSelection>,
  rows: JobRows,
  actions: ReturnType<typeof useActions>,
): readonly Column<UiJobRow>[] => {
  const now = useCoarseNow();
  // Whoever scrolls reads other rows all the time: the columns must not be others for that.
  const latest = useRef(rows);
  latest.current = rows;
  const key = shown.join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: columns are others when what they show is
  return useMemo(() => {
    const wide = columnsOf(shown, now);
    if (!mayChange) return wide;
    const box: Column<UiJobRow> = {
      key: css.box ?? "box",
      title: (
        <input
          type="checkbox"
          aria-label={t`Select all loaded rows`}
          checked={chosen.ids.size > 0}
          onChange={() => (chosen.ids.size > 0 ? chosen.clear() : chosen.add(latest.current.read()))}
        />
      ),
      cell: (job) => (
        <input
          type="checkbox"
          aria-label={t`Choose job ${job.id}`}
          checked={chosen.ids.has(job.id)}
          onChange={() => chosen.toggle(job)}
          onClick={(event) => event.stopPropagation()}
          tabIndex={-1}
        />
      ),
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
  }, [key, now, mayChange, chosen.ids, actions]);
};

const toggled = (shown: readonly JobColumn[], key: JobColumn): readonly JobColumn[] => {
  const wanted = new Set(shown.includes(key) ? shown.filter((each) => each !== key) : [...shown, key]);
  return jobColumnNames.filter((each) => wanted.has(each));
};

const Missed = () => {
  const count = useMissed();
  if (count === 0) return null;
  return (
    <button type="button" className={css.missed} onClick={() => rowHold.show()}>
      <Trans>
        <Plural value={count} one="# change" other="# changes" /> hidden while rows are held: show
      </Trans>
    </button>
  );
};

const StateChips = ({
  state,
  onChoose,
}: {
  readonly state: JobStateFilter | undefined;
  readonly onChoose: (state: JobStateFilter | undefined) => void;
}) => {
  const { data: counts } = useQuery(jobCountsQuery);
  return (
    <Chips<JobStateFilter | "all">
      label={t`Jobs by state`}
      choices={[
        { key: "all", word: t`All`, count: countIn(counts) },
        ...jobStateFilters.map((key) => ({ key, word: stateWord(key), state: key, count: countIn(counts, key) })),
      ]}
      chosen={state ?? "all"}
      onChoose={(key) => onChoose(key === "all" ? undefined : key)}
    />
  );
};
