import { TaskError } from "../../shared/model/failure.ts";
import { maxResultCharacters, type StepResult } from "../../shared/model/step-result.ts";
import type { Intent } from "../../shared/work/work.ts";

/** The results of an attempt's steps, which later steps can use and which travel with the intent. */
export const createAttemptResults = () => {
  const results = new Map<string, StepResult>();
  return {
    results,
    keepResult: (id: string, result: StepResult): void => {
      const size = JSON.stringify(result.value).length;
      if (size > maxResultCharacters)
        throw new TaskError(
          "resources",
          `${id} returned ${size} characters, more than the limit of ${maxResultCharacters}`,
        );
      results.set(id, result);
    },
    addTo: (intent: Intent): Intent =>
      results.size > 0 ? { ...intent, results: Object.fromEntries(results) } : intent,
  };
};
