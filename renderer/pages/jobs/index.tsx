import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useCallback } from "react";
import { countIn, type JobStateFilter, jobStateFilters } from "../../data/job-states.ts";
import { jobCountsQuery } from "../../data/queries.ts";
import { stateWord } from "../../language/words.ts";
import { useDensity } from "../../ui/browser/density.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Chips } from "../../ui/controls/chip.tsx";
import { useKeys } from "../../ui/controls/keys.tsx";
import { Switches } from "../../ui/controls/menu.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { fixedColumns, type JobColumn, jobColumnNames, jobColumns } from "./columns.tsx";
import { JobList } from "./job-list.tsx";
import css from "./jobs.module.css";
import { OwnerChip } from "./owner-chip.tsx";
import { columnsIn, type JobsSearch } from "./search.ts";
import { JobSearch } from "./search-box.tsx";
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
          <JobSearch text={search.text} />
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

const Top = ({ search }: { readonly search: JobsSearch }) => (
  <div className={css.top}>
    <h1>
      <Trans>Jobs</Trans>
    </h1>
    <Views search={search} />
  </div>
);

const toggled = (shown: readonly JobColumn[], key: JobColumn): readonly JobColumn[] => {
  const wanted = new Set(shown.includes(key) ? shown.filter((each) => each !== key) : [...shown, key]);
  return jobColumnNames.filter((each) => wanted.has(each));
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
