import { plural, t } from "@lingui/core/macro";
import { Plural, Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { FarmView } from "../../../shared/api/farm-view.ts";
import type { Overview } from "../../../shared/api/overview.ts";
import type { Node } from "../../../shared/model/node.ts";
import { useNow } from "../../data/link.ts";
import { farmQuery, nodesQuery, overviewQuery } from "../../data/queries.ts";
import { useNarrow } from "../../ui/browser/use-narrow.ts";
import { Failed } from "../../ui/controls/failed.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { dayAndTime, shortTime } from "../../ui/text/format.ts";
import { Loading } from "../../ui/text/notice.tsx";
import { Failures } from "./failures.tsx";
import { Figures } from "./figures.tsx";
import { Finishes } from "./finishes.tsx";
import { FirstJob } from "./first-job.tsx";
import { Needs } from "./needs.tsx";
import { NodeList } from "./node-list.tsx";
import css from "./overview.module.css";
import { findProblems, headline } from "./problems.ts";

/** Whether the farm is live and moving, when its queue will be empty, and what needs a person. */
export const OverviewPage = () => {
  const { data: overview, error, refetch } = useQuery(overviewQuery);
  const { data: nodes = [] } = useQuery(nodesQuery);
  const { data: farm } = useQuery(farmQuery);
  if (overview && farm) return <Shown overview={overview} nodes={nodes} farm={farm} />;
  return (
    <Page title={t`Overview`}>
      {error ? <Failed error={error} onAgain={() => void refetch()} /> : <Loading what={t`the overview`} rows={8} />}
    </Page>
  );
};

type Props = { readonly overview: Overview; readonly nodes: readonly Node[]; readonly farm: FarmView };

const Shown = ({ overview, nodes, farm }: Props) => {
  const now = useNow();
  // Who looks at a phone asks first whether anything is wrong.
  const isNarrow = useNarrow();
  const problems = findProblems(overview, nodes, now);
  const open = problems.filter(({ known }) => !known).length;
  const likely = overview.empty ? shortTime(overview.empty.likely, now) : undefined;
  const { running, ready } = farm.tasks;
  const working = nodes.filter((node) => node.running.length > 0).length;
  return (
    <Page
      name={t`Overview`}
      title={
        <div className={css.headline}>
          <h1>{headline({ overview, running: running - heldOn(nodes), ready, likely })}</h1>
          <p>
            <Trans>
              <Plural value={running} one="# task" other="# tasks" /> on{" "}
              <Plural value={working} one="# node" other="# nodes" />.{" "}
              {open === 0
                ? t`Nothing needs a person.`
                : t`${plural(open, { one: "# thing", other: "# things" })} to look at.`}
            </Trans>
          </p>
        </div>
      }
      actions={
        <>
          <time className={css.today} dateTime={new Date(now).toISOString()}>
            {dayAndTime(now)}
          </time>
          <Link to="/jobs">
            <Trans>All jobs</Trans>
          </Link>
        </>
      }
    >
      {isNarrow && <Needs problems={problems} nodes={nodes} now={now} />}
      <Figures overview={overview} nodes={nodes} farm={farm} now={now} />
      <div className={css.columns}>
        <div className={css.column}>
          {Object.values(farm.jobs).every((count) => count === 0) && <FirstJob nodes={nodes} />}
          {!isNarrow && <Needs problems={problems} nodes={nodes} now={now} />}
          <Finishes overview={overview} now={now} />
        </div>
        <div className={css.column}>
          <NodeList nodes={nodes} now={now} />
          <Failures failures={overview.failures} now={now} />
        </div>
      </div>
    </Page>
  );
};

/** Tasks that stand still because their node's owner, or its full disk, suspends them. */
const heldOn = (nodes: readonly Node[]): number =>
  nodes.reduce((sum, { lending, running }) => sum + (lending?.suspended ? running.length : 0), 0);
