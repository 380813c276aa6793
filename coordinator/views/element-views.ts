import { elementOf } from "../../shared/elements/index.ts";
import type { GraphConnection } from "../../shared/graph.ts";
import { shapeOf } from "../../shared/instances/shape.ts";
import type { ElementSpec } from "../../shared/job.ts";
import type { UiElement } from "../../shared/job-view.ts";
import type { ElementRunState } from "../../shared/state/element-run.ts";
import type { RunCount } from "../store/job-reads.ts";

type Named = Pick<ElementSpec, "uid" | "kind" | "name">;

/** Elements as the job's page shows them, with all instances of an element together. */
export const elementViewsOf = (
  elements: readonly Named[],
  connections: readonly GraphConnection[],
  counts: readonly RunCount[],
): UiElement[] => {
  const { scopeOf } = shapeOf(
    elements.map(({ uid, kind }) => ({ uid, enumerates: elementOf(kind)?.batches !== undefined, effort: 0 })),
    connections,
  );
  const byUid = Map.groupBy(counts, ({ uid }) => uid);
  return elements.map(({ uid, kind, name }) => {
    const own = byUid.get(uid) ?? [];
    const above = byUid.get(scopeOf.get(uid) ?? "") ?? [];
    const instances = isBatched(own, above)
      ? instancesOf(
          own,
          sum(above, ({ below }) => below),
        )
      : null;
    const failure = own.find(({ state }) => state === "failed")?.failure ?? null;
    const state = instances ? stateOf(instances) : (own[0]?.state ?? "waiting");
    return { uid, kind, name, title: elementOf(kind)?.title ?? kind, state, failure, instances };
  });
};

type Instances = NonNullable<UiElement["instances"]>;

/** Whether its enumeration found something. After one that failed or found nothing, elements run once, unnumbered. */
const isBatched = (own: readonly RunCount[], above: readonly RunCount[]): boolean =>
  own.some(({ isNumbered }) => isNumbered) || above.some(({ n, below }) => below > n);

const instancesOf = (own: readonly RunCount[], total: number): Instances => {
  const count = (...states: ElementRunState[]) => sum(own, ({ state, n }) => (states.includes(state) ? n : 0));
  return {
    total: Math.max(
      total,
      sum(own, ({ n }) => n),
    ),
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
