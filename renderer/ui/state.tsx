import { type StateName, states } from "../../shared/state/labels.ts";
import { classes } from "./classes.ts";
import { Glyph } from "./glyph.tsx";
import css from "./state.module.css";

/** A state as glyph and word in its hue. */
export const State = ({ state, word }: { readonly state: StateName; readonly word?: string }) => (
  <span className={classes(css.state, css[states[state].hue])} title={states[state].means}>
    <Glyph state={state} />
    {word ?? states[state].word}
  </span>
);
