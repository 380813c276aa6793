import { type StateName, states } from "../../shared/state/labels.ts";
import css from "./chip.module.css";
import { classes } from "./classes.ts";
import { number } from "./format.ts";
import { Glyph } from "./glyph.tsx";
import stateCss from "./state.module.css";

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
