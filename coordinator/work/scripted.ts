import { TaskError } from "../../shared/causes.ts";
import type { AnyElement, ElementResults, Modification } from "../../shared/elements/element.ts";
import { elementOf } from "../../shared/elements/index.ts";
import { ancestorsOf } from "../../shared/graph.ts";
import { readResult } from "../../shared/results/index.ts";
import { withVariables } from "../../shared/variables.ts";
import type { JobValue } from "../memory/values.ts";
import type { ElementRunRow } from "../store/rows.ts";
import type { Farm } from "./farm.ts";
import { openPayload } from "./sealed.ts";

/** The payload with the variables that earlier scripts set. */
export const payloadOf = (
  farm: Farm,
  { uid, spec }: ElementRunRow,
  element: AnyElement,
  analyses: readonly ElementResults[],
) => {
  const payload = openPayload(farm.vault, spec.payload);
  if (!spec.variables) return element.payload.parse(payload);
  const parsed = element.payload.safeParse(withVariables(payload, spec.variables, variablesIn(analyses)));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new TaskError(
    "definition",
    `${uid}.payload.${issue?.path.join(".")} ${issue?.message}, as a script has set it`,
  );
};

/** Variables set by scripts; the nearest script wins. */
const variablesIn = (analyses: readonly ElementResults[]) =>
  Object.assign(
    {},
    ...analyses
      .toReversed()
      .flatMap(({ results }) => Object.values(results).map((each) => readResult("script", each)?.variables ?? {})),
  );

/** The changes to this element by elements that have run. */
export const modificationsOf = (farm: Farm, uid: string, { runs, connections }: JobValue): Modification[] =>
  ancestorsOf(uid, connections).flatMap((each) => {
    const run = runs.get(each);
    const element = run && elementOf(run.kind);
    if (!element?.modifies || run?.state !== "succeeded") return [];
    const changes = element.modifies(element.payload.parse(openPayload(farm.vault, run.spec.payload)));
    return changes.filter(({ target }) => target === uid);
  });
