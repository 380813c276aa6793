import { elementOf } from "../../media/elements/index.ts";
import { buildShape } from "../../media/instances/shape.ts";
import type { UiElement } from "../../shared/api/job-view.ts";
import type { ElementSpec } from "../../shared/model/job.ts";
import type { GraphConnection } from "../../shared/model/job-graph.ts";
import type { ElementRunState } from "../../shared/state/element-run.ts";
import type { RunCount } from "../store/job-reads.ts";

type Named = Pick<ElementSpec, "uid" | "kind" | "name">;

/** Elements as the job's page shows them, with all instances of an element together. */
export const buildElementViews = (
  elements: readonly Named[],
  connections: readonly GraphConnection[],
  counts: readonly RunCount[],
): UiElement[] => {
  const { scopeOf } = buildShape(
    elements.map(({ uid, kind }) => ({ uid, enumerates: elementOf(kind)?.batches !== undefined, effort: 0 })),
    connections,
  );
  const byUid = Map.groupBy(counts, ({ uid }) => uid);
  return elements.map(({ uid, kind, name }) => {
    const own = byUid.get(uid) ?? [];
    const above = byUid.get(scopeOf.get(uid) ?? "") ?? [];
    const instances = isBatched(own, above) ? instancesOf(own, above) : null;
    const failure = own.find(({ state }) => state === "failed")?.failure ?? null;
    const state = instances ? stateOf(instances) : (own[0]?.state ?? "waiting");
    const { title = kind, childJob, hasFindings } = elementOf(kind) ?? {};
    const panel = childJob ? "watch" : hasFindings ? "findings" : undefined;
    return { uid, kind, name, title, state, failure, instances, ...(panel && { panel }) };
  });
};

type Instances = NonNullable<UiElement["instances"]>;

/** Whether its enumeration found something. After one that failed or found nothing, elements run once, unnumbered. */
const isBatched = (own: readonly RunCount[], above: readonly RunCount[]): boolean =>
  own.some(({ isNumbered }) => isNumbered) || above.some(({ n, below }) => below > n);

const instancesOf = (own: readonly RunCount[], above: readonly RunCount[]): Instances => {
  const [below, begun] = [sum(above, (each) => each.below), sum(own, ({ n }) => n)];
  const count = (...states: ElementRunState[]) => sum(own, ({ state, n }) => (states.includes(state) ? n : 0));
  return {
    total: Math.max(below, begun),
    running: count("planning", "running"),
    succeeded: count("succeeded"),
    failed: count("failed"),
    skipped: count("skipped"),
  };
};

const stateOf = ({ total, running, succeeded, failed, skipped }: Instances): ElementRunState => {
  if (succeeded + failed + skipped < total) return running + succeeded + failed > 0 ? "running" : "waiting";
  if (failed > 0) return "failed";
  return succeeded > 0 ? "succeeded" : "skipped";
};

const sum = <T>(list: readonly T[], of: (each: T) => number): number =>
  list.reduce((total, each) => total + of(each), 0);
