import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import type { Node } from "../../../shared/node.ts";
import type { NodeUse } from "../../../shared/node-view.ts";
import { nodeStateName } from "../../../shared/state/labels.ts";
import type { NodeState } from "../../../shared/state/node.ts";
import { useActions } from "../../data/actions.ts";
import { useNow } from "../../data/link.ts";
import { loadsQuery, nodesQuery } from "../../data/queries.ts";
import { useMay } from "../../data/session.tsx";
import { stateWord } from "../../language/words.ts";
import { Meter } from "../../ui/bar.tsx";
import { Button } from "../../ui/button.tsx";
import { Chips } from "../../ui/chip.tsx";
import { useDensity } from "../../ui/density.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Failed } from "../../ui/failed.tsx";
import { bytes, number, percentage, shortTime, span } from "../../ui/format.ts";
import { useKeys } from "../../ui/keys.tsx";
import type { LastPlace } from "../../ui/last-place.ts";
import { Load, LoadHead } from "../../ui/load.tsx";
import { Empty, Loading } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { Segments } from "../../ui/segmented.tsx";
import { State } from "../../ui/state.tsx";
import { Table } from "../../ui/table.tsx";
import { TablePanel } from "../../ui/table-panel.tsx";
import type { Column } from "../../ui/table-row.tsx";
import { useNarrow } from "../../ui/use-narrow.ts";
import { Words } from "../../ui/words.tsx";
import { Join } from "./join.tsx";
import { Lanes } from "./lanes.tsx";
import css from "./nodes.module.css";
import { type NodeFilter, type NodesSearch, nodeViews, shownStates, spans } from "./search.ts";

const route = getRouteApi("/inside/nodes");

/** Which nodes work, which do not, and since when. */
export const NodesPage = () => {
  const { state, view, hours = 4 }: NodesSearch = route.useSearch();
  const show = (change: NodesSearch) =>
    void navigate({ to: "/nodes", search: (old: NodesSearch) => ({ ...old, ...change }) });
  const navigate = useNavigate();
  const now = useNow();
  const isNarrow = useNarrow();
  const { rowHeight } = useDensity();
  const mayChange = useMay("operator");
  const actions = useActions();
  const { data: nodes, error, refetch } = useQuery(nodesQuery);
  const { data: uses = noUses } = useQuery(loadsQuery);
  const [currentId, setCurrent] = useState<string>();
  const isOwner = useMay("owner");
  const [isAdding, setAdding] = useState(false);
  const current = nodes?.find(({ id }) => id === currentId);
  const rows = (nodes ?? []).filter((node) => state === undefined || nodeStateName(node) === state);
  const set = (node: Node, wanted: NodeState) => void actions.setNode(node, node.state === wanted ? "active" : wanted);
  const trust = (node: Node) => void actions.setNode(node, "active");
  useKeys(
    mayChange
      ? [
          { keys: "d", word: t`Drain the row's node, or undo it`, run: () => current && set(current, "drain") },
          { keys: "p", word: t`Pause the row's node, or undo it`, run: () => current && set(current, "paused") },
        ]
      : [],
  );
  return (
    <Page
      title={t`Nodes`}
      fills
      actions={
        <>
          {view === "timeline" && (
            <Segments
              label={t`Hours`}
              choices={spans.map((each) => [String(each), t`${each} h`] as const)}
              chosen={String(hours)}
              onChoose={(each) => show({ hours: Number(each) })}
            />
          )}
          <Segments
            label={t`View`}
            choices={nodeViews.map((each) => [each, each === "table" ? t`Table` : t`Timeline`] as const)}
            chosen={view ?? "table"}
            onChoose={(each) => show({ view: each === "timeline" ? each : undefined })}
          />
          <Link to="/farm">
            <Trans>Groups, limits, mounts</Trans>
          </Link>
          {isOwner && (
            <Button onClick={() => setAdding(true)}>
              <Trans>Add a node…</Trans>
            </Button>
          )}
        </>
      }
    >
      <Chips<NodeFilter | "all">
        label={t`Nodes by state`}
        choices={[
          { key: "all", word: t`All`, count: nodes?.length },
          ...shownStates.map((key) => ({
            key,
            word: stateWord(key),
            state: key,
            count: nodes?.filter((node) => nodeStateName(node) === key).length,
          })),
        ]}
        chosen={state ?? "all"}
        onChoose={(key) => show({ state: key === "all" ? undefined : key })}
      />
      <TablePanel label={t`List of nodes`}>
        {error && !nodes && <Failed error={error} onAgain={() => void refetch()} />}
        {!nodes && !error && <Loading what={t`nodes`} />}
        {nodes?.length === 0 && (
          <Empty title={t`No nodes yet.`}>
            {isOwner ? (
              <Join />
            ) : (
              <p>
                <Trans>An owner of the farm can find the command to add one here.</Trans>
              </p>
            )}
          </Empty>
        )}
        {nodes !== undefined && nodes.length > 0 && rows.length === 0 && (
          <Empty title={state ? t`No node is ${stateWord(state)}.` : ""}>
            <Link to="/nodes" search={{}}>
              <Trans>Clear the filter</Trans>
            </Link>
          </Empty>
        )}
        {rows.length > 0 && view === "timeline" && <Lanes nodes={rows} uses={uses} hours={hours} />}
        {rows.length > 0 && view === undefined && (
          <Table<Node>
            label={t`Nodes`}
            columns={columnsOf({ now, uses, mayChange, set, trust })}
            layout={css.layout ?? ""}
            rows={rows}
            keyOf={({ id }) => id}
            rowHeight={isNarrow ? 84 : rowHeight}
            isMeasured={isNarrow}
            chosen={current?.id ?? ""}
            onOpen={({ id }) => void navigate({ to: "/nodes/$nodeId", params: { nodeId: id } })}
            onFocusRow={({ id }) => setCurrent(id)}
            lastPlace={lastPlace}
          />
        )}
      </TablePanel>
      <Dialog title={t`Add a node`} isOpen={isAdding} onClose={() => setAdding(false)}>
        <Join />
      </Dialog>
    </Page>
  );
};

