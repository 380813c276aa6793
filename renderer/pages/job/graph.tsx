import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useMemo } from "react";
import type { UiElement, UiJob } from "../../../shared/job-view.ts";
import { elementStateName, type StateName, states } from "../../../shared/state/labels.ts";
import { stateMeans, stateWord, translated } from "../../language/words.ts";
import { Bar } from "../../ui/bar.tsx";
import { classes } from "../../ui/classes.ts";
import { number } from "../../ui/format.ts";
import { Glyph } from "../../ui/glyph.tsx";
import { Panel } from "../../ui/panel.tsx";
import stateCss from "../../ui/state.module.css";
import { Words } from "../../ui/words.tsx";
import css from "./graph.module.css";
import { edgesOf, type Placed, placeElements } from "./layout.ts";

const cardWidth = 156;
const cardHeight = 60;
const gapX = 32;
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
  const byUid = new Map(places.map((place) => [place.uid, place]));
  const width = Math.max(...places.map((place) => x(place))) + cardWidth;
  const height = Math.max(...places.map((place) => y(place))) + cardHeight;
  const edges = edgesOf(elements, connections);
  const tasksOf = (uid: string) => tasks.filter((task) => task.element_uid === uid);
  return (
    <Panel
      title={t`Elements`}
      count={plural(elements.length, { one: "# element", other: "# elements" })}
      aid={<Legend />}
    >
      <div className={css.scroller}>
        <div className={css.space} style={{ width, height }}>
          <svg className={css.edges} width={width} height={height} aria-hidden="true">
            <defs>
              <marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="6" markerHeight="6" orient="auto">
                <path d="M0 0 8 4 0 8z" fill="context-stroke" />
              </marker>
            </defs>
            {edges.map(({ from, to, on, way }) => {
              const [a, b] = [byUid.get(from), byUid.get(to)];
              return a && b ? (
                <path key={`${from} ${to} ${on}`} className={css[way]} d={pathOf(a, b)} markerEnd="url(#arrow)" />
              ) : null;
            })}
          </svg>
          <ul>
            {elements.map((element) => {
              const place = byUid.get(element.uid);
              return place ? (
                <li key={element.uid} className={css.place} style={{ left: x(place), top: y(place) }}>
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
      {element.instances ? (
        <span className={css.runs}>
          <Bar counts={countsOf(element.instances)} label={t`Runs of ${element.uid}`} />
        </span>
      ) : (
        <Cells tasks={tasks} />
      )}
    </button>
  );
};

/** More than these cannot be distinguished. */
const mostCells = 32;

/** One cell per task, in order; for many tasks, each cell stands for several and shows the worst of them. */
const Cells = ({ tasks }: { readonly tasks: UiJob["tasks"] }) => {
  const work = tasks.filter(({ purpose }) => purpose === "work");
  if (work.length < 2) return null;
  const size = Math.ceil(work.length / mostCells);
  const groups = Array.from({ length: Math.ceil(work.length / size) }, (_, at) =>
    work.slice(at * size, (at + 1) * size),
  );
  return (
    <span className={css.cells} aria-hidden="true">
      {groups.map((group) => (
        <span key={group[0]?.id} className={css[worstOf(group)]} />
      ))}
    </span>
  );
};

const worstFirst = ["failed", "running", "queued", "completed"] as const;
const worstOf = (tasks: UiJob["tasks"]): (typeof worstFirst)[number] =>
  worstFirst.find((status) => tasks.some((task) => task.status === status)) ?? "queued";

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
  const work = tasks.filter(({ purpose }) => purpose === "work");
  if (state === "planning") return t`Looking at the source`;
  if (work.length === 0) return kind;
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

const x = ({ column }: Placed): number => column * (cardWidth + gapX);
const y = ({ row }: Placed): number => row * (cardHeight + gapY);

/** From the right of one card to the left of another, with a step between them. */
const pathOf = (from: Placed, to: Placed): string => {
  const [startX, startY] = [x(from) + cardWidth, y(from) + cardHeight / 2];
  const [endX, endY] = [x(to) - 1, y(to) + cardHeight / 2];
  const middle = endX - gapX / 2;
  return startY === endY ? `M${startX} ${startY}H${endX}` : `M${startX} ${startY}H${middle}V${endY}H${endX}`;
};
