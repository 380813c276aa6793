import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { type BenchCoordinator, startCoordinator } from "./farms/coordinator.ts";
import { startQuickNodes } from "./farms/quick-nodes.ts";
import { scratchFolder } from "./farms/scratch.ts";
import { type Bench, interleave } from "./harness.ts";

/** How many tasks a job has: that many elements, or an enumeration with that many batches. */
const shapes = [
  { name: "10 elements", tasks: 10, jobOf: (name: string) => elementsJob(name, 10) },
  { name: "1,000 elements", tasks: 1000, jobOf: (name: string) => elementsJob(name, 1000), reference: "10 elements" },
  { name: "10 batches", tasks: 10, jobOf: (name: string) => batchesJob(name, 10) },
  { name: "1,000 batches", tasks: 1000, jobOf: (name: string) => batchesJob(name, 1000), reference: "10 batches" },
  { name: "10,000 batches", tasks: 10_000, jobOf: (name: string) => batchesJob(name, 10_000), reference: "10 batches" },
] as const;

/**
 * The time of one task, submitted, begun, claimed, reported and acknowledged, in large jobs against small ones. A definition has at
 * most 128,000 characters, so jobs of 10,000 tasks have them by batches.
 */
export const growth: Bench = {
  name: "growth",
  run: async ({ isQuick, pairs, say }) => {
    const [rounds, count] = isQuick ? [pairs ?? 1, 1000] : [pairs ?? 3, 10_000];
    using scratch = scratchFolder();
    await using farm = await startCoordinator(join(scratch.path, "farm"));
    await runJobs(farm, "warm", 10, (name) => elementsJob(name, 10), 500);
    const fitting = shapes.filter(({ tasks }) => tasks <= count);
    const legs = fitting.map(({ name, tasks, jobOf }) => [
      name,
      () => runJobs(farm, randomUUID().slice(0, 8), tasks, jobOf, count),
    ]);
    const results: Record<string, number>[] = await interleave(rounds, Object.fromEntries(legs));
    for (const result of results)
      say(
        Object.entries(result)
          .map(([name, ms]) => `${name}: ${Math.round((1000 * ms) / count)} us a task`)
          .join(", "),
      );
    return fitting.flatMap((shape) => {
      if (!("reference" in shape)) return [];
      const { name, reference } = shape;
      const ratios = results.map((result) => (result[name] ?? 0) / (result[reference] ?? 0));
      return [{ name: `a task in jobs of ${name}`, reference: `jobs of ${reference}`, ratios, target: 1.5 }];
    });
  },
};

/** Milliseconds from the first submission until all reports are acknowledged. */
const runJobs = async (
  farm: BenchCoordinator,
  name: string,
  tasks: number,
  jobOf: (name: string) => object,
  count: number,
): Promise<number> => {
  const begun = performance.now();
  const jobs = count / tasks;
  for (let nr = 0; nr < jobs; nr += 1) await farm.ask("POST", "/jobs", JSON.stringify(jobOf(`${name}-${nr}`)));
  await using quick = await startQuickNodes(farm.joinToken, 50);
  const listings = "folder_enum" === firstKind(jobOf(name)) ? jobs : 0;
  await quick.taken(count + listings);
  return performance.now() - begun;
};

type Job = { readonly name: string; readonly payload: { readonly elements: readonly { readonly kind: string }[] } };

const firstKind = (job: object): string | undefined => (job as Job).payload.elements[0]?.kind; // made below

const elementsJob = (name: string, count: number): Job => ({
  name,
  payload: {
    elements: Array.from({ length: count }, (_, nr) => ({
      uid: `s${nr}`,
      kind: "source",
      payload: { kind: "asset_url", payload: { url: `file:///media/${name}-${nr}.mov` } },
    })),
  },
});

/** The nodes list as many files as the folder's name says, and look at each batch as a source. */
const batchesJob = (name: string, count: number) => ({
  name,
  payload: {
    elements: [
      {
        uid: "all",
        kind: "folder_enum",
        payload: { source: { storage_provider: "file", path: `/media/${name}-${count}` } },
      },
      {
        uid: "look",
        kind: "source",
        payload: { kind: "asset_url", payload: { url: `file:///media/${name}.mov` } },
      },
    ],
    connections: [{ from: [{ element: "all" }], to: { success: [{ element: "look" }] } }],
  },
});
