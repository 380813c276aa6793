import { plural, t } from "@lingui/core/macro";
import { Plural, Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import type { UiNode } from "../../../shared/api/node-view.ts";
import { AppError, messageOf } from "../../../shared/basics/errors.ts";
import type { Node } from "../../../shared/model/node.ts";
import { nodeStateName } from "../../../shared/model/state-labels.ts";
import type { NodeState } from "../../../shared/state/node.ts";
import { useActions } from "../../data/actions.ts";
import { useNow } from "../../data/link.ts";
import { nodeQuery, nodesQuery, timelineQuery } from "../../data/queries.ts";
import { useMay } from "../../data/session.tsx";
import { lendingText } from "../../language/lending.ts";
import { stateMeans } from "../../language/words.ts";
import { Timeline } from "../../ui/charts/timeline.tsx";
import { Button } from "../../ui/controls/button.tsx";
import { TryAgain } from "../../ui/controls/failed.tsx";
import { useKeys } from "../../ui/controls/keys.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { Columns } from "../../ui/table/columns.tsx";
import { AuditList } from "../../ui/text/audit-list.tsx";
import { classes } from "../../ui/text/classes.ts";
import { Facts } from "../../ui/text/facts.tsx";
import { bytes, number, percentage, shortTime, span } from "../../ui/text/format.ts";
import { Empty, Loading, Notice } from "../../ui/text/notice.tsx";
import { State } from "../../ui/text/state.tsx";
import { Words } from "../../ui/text/words.tsx";
import { LoadPanel } from "./load-panel.tsx";
import css from "./node.module.css";
import { NodeSettings } from "./node-settings.tsx";
import { Revoke } from "./revoke.tsx";

const route = getRouteApi("/inside/nodes/$nodeId");

/** One node: what it is doing, what it can do, and its history. */
export const NodePage = () => {
  const { nodeId }: { nodeId: string } = route.useParams();
  const { data, error, refetch } = useQuery(nodeQuery(nodeId));
  const { data: nodes } = useQuery(nodesQuery);
  if (data) return <Shown view={{ ...data, node: nodes?.find(({ id }) => id === nodeId) ?? data.node }} />;
  if (!error) return <Loading what={t`node ${nodeId}`} rows={8} />;
  const isGone = error instanceof AppError && error.code === "NOT_FOUND";
  return (
    <Page title={t`Node ${nodeId}`}>
      <Empty title={isGone ? t`There is no node ${nodeId}. It may have been revoked.` : messageOf(error)}>
        <Link to="/nodes">
          <Trans>Go to Nodes</Trans>
        </Link>
        {!isGone && <TryAgain onClick={() => void refetch()} />}
      </Empty>
    </Page>
  );
};

const Shown = ({ view }: { readonly view: UiNode }) => {
  const { node } = view;
  const now = useNow();
  const mayChange = useMay("operator");
  return (
    <Page title={<Title node={node} />} name={node.name} actions={mayChange && <NodeActions node={node} />}>
      <p className={css.summary}>
        {stateMeans(nodeStateName(node))}. {notLentWords(node)}
        {node.presence === "off" && t`Off since ${shortTime(node.last_seen, now)}. `}
        {(node.presence === "late" || node.presence === "lost") &&
          t`Silent for ${span(now - Date.parse(node.last_seen))}. `}
        <Trans>
          <Plural value={node.running.length} one="# task" other="# tasks" /> on{" "}
          <Plural value={node.slots} one="# slot" other="# slots" /> (probes, copies and messages need none);{" "}
          <Plural value={view.done} one="# task" other="# tasks" /> done and {view.failed} failed within a day.
        </Trans>
      </p>
      {node.health.why && (
        <Notice tone="failed">
          <Trans>
            {node.health.why}. Until {shortTime(node.health.until, now)}, unless somebody activates it.
          </Trans>
        </Notice>
      )}
      <Lane node={node} />
      <Columns
        side={
          <>
            <LoadPanel node={node} />
            <Machine node={node} now={now} />
            {mayChange && (
              <Panel title={t`Settings`}>
                <div className={css.inset}>
                  <NodeSettings key={node.id} node={node} />
                  <Revoke node={node} />
                </div>
              </Panel>
            )}
          </>
        }
      >
        <Running node={node} />
        <Failures view={view} now={now} />
        <Panel title={t`History`} count={view.history.length}>
          {view.history.length === 0 ? (
            <Empty title={t`No changes yet.`} />
          ) : (
            <AuditList entries={view.history} now={now} />
          )}
        </Panel>
        <Panel title={t`What it can do`} count={view.capabilities.length}>
          <Abilities names={view.capabilities} />
        </Panel>
      </Columns>
    </Page>
  );
};

const Title = ({ node }: { readonly node: Node }) => (
  <div className={css.title}>
    <Link to="/nodes">
      <Trans>Nodes</Trans>
    </Link>
    <h1>
      <Words text={node.name} />
    </h1>
    <State state={nodeStateName(node)} />
  </div>
);

/** A lost node is only offered what makes sense: what happens when it returns. */
const NodeActions = ({ node }: { readonly node: Node }) => {
  const actions = useActions();
  const navigate = useNavigate();
  const set = (state: NodeState) => () => void actions.setNode(node, state);
  const drain = set(node.state === "drain" ? "active" : "drain");
  const pause = set(node.state === "paused" ? "active" : "paused");
  useKeys([
    { keys: "d", word: t`Drain the node, or undo it`, run: drain },
    { keys: "p", word: t`Pause the node, or undo it`, run: pause },
    { keys: "Escape", word: t`Back to Nodes`, run: () => void navigate({ to: "/nodes" }) },
  ]);
  return (
    <>
      {node.state === "pending" && (
        <Button onClick={set("active")}>
          <Trans>Let it work</Trans>
        </Button>
      )}
      {node.health.state !== "sound" && (
        <Button onClick={set("active")}>
          <Trans>Trust again</Trans>
        </Button>
      )}
      <Button hint="d" onClick={drain}>
        {node.state === "drain" ? t`Activate` : t`Drain`}
      </Button>
      <Button hint="p" onClick={pause}>
        {node.state === "paused" ? t`Activate` : t`Pause`}
      </Button>
    </>
  );
};

const Lane = ({ node }: { readonly node: Node }) => {
  const { data } = useQuery(timelineQuery(12, node.id));
  const navigate = useNavigate();
  if (!data) return null;
  const [line] = data.nodes;
  return (
    <Panel title={t`Last 12 hours`} className={css.lane}>
      <Timeline
        from={data.from}
        now={data.now}
        lines={[{ key: node.id, head: "", bars: line?.bars ?? [], downtimes: line?.downtimes }]}
        onOpen={({ job_id, task_id }) =>
          void navigate({ to: "/jobs/$jobId", params: { jobId: job_id }, search: { task: task_id } })
        }
      />
    </Panel>
  );
};

const Running = ({ node }: { readonly node: Node }) => (
  <Panel title={t`Running now`} count={node.running.length}>
    {node.running.length === 0 ? (
      <Empty title={t`Nothing runs here.`} />
    ) : (
      <ul className={css.list}>
        {node.running.map(({ task_id, job_id, name, progress }) => (
          <li key={task_id}>
            <Link to="/jobs/$jobId" params={{ jobId: job_id }} search={{ task: task_id }}>
              <Words text={name} />
            </Link>
            <span className={css.percent}>{percentage(progress)}</span>
          </li>
        ))}
      </ul>
    )}
  </Panel>
);

const Failures = ({ view: { failures }, now }: { readonly view: UiNode; readonly now: number }) => (
  <Panel title={t`Failures within a day`} count={failures.length}>
    {failures.length === 0 ? (
      <Empty title={t`Nothing failed here.`} />
    ) : (
      <ul className={classes(css.list, css.failures)}>
        {failures.map(({ task_id, job_id, name, at, message }) => (
          <li key={`${task_id} ${at}`}>
            <time dateTime={at}>{shortTime(at, now)}</time>
            <Link to="/jobs/$jobId" params={{ jobId: job_id }} search={{ task: task_id }}>
              <Words text={name} />
            </Link>
            <Words text={message} wraps className={css.quiet} />
          </li>
        ))}
      </ul>
    )}
  </Panel>
);

const Machine = ({ node, now }: { readonly node: Node; readonly now: number }) => {
  const facts: readonly (readonly [string, string])[] = [
    [
      t`Machine`,
      [
        node.machine.cpu,
        plural(node.machine.cores, { one: "# core", other: "# cores" }),
        bytes(node.machine.memory),
      ].join(", "),
    ],
    [t`System`, `${node.machine.os} (${node.platform})`],
    ...(node.machine.gpus ? [[t`GPUs`, number(node.machine.gpus)] as const] : []),
    ...(node.machine.disk ? [[t`Scratch disk`, bytes(node.machine.disk)] as const] : []),
    ["ffmpeg", node.ffmpeg ? `${node.ffmpeg.version}, ${node.ffmpeg.path}` : t`none`],
    [t`Tags`, node.tags.join(", ") || t`none`],
    [t`Group`, node.group ?? t`none`],
    [t`Folders`, node.roots.join("\n") || t`none`],
    [t`Mounts`, node.mounts.map(({ prefix, folder }) => `${prefix} → ${folder}`).join("\n") || t`none`],
    [t`Enrolled`, shortTime(node.enrolled, now)],
  ];
  return (
    <Panel title={t`Machine`}>
      <Facts rows={facts} className={css.facts} />
    </Panel>
  );
};

/** What operators call the kinds of abilities; another kind is shown by its own name. */
const kindWords: Readonly<Record<string, string>> = {
  "": t`Tools`,
  storage: t`Storage it reaches`,
  door: t`For these pages`,
  encoder: t`Encoders`,
  demuxer: t`File formats it reads`,
  muxer: t`File formats it writes`,
  filter: t`Filters`,
};
const kindOrder = Object.keys(kindWords);
const kindOf = (name: string): string => name.slice(0, Math.max(0, name.indexOf(":")));

/** Names of abilities that are no names of tools. */
const abilityWords: Readonly<Record<string, string>> = {
  "door:files": t`shows its folders`,
  "door:previews": t`makes previews`,
  request: t`web requests`,
  javascript: t`scripts`,
  email: t`e-mail`,
  container: t`containers`,
  file: t`files`,
};
const abilityWord = (name: string): string => abilityWords[name] ?? name.slice(name.indexOf(":") + 1);

/** Abilities by their kind: `encoder:libx264` is an encoder. */
const Abilities = ({ names }: { readonly names: readonly string[] }) => {
  const groups = [...Map.groupBy(names, kindOf)].sort(([a], [b]) => placeOf(a) - placeOf(b));
  if (names.length === 0) return <Empty title={t`Not reported yet.`} />;
  return (
    <div className={css.abilities}>
      {groups.map(([kind, list]) => (
        <details key={kind} open={list.length < 20}>
          <summary>
            {kindWords[kind] ?? kind} <span>{list.length}</span>
          </summary>
          <p>{list.map(abilityWord).join(", ")}</p>
        </details>
      ))}
    </div>
  );
};

const placeOf = (kind: string): number => (kindOrder.includes(kind) ? kindOrder.indexOf(kind) : kindOrder.length);

/** Why it is not lent now, and what its tasks do meanwhile. */
const notLentWords = ({ presence, lending }: Node): string => {
  if (presence !== "online" || !lending || lending.takes) return "";
  const why = `${lendingText(lending).replace(/\.$/, "")}. `;
  return lending.suspended ? `${why}${t`Its tasks are suspended.`} ` : why;
};
