import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { type RefObject, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { UiElement, UiJob } from "../../../../shared/api/job-view.ts";
import { elementStateName, type StateName, states } from "../../../../shared/model/state-labels.ts";
import { stateMeans, stateWord, translated } from "../../../language/words.ts";
import { Bar } from "../../../ui/charts/bar.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { classes } from "../../../ui/text/classes.ts";
import { number, percentage } from "../../../ui/text/format.ts";
import { Glyph } from "../../../ui/text/glyph.tsx";
import stateCss from "../../../ui/text/state.module.css";
import { Words } from "../../../ui/text/words.tsx";
import css from "./graph.module.css";
import { type Box, layOut, layOutEdges, placeElements, type Size } from "./layout.ts";

const card = { width: 142, height: 60 };
/** Of an element with many runs or tasks: one cell each, in rows. */
const wideCard = { width: 200, cells: 22, rowHeight: 12 };
/** Smaller words cannot be read: a graph that is still wider begins at its left and scrolls. */
const leastScale = 0.6;
const padding = 32;
/** Room for an arrow, and for the word on it in any language. */
const gapX = 44;
const gapY = 16;

/** The job's elements from left to right, with the paths it took. A card shows its element's tasks. */
export const Graph = ({
  view,
  chosen,
  onChoose,
}: {
  readonly view: UiJob;
  readonly chosen: string | undefined;
  readonly onChoose: (element: string | undefined) => void;
}) => {
  const { elements, connections, tasks } = view;
  const places = useMemo(() => placeElements(elements, connections), [elements, connections]);
  const byElement = useMemo(() => Map.groupBy(tasks, (task) => task.element_uid), [tasks]);
  const tasksOf = (uid: string) => byElement.get(uid) ?? [];
  const sizes = new Map(elements.map((element) => [element.uid, sizeOf(element, tasksOf(element.uid))]));
  const { boxes, width, height } = layOut(places, (uid) => sizes.get(uid) ?? card, { x: gapX, y: gapY });
  const edges = layOutEdges(elements, connections);
  const scroller = useRef<HTMLDivElement>(null);
  const scale = useFit(scroller, width);
  return (
    <Panel title={t`Elements`} count={number(elements.length)} aid={<Legend />}>
      <div ref={scroller} className={css.scroller}>
        <div className={css.space} style={{ width, height, zoom: scale }}>
          <Edges {...{ edges, boxes, width, height }} />
          <ul>
            {elements.map((element) => {
              const box = boxes.get(element.uid);
              return box ? (
                <li
                  key={element.uid}
                  className={css.place}
                  style={{ left: box.x, top: box.y, width: box.width, height: box.height }}
                >
                  <Card
                    element={element}
                    state={stateOf(element, tasksOf(element.uid))}
                    note={noteOf(element, tasksOf(element.uid))}
                    tasks={tasksOf(element.uid)}
                    isChosen={chosen === element.uid}
                    onChoose={() => onChoose(chosen === element.uid ? undefined : element.uid)}
                  />
                </li>
              ) : null;
            })}
          </ul>
        </div>
      </div>
    </Panel>
  );
};

/** How much smaller a graph of this width is drawn, so that all of it is in sight. */
const useFit = (of: RefObject<HTMLElement | null>, width: number): number => {
  const [room, setRoom] = useState(0);
  useLayoutEffect(() => {
    const element = of.current;
    if (!element) return;
    const watch = new ResizeObserver(() => setRoom(element.clientWidth - padding));
    watch.observe(element);
    return () => watch.disconnect();
  }, [of]);
  return room <= 0 || width <= room ? 1 : Math.max(leastScale, room / width);
};

type EdgesProps = {
  readonly edges: ReturnType<typeof layOutEdges>;
  readonly boxes: ReadonlyMap<string, Box>;
  readonly width: number;
  readonly height: number;
};

const Edges = ({ edges, boxes, width, height }: EdgesProps) => (
  <svg className={css.edges} width={width} height={height} aria-hidden="true">
    <defs>
      <marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="6" markerHeight="6" orient="auto">
        <path d="M0 0 8 4 0 8z" fill="context-stroke" />
      </marker>
    </defs>
    {edges.map(({ from, to, on, way }) => {
      const [a, b] = [boxes.get(from), boxes.get(to)];
      return a && b ? (
        <g key={`${from} ${to} ${on}`}>
          <path className={css[way]} d={pathOf(a, b)} markerEnd="url(#arrow)" />
          {on === "error" && (
            <text className={css.errorWord} x={b.x - 6} y={middleOf(b) + 14}>
              {t`error`}
            </text>
          )}
        </g>
      ) : null;
    })}
  </svg>
);

/** If all remaining tasks wait, nothing is running, even though the element has begun. */
const stateOf = (element: UiElement, tasks: UiJob["tasks"]): StateName => {
  const state = elementStateName(element);
  const isIdle = tasks.some(({ status }) => status === "queued") && !tasks.some(({ status }) => status === "running");
  return state === "running" && isIdle ? "queued" : state;
};

const Card = ({
  element,
  state,
  note,
  tasks,
  isChosen,
  onChoose,
}: {
  readonly element: UiElement;
  readonly state: StateName;
  readonly note: string;
  readonly tasks: UiJob["tasks"];
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}) => {
  return (
    <button
      type="button"
      className={classes(css.card, state === "notTaken" && css.skipped, state === "running" && css.running)}
      aria-pressed={isChosen}
      title={t`${stateWord(state)}: ${stateMeans(state)}. Shows its tasks.`}
      onClick={onChoose}
    >
      <span className={classes(stateCss.state, stateCss[states[state].hue])}>
        <Glyph state={state} />
        <span className="unseen">{stateWord(state)}</span>
      </span>
      <Words text={element.name || element.uid} className={css.name} />
      <span className={css.note}>{note}</span>
      <Parts element={element} tasks={tasks} />
    </button>
  );
};

/** More cells than these say less than a bar. */
const mostCells = 4 * wideCard.cells;

const workOf = (tasks: UiJob["tasks"]) => tasks.filter(({ purpose }) => purpose === "work");

/** Wide enough for a cell of every run or task, where there are many. */
const sizeOf = ({ instances }: UiElement, tasks: UiJob["tasks"]): Size => {
  const count = instances?.total ?? workOf(tasks).length;
  if (count <= wideCard.cells / 2 || count > mostCells) return card;
  const rows = Math.ceil(count / wideCard.cells);
  return { width: wideCard.width, height: card.height + (rows - 1) * wideCard.rowHeight };
};

/** One cell a run or task; a bar where they are too many to tell apart. */
const Parts = ({ element, tasks }: { readonly element: UiElement; readonly tasks: UiJob["tasks"] }) => {
  const work = workOf(tasks);
  const counts = element.instances ? countsOf(element.instances) : countsOfTasks(work);
  const count = element.instances?.total ?? work.length;
  if (!element.instances && count < 2) return null;
  if (count > mostCells)
    return (
      <span className={css.runs}>
        <Bar counts={counts} label={t`Runs of ${element.uid}`} />
      </span>
    );
  const cells = cellOrder.flatMap((state) => Array.from<typeof state>({ length: counts[state] }).fill(state));
  return (
    <span className={css.cells} aria-hidden="true">
      {cells.map((state, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: cells are all alike
        <span key={at} className={css[`${state}Cell`]} />
      ))}
    </span>
  );
};

const cellOrder = ["completed", "failed", "running", "queued"] as const;

const countsOfTasks = (tasks: UiJob["tasks"]) => {
  const count = (wanted: UiJob["tasks"][number]["status"]) => tasks.filter(({ status }) => status === wanted).length;
  return { completed: count("completed"), running: count("running"), failed: count("failed"), queued: count("queued") };
};

const countsOf = ({ total, running, succeeded, failed, skipped }: NonNullable<UiElement["instances"]>) => {
  const queued = total - running - succeeded - failed - skipped;
  return { completed: succeeded, running, failed, queued };
};

const noteOf = ({ title, state, instances }: UiElement, tasks: UiJob["tasks"]): string => {
  const kind = translated(title);
  if (instances) {
    const { total, succeeded, failed } = instances;
    const done = t`${kind}, ${number(succeeded)} of ${number(total)}`;
    return failed > 0 ? t`${done}, ${number(failed)} failed` : done;
  }
  const work = workOf(tasks);
  if (work.length === 0) return state === "planning" ? t`Looking at the source` : kind;
  const [only] = work;
  if (only && work.length === 1) return only.status === "running" ? t`${kind}, ${percentage(only.progress)}` : kind;
  const done = work.filter(({ status }) => status === "completed").length;
  return t`${kind}, ${number(done)} of ${number(work.length)}`;
};

const Legend = () => (
  <p className={css.legend}>
    <svg width="24" height="4" aria-hidden="true">
      <path className={css.taken} d="M0 2h24" />
    </svg>
    <Trans>taken</Trans>
    <svg width="24" height="4" aria-hidden="true">
      <path className={css.open} d="M0 2h24" />
    </svg>
    <Trans>not decided</Trans>
    <svg width="24" height="4" aria-hidden="true">
      <path className={css.notTaken} d="M0 2h24" />
    </svg>
    <Trans>not taken</Trans>
  </p>
);

const middleOf = ({ y, height }: Box): number => y + height / 2;

/** From the right of one card to the left of another, with a step between them. */
const pathOf = (from: Box, to: Box): string => {
  const [startX, startY] = [from.x + from.width, middleOf(from)];
  const [endX, endY] = [to.x - 1, middleOf(to)];
  const middle = endX - gapX / 2;
  return startY === endY ? `M${startX} ${startY}H${endX}` : `M${startX} ${startY}H${middle}V${endY}H${endX}`;
};
