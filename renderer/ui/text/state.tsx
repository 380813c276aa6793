import { type StateName, states } from "../../../shared/model/state-labels.ts";
import { stateMeans, stateWord } from "../../language/words.ts";
import { classes } from "./classes.ts";
import { Glyph } from "./glyph.tsx";
import css from "./state.module.css";

/** A state as glyph and word in its hue. */
export const State = ({ state, word }: { readonly state: StateName; readonly word?: string }) => (
  <span className={classes(css.state, css[states[state].hue])} title={stateMeans(state)}>
    <Glyph state={state} />
    {word ?? stateWord(state)}
  </span>
);
