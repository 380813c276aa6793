import { Script } from "node:vm";
import { isHiddenFrom, matchesWildcard, type Selection } from "../../shared/files/file-selection.ts";
import { definitionError } from "../../shared/model/failure.ts";

/** Time for one set of names: a slower expression would not end in reasonable time. */
const patienceMs = 300;

const search = new Script("const fits = new RegExp(regex, 'u'); names.filter((name) => fits.test(name))");

/** The names that match the selection. Regular expressions come from jobs: one that takes too long is refused. */
export const selectNames = (names: readonly string[], selection: Selection): string[] => {
  const shown = names.filter((name) => !isHiddenFrom(name, selection));
  const { pattern } = selection;
  if ("wildcard" in pattern) return shown.filter((name) => matchesWildcard(name, pattern.wildcard));
  try {
    return search.runInNewContext({ names: shown, regex: pattern.regex }, { timeout: patienceMs });
  } catch (error) {
    // The error may come from the other context, whose Error class is not ours.
    const isSlow = Object(error).code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
    const why = isSlow ? "takes too long" : "cannot be used";
    throw definitionError(`The regex ${pattern.regex} ${why}`);
  }
};
