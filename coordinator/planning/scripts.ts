import type { AnyElement, ElementResults, Modification } from "../../media/elements/element.ts";
import { elementOf } from "../../media/elements/index.ts";
import { ancestorsOf } from "../../media/instances/feeders.ts";
import type { Instance } from "../../media/instances/graph-state.ts";
import { instanceName } from "../../media/instances/path.ts";
import { readResult } from "../../media/results/index.ts";
import { TaskError } from "../../shared/model/failure.ts";
import { withVariables } from "../../shared/model/variables.ts";
import type { JobValue } from "../kernel/job-value.ts";
import type { Transaction } from "../kernel/transaction.ts";
import { openPayload } from "../secrets/sealing.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { ElementRunRow } from "../store/rows.ts";

type Parts = Pick<Secrets, "vault">;

/** The payload with the variables that earlier scripts have set. */
export const buildPayload = (
  farm: Parts,
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
export const runModifications = (
  farm: Parts,
  draft: Transaction,
  job: JobValue,
  instance: Instance,
): Modification[] => {
  if (!job.modifies) return [];
  return ancestorsOf(job.graph, instance).flatMap((each) => {
    const run = draft.run(job.id, each);
    const element = run && elementOf(run.kind);
    if (!element?.modifies || run?.state !== "succeeded") return [];
    const changes = element.modifies(element.payload.parse(openPayload(farm.vault, run.spec.payload)));
    return changes.filter(({ target }) => target === instance.uid);
  });
};