/** The row that somebody left for its node. */
const lastPlace: LastPlace = { key: undefined };

const noUses: ReadonlyMap<string, NodeUse> = new Map();

type Shown = {
  readonly now: number;
  readonly uses: ReadonlyMap<string, NodeUse>;
  readonly mayChange: boolean;
  readonly set: (node: Node, state: NodeState) => void;
  readonly trust: (node: Node) => void;
};

const columnsOf = ({ now, uses, mayChange, set, trust }: Shown): readonly Column<Node>[] => {
  const hasGpu = [...uses.values()].some(({ gpu }) => gpu !== null);
  const column = (key: string, title: ReactNode, cell: Column<Node>["cell"], align?: "end"): Column<Node> => ({
    key: css[key] ?? key,
    title,
    align,
    cell,
  });
  return [
    column("state", t`State`, (node) => <State state={nodeStateName(node)} word={wordOf(node, now)} />),
    column("name", t`Node`, ({ name, machine }) => (
      <>
        <Words text={name} className={css.title} />
        <Words text={machineWords(machine)} isOurs className={css.machine} />
      </>
    )),
    column("slots", t`Slots`, ({ slots, running }) => <Slots slots={slots} busy={running.length} />),
    column("load", <LoadHead hasGpu={hasGpu} />, ({ id }) => <Load use={uses.get(id)} hasGpu={hasGpu} />),
    column("running", t`Running now`, ({ running }) => <Running tasks={running} />),
    column("tags", t`Group, tags`, ({ tags, group }) => (
      <Words text={[...(group === null ? [] : [group]), ...tags].join(", ") || "–"} className={css.machine} />
    )),
    column(
      "seen",
      t`Seen`,
      ({ presence, last_seen }) => (presence === "online" ? t`now` : shortTime(last_seen, now)),
      "end",
    ),
    ...(mayChange
      ? [
          column("actions", t`Actions`, (node) => (
            // biome-ignore lint/a11y/noStaticElementInteractions: keeps a click on a button from opening the row
            // biome-ignore lint/a11y/useKeyWithClickEvents: the buttons have the keys
            <span className={css.buttons} onClick={(event) => event.stopPropagation()}>
              {node.health.state === "sound" ? (
                <Button onClick={() => set(node, "drain")}>{node.state === "drain" ? t`Activate` : t`Drain`}</Button>
              ) : (
                <Button onClick={() => trust(node)}>
                  <Trans>Trust again</Trans>
                </Button>
              )}
              <Button onClick={() => set(node, "paused")}>{node.state === "paused" ? t`Activate` : t`Pause`}</Button>
            </span>
          )),
        ]
      : []),
  ];
};

const wordOf = (node: Node, now: number): string => {
  const state = nodeStateName(node);
  const isSilent = state === "late" || state === "lost";
  return isSilent ? `${stateWord(state)} ${span(now - Date.parse(node.last_seen))}` : stateWord(state);
};

/** What fits beside the name; the node's page has the rest. */
const machineWords = ({ cores, memory }: Node["machine"]): string =>
  [plural(cores, { one: "# core", other: "# cores" }), bytes(memory)].join(", ");

/** More slots than this are shown as numbers. */
const mostCells = 12;

const Slots = ({ slots, busy }: { readonly slots: number; readonly busy: number }) => (
  <span className={css.cells}>
    {slots <= mostCells &&
      Array.from({ length: slots }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: cells are all alike
        <span key={at} className={at < busy ? css.busy : undefined} />
      ))}
    <span
      className={css.number}
      title={busy > slots ? t`Probes, copies and messages run beside the slots: ${busy - slots} now` : undefined}
    >
      {Math.min(busy, slots)}/{slots}
      {busy > slots && ` +${number(busy - slots)}`}
    </span>
  </span>
);

/** The first of its tasks, and how many others there are: a row is one line. */
const Running = ({ tasks: [first, ...others] }: { readonly tasks: Node["running"] }) => {
  if (!first) return null;
  return (
    <span className={css.tasks}>
      <Link
        to="/jobs/$jobId"
        params={{ jobId: first.job_id }}
        search={{ task: first.task_id }}
        onClick={(event) => event.stopPropagation()}
        className={css.task}
      >
        <Words text={first.name} />
      </Link>
      {others.length > 0 && (
        <span className={css.more} title={others.map(({ name }) => name.slice(0, 80)).join("\n")}>
          <Trans>+{others.length} more</Trans>
        </span>
      )}
      <span className={css.meter}>
        <Meter percent={first.progress} label={t`Progress`} />
      </span>
      <span className={css.percent}>{percentage(first.progress)}</span>
    </span>
  );
};
