import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import type { NodeUse, Timeline as TimelineData } from "../../../shared/api/node-view.ts";
import type { Node } from "../../../shared/model/node.ts";
import { nodeStateName } from "../../../shared/model/state-labels.ts";
import { timelineQuery } from "../../data/queries.ts";
import { stateWord } from "../../language/words.ts";
import { Timeline, type TimelineLine } from "../../ui/charts/timeline.tsx";
import { Loading } from "../../ui/text/notice.tsx";
import { State } from "../../ui/text/state.tsx";
import { Words } from "../../ui/text/words.tsx";
import css from "./nodes.module.css";

/** What each node did in the last hours, one line per node. */
export const Lanes = ({
  nodes,
  uses,
  hours,
}: {
  readonly nodes: readonly Node[];
  readonly uses: ReadonlyMap<string, NodeUse>;
  readonly hours: number;
}) => {
  const { data } = useQuery(timelineQuery(hours));
  const navigate = useNavigate();
  if (!data) return <Loading what={t`the timeline`} />;
  return (
    <>
      <Timeline
        from={data.from}
        now={data.now}
        heads={<HeadWords />}
        lines={nodes.map((node) => lineOf(node, data, uses.get(node.id)))}
        onOpen={({ job_id, task_id }) =>
          void navigate({ to: "/jobs/$jobId", params: { jobId: job_id }, search: { task: task_id } })
        }
      />
      <p className={css.legend} aria-hidden="true">
        <span className={css.doneMark} /> <Trans>completed</Trans> <span className={css.runMark} />{" "}
        <Trans>running</Trans> <span className={css.nextMark} /> <Trans>expected</Trans>{" "}
        <span className={css.failMark} /> <Trans>failed</Trans> <span className={css.backMark} />{" "}
        <Trans>given back or stopped</Trans> <span className={css.ownerMark} /> <Trans>in use by its owner</Trans>{" "}
        {data.is_cut && ` · ${t`earlier attempts are not shown`}`}
      </p>
    </>
  );
};

const HeadWords = () => (
  <span className={css.head}>
    <span />
    <span>
      <Trans>Node</Trans>
    </span>
    <span>
      <Trans>State</Trans>
    </span>
    <span>
      <Trans>Slots</Trans>
    </span>
    <span className={css.use}>
      <span>
        <Trans>CPU</Trans>
      </span>
      <span>
        <Trans>RAM</Trans>
      </span>
      <span>
        <Trans>Disk</Trans>
      </span>
    </span>
  </span>
);

const lineOf = (node: Node, { nodes }: TimelineData, use: NodeUse | undefined): TimelineLine => {
  const line = nodes.find(({ node_id }) => node_id === node.id);
  return {
    key: node.id,
    head: (
      <span className={css.head}>
        <State state={nodeStateName(node)} word="" />
        <Link to="/nodes/$nodeId" params={{ nodeId: node.id }} className={css.title}>
          <Words text={node.name} />
        </Link>
        <span className={css.word}>{stateWord(nodeStateName(node))}</span>
        <span className={css.number}>
          {node.running.length}/{node.slots}
        </span>
        <span className={css.use}>
          {[use?.cpu, use?.memory, use?.disk].map((percent, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: three figures in their order
            <span key={at}>{percent ?? "–"}</span>
          ))}
        </span>
      </span>
    ),
    bars: line?.bars ?? [],
    downtimes: line?.downtimes,
  };
};
