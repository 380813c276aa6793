import { type StateName, states } from "../../../shared/model/state-labels.ts";
import { classes } from "../text/classes.ts";
import { number } from "../text/format.ts";
import { Glyph } from "../text/glyph.tsx";
import stateCss from "../text/state.module.css";
import css from "./chip.module.css";

export type ChipChoice<Key extends string> = {
  readonly key: Key;
  readonly word: string;
  readonly state?: StateName;
  readonly count: number | undefined;
};

/** A filter with counts: one chip is on. Chips at zero stay. */
export const Chips = <Key extends string>({
  label,
  choices,
  chosen,
  onChoose,
}: {
  readonly label: string;
  readonly choices: readonly ChipChoice<Key>[];
  readonly chosen: Key;
  readonly onChoose: (key: Key) => void;
}) => (
  // biome-ignore lint/a11y/useSemanticElements: a fieldset lays its legend and children out in its own way
  <div className={css.chips} role="group" aria-label={label}>
    {choices.map(({ key, word, state, count }) => (
      <button
        key={key}
        type="button"
        className={classes(css.chip, count === 0 && css.zero)}
        aria-pressed={key === chosen}
        onClick={() => onChoose(key)}
      >
        {state && (
          <span className={classes(stateCss.state, count !== 0 && stateCss[states[state].hue])}>
            <Glyph state={state} />
          </span>
        )}
        {word} {count !== undefined && <b>{number(count)}</b>}
      </button>
    ))}
  </div>
);
