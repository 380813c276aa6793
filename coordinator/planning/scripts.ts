import { TaskError } from "../../shared/causes.ts";
import type { AnyElement, ElementResults, Modification } from "../../shared/elements/element.ts";
import { elementOf } from "../../shared/elements/index.ts";
import { ancestorsOf } from "../../shared/instances/feeders.ts";
import type { Instance } from "../../shared/instances/graph.ts";
import { instanceName } from "../../shared/instances/path.ts";
import { readResult } from "../../shared/results/index.ts";
import { withVariables } from "../../shared/variables.ts";
import type { Draft } from "../memory/draft.ts";
import type { JobValue } from "../memory/job-value.ts";
import type { ElementRunRow } from "../store/rows.ts";
import type { Farm } from "./farm.ts";
import { openPayload } from "./sealed.ts";

/** The payload with the variables that earlier scripts have set. */
export const payloadOf = (
  farm: Farm,
  { uid, path, spec }: ElementRunRow,
  element: AnyElement,
  analyses: () => readonly ElementResults[],
) => {
  const payload = openPayload(farm.vault, spec.payload);
  if (!spec.variables) return element.payload.parse(payload);
  const parsed = element.payload.safeParse(withVariables(payload, spec.variables, variablesIn(analyses())));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new TaskError(
    "definition",
    `${instanceName(uid, path)}.payload.${issue?.path.join(".")} ${issue?.message}, as a script has set it`,
  );
};

/** The variables that scripts have set; the nearest script wins. */
const variablesIn = (analyses: readonly ElementResults[]) =>
  Object.assign(
    {},
    ...analyses
      .toReversed()
      .flatMap(({ results }) => Object.values(results).map((each) => readResult("script", each)?.variables ?? {})),
  );

/** What elements that have run changed in this element. */
export const modificationsOf = (farm: Farm, draft: Draft, job: JobValue, instance: Instance): Modification[] => {
  if (!job.modifies) return [];
  return ancestorsOf(job.graph, instance).flatMap((each) => {
    const run = draft.run(job.id, each);
    const element = run && elementOf(run.kind);
    if (!element?.modifies || run?.state !== "succeeded") return [];
    const changes = element.modifies(element.payload.parse(openPayload(farm.vault, run.spec.payload)));
    return changes.filter(({ target }) => target === instance.uid);
  });
};
