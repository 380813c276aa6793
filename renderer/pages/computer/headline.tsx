import { plural, t } from "@lingui/core/macro";
import type { Computer, ComputerState } from "../../../shared/desktop/ipc.ts";
import type { ReturnWay } from "../../../shared/lending/lending.ts";
import { type StateName, states } from "../../../shared/model/state-labels.ts";
import { classes } from "../../ui/text/classes.ts";
import { Glyph } from "../../ui/text/glyph.tsx";
import stateCss from "../../ui/text/state.module.css";
import css from "./computer.module.css";
import { computerTitle, computerWords } from "./state-words.ts";

/** The page's headline: the state, and below it the reason and what happens next. */
export const Headline = ({ computer }: { readonly computer: Computer }) => {
  const look = lookOf(computer);
  return (
    <div className={css.headline}>
      <h1 aria-live="polite">
        <span className={classes(stateCss.state, stateCss[states[look].hue])}>
          <Glyph state={look} size={18} />
        </span>
        <span>{sentenceOf(computer)}</span>
      </h1>
      <p className={css.quiet}>
        <span>{computerWords(computer)}</span>{" "}
        {computer.state === "lending" && promises[computer.rules.onReturn](computer.rules.holdMin)}
      </p>
    </div>
  );
};

const sentenceOf = (computer: Computer): string => {
  const { name, state, report } = computer;
  if (state !== "lending") return `${name}: ${computerTitle(computer)}`;
  const running = report?.running.length ?? 0;
  return plural(running, {
    0: `${name} is lending. No task runs now.`,
    one: `${name} is lending. # task is running.`,
    other: `${name} is lending. # tasks are running.`,
  });
};

/** What stopping will do. */
const promises: Readonly<Record<ReturnWay, (holdMin: number) => string>> = {
  suspend: (minutes) =>
    t`When lending stops, they are suspended at once. After ${minutes} min they start again on other computers.`,
  finish: () => t`When lending stops, they finish; no new ones start.`,
  requeue: () => t`When lending stops, they end at once and start again on other computers.`,
};

const lookOf = ({ state, report }: Computer): StateName =>
  state === "lending" && report?.running.length === 0 ? "idle" : looks[state];

/** The glyph and hue of each state, from the table that all pages use. */
const looks: Readonly<Record<ComputerState, StateName>> = {
  new: "idle",
  starting: "late",
  unreachable: "lost",
  failed: "failed",
  paused: "paused",
  lending: "working",
  soon: "late",
  inUse: "inUse",
  busy: "inUse",
  outOfHours: "scheduled",
  stopped: "stopped",
  never: "stopped",
  fullScreen: "inUse",
  program: "inUse",
  battery: "paused",
  diskLow: "paused",
  asleep: "paused",
};
