import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import type { Node } from "../../../shared/node.ts";
import type { NodeUse, Timeline as TimelineData } from "../../../shared/node-view.ts";
import { nodeStateName, states } from "../../../shared/state/labels.ts";
import { timelineQuery } from "../../data/queries.ts";
import { Loading } from "../../ui/notice.tsx";
import { State } from "../../ui/state.tsx";
import { Timeline, type TimelineLine } from "../../ui/timeline.tsx";
import { Words } from "../../ui/words.tsx";
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
  if (!data) return <Loading what="the timeline" />;
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
        <span className={css.doneMark} /> completed <span className={css.runMark} /> running{" "}
        <span className={css.nextMark} /> expected <span className={css.failMark} /> failed{" "}
        <span className={css.backMark} /> given back or stopped <span className={css.ownerMark} /> in use by its owner{" "}
        {data.is_cut && " · earlier attempts are too many to show"}
      </p>
    </>
  );
};

const HeadWords = () => (
  <span className={css.head}>
    <span />
    <span>Node</span>
    <span>State</span>
    <span>Slots</span>
    <span className={css.use}>
      <span>CPU</span>
      <span>RAM</span>
      <span>Disk</span>
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
        <span className={css.word}>{states[nodeStateName(node)].word}</span>
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
    spells: line?.spells,
  };
};
