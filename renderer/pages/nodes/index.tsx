import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { NodePace, NodeUse } from "../../../shared/api/node-view.ts";
import type { Node } from "../../../shared/model/node.ts";
import { nodeStateName } from "../../../shared/model/state-labels.ts";
import type { NodeState } from "../../../shared/state/node.ts";
import { useActions } from "../../data/actions.ts";
import { useNow } from "../../data/link.ts";
import { type NodeFilter, shownStates } from "../../data/node-filters.ts";
import { loadsQuery, nodesQuery, pacesQuery } from "../../data/queries.ts";
import { useMay } from "../../data/session.tsx";
import { stateWord } from "../../language/words.ts";
import { useDensity } from "../../ui/browser/density.ts";
import { useNarrow } from "../../ui/browser/use-narrow.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Chips } from "../../ui/controls/chip.tsx";
import { Failed } from "../../ui/controls/failed.tsx";
import { useKeys } from "../../ui/controls/keys.tsx";
import { Segments } from "../../ui/controls/segmented.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { Dialog } from "../../ui/overlays/dialog.tsx";
import type { ScrollMemory } from "../../ui/table/scroll-memory.ts";
import { Table } from "../../ui/table/table.tsx";
import { TablePanel } from "../../ui/table/table-panel.tsx";
import { Empty, Loading } from "../../ui/text/notice.tsx";
import { nodeColumns } from "./columns.tsx";
import { Join } from "./join.tsx";
import { Lanes } from "./lanes.tsx";
import { searchNodes, sortNodes } from "./node-order.ts";
import css from "./nodes.module.css";
import { type NodesSearch, nodesSortedBy, nodeViews, spans } from "./search.ts";
import { NodeSearch } from "./search-box.tsx";
import { SlowNodes } from "./slow-nodes.tsx";

const route = getRouteApi("/inside/nodes");

/** Which nodes work, which do not, and since when. */
export const NodesPage = () => {
  const search: NodesSearch = route.useSearch();
  const { state, view, hours = 4, text } = search;
  const navigate = useNavigate();
  const show = (change: NodesSearch) =>
    void navigate({ to: "/nodes", search: (old: NodesSearch) => ({ ...old, ...change }) });
  const { data: nodes, error, refetch } = useQuery(nodesQuery);
  const isOwner = useMay("owner");
  const [isAdding, setAdding] = useState(false);
  const { data: paces = noPaces } = useQuery(pacesQuery(text ?? ""));
  const inState = (nodes ?? noNodes).filter((node) => state === undefined || nodeStateName(node) === state);
  const rows = sortNodes(searchNodes(inState, paces, text), paces, search);
  return (
    <Page
      title={t`Nodes`}
      fills
      actions={
        <>
          <NodeSearch text={text} />
          <ViewChoices view={view} hours={hours} onChange={show} />
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
      <StateChips nodes={nodes} state={state} onChoose={(chosen) => show({ state: chosen })} />
      <SlowNodes nodes={nodes ?? noNodes} paces={paces} />
      <TablePanel label={t`List of nodes`}>
        {error && !nodes && <Failed error={error} onAgain={() => void refetch()} />}
        {!nodes && !error && <Loading what={t`nodes`} />}
        {nodes && rows.length === 0 && <NoNodes {...(nodes.length > 0 ? { state, text } : {})} />}
        {rows.length > 0 && (
          <Rows
            {...{ nodes: rows, paces, view, hours, search }}
            onSort={(wanted) => show(nodesSortedBy(search, wanted))}
          />
        )}
      </TablePanel>
      <Dialog title={t`Add a node`} isOpen={isAdding} onClose={() => setAdding(false)}>
        <Join />
      </Dialog>
    </Page>
  );
};

type ViewProps = Pick<NodesSearch, "view"> & {
  readonly hours: number;
  readonly onChange: (change: NodesSearch) => void;
};

const ViewChoices = ({ view, hours, onChange }: ViewProps) => (
  <>
    {view === "timeline" && (
      <Segments
        label={t`Hours`}
        choices={spans.map((each) => [String(each), t`${each} h`] as const)}
        chosen={String(hours)}
        onChoose={(each) => onChange({ hours: Number(each) })}
      />
    )}
    <Segments
      label={t`View`}
      choices={nodeViews.map((each) => [each, each === "table" ? t`Table` : t`Timeline`] as const)}
      chosen={view ?? "table"}
      onChoose={(each) => onChange({ view: each === "timeline" ? each : undefined })}
    />
  </>
);

type ChipsProps = {
  readonly nodes: readonly Node[] | undefined;
  readonly state: NodeFilter | undefined;
  readonly onChoose: (state: NodeFilter | undefined) => void;
};

const StateChips = ({ nodes, state, onChoose }: ChipsProps) => (
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
    onChoose={(key) => onChoose(key === "all" ? undefined : key)}
  />
);

/** No node at all, or none in the chosen state. */
const NoNodes = ({ state, text }: Pick<NodesSearch, "state" | "text">) => {
  const isOwner = useMay("owner");
  if (state !== undefined || text !== undefined)
    return (
      <Empty
        title={
          state !== undefined && text === undefined
            ? t`No node is ${stateWord(state)}.`
            : t`No node fits “${(text ?? "").slice(0, 80)}”.`
        }
      >
        <Link to="/nodes" search={{}}>
          <Trans>Clear the filter</Trans>
        </Link>
      </Empty>
    );
  return (
    <Empty title={t`No nodes yet.`}>
      {isOwner ? (
        <Join />
      ) : (
        <p>
          <Trans>An owner of the farm can find the command to add one here.</Trans>
        </p>
      )}
    </Empty>
  );
};

type RowsProps = Pick<NodesSearch, "view"> & {
  readonly nodes: readonly Node[];
  readonly paces: ReadonlyMap<string, NodePace>;
  readonly hours: number;
  readonly search: NodesSearch;
  readonly onSort: (wanted: string) => void;
};

const Rows = ({ nodes, paces, view, hours, search, onSort }: RowsProps) => {
  const navigate = useNavigate();
  const now = useNow();
  const isNarrow = useNarrow();
  const { rowHeight } = useDensity();
  const mayChange = useMay("operator");
  const actions = useActions();
  const { data: uses = noUses } = useQuery(loadsQuery);
  const [currentId, setCurrent] = useState<string>();
  const current = nodes.find(({ id }) => id === currentId);
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
  if (view === "timeline") return <Lanes nodes={nodes} uses={uses} hours={hours} />;
  return (
    <Table<Node>
      label={t`Nodes`}
      columns={nodeColumns({ now, uses, paces, mayChange, set, trust })}
      layout={css.layout ?? ""}
      rows={nodes}
      keyOf={({ id }) => id}
      rowHeight={isNarrow ? 84 : rowHeight}
      isMeasured={isNarrow}
      chosen={current?.id ?? ""}
      {...(search.sort !== undefined && { sorting: { key: search.sort, order: search.order ?? "asc" } })}
      onSort={onSort}
      onOpen={({ id }) => void navigate({ to: "/nodes/$nodeId", params: { nodeId: id } })}
      onFocusRow={({ id }) => setCurrent(id)}
      lastPlace={lastPlace}
    />
  );
};

/** The row that somebody left for its node. */
const lastPlace: ScrollMemory = { key: undefined };

const noNodes: readonly Node[] = [];
const noPaces: ReadonlyMap<string, NodePace> = new Map();
const noUses: ReadonlyMap<string, NodeUse> = new Map();
