import { jobSortFields } from "../shared/model/job-info.ts";
import { type BenchCoordinator, startCoordinator } from "./farms/coordinator.ts";
import { fillJobs, readJobs } from "./farms/fill.ts";
import { residentBytes } from "./farms/program.ts";
import { scratchFolder } from "./farms/scratch.ts";
import type { Bench, Measure } from "./harness.ts";

/**
 * Lists and counts over a million jobs: a page in their middle against the time that a person may wait for it, counts against the same statement
 * without a farm around it, how long the loop was blocked meanwhile, and the memory against that of an empty farm.
 */
export const lists: Bench = {
  name: "lists",
  run: async ({ isQuick, pairs, say }) => {
    const [rounds, count] = isQuick ? [pairs ?? 5, 50_000] : [pairs ?? 15, 1_000_000];
    using scratch = scratchFolder();
    const empty = await visitEmpty(scratch.path, rounds);
    say(`filling in ${count} jobs`);
    fillJobs(scratch.path, count);
    const begun = performance.now();
    await using farm = await startCoordinator(scratch.path, { secrets: empty.secrets });
    const started = performance.now() - begun;
    await farm.ask("GET", "/jobs/count");
    await warmUp(farm, count / 2, say);
    await farm.metrics();
    const measures: Measure[] = [];
    for (const filter of ["", statusFilter]) {
      for (const field of jobSortFields)
        measures.push(await pageMeasure(farm, { field, filter, rounds, skip: count / 2 }));
    }
    measures.push(...(await countMeasures(farm, scratch.path, rounds)));
    const blocked = (await farm.metrics()).get('mediafarm_loop_delay_seconds{quantile="1"}') ?? Number.NaN;
    const [resident, before] = [residentBytes(farm.pid), empty.resident];
    say(`resident: ${Math.round(before / 1e6)} MB empty, ${Math.round(resident / 1e6)} MB with all jobs on disk`);
    say(`start: ${Math.round(empty.started)} ms empty, ${Math.round(started)} ms with all jobs`);
    say(`the loop was late by ${(1000 * blocked).toFixed(1)} ms at most`);
    return [
      ...measures,
      { name: "loop blocked", reference: "20 ms", ratios: [blocked / 0.02], target: 1 },
      { name: "resident memory", reference: "an empty farm", ratios: [resident / before], target: 2 },
      { name: "start", reference: "an empty farm", ratios: [started / empty.started] },
    ];
  },
};

const statusFilter = "&filters[0][field]=status&filters[0][values][]=completed";

/** The first start makes the credentials and shows what a farm without jobs weighs that was asked as much. */
const visitEmpty = async (folder: string, rounds: number) => {
  const first = await startCoordinator(folder);
  await first[Symbol.asyncDispose]();
  const begun = performance.now();
  await using farm = await startCoordinator(folder, { secrets: first.secrets });
  const started = performance.now() - begun;
  for (const filter of ["", statusFilter]) {
    for (const field of jobSortFields) await pageMeasure(farm, { field, filter, rounds, skip: 500_000 });
  }
  return { secrets: farm.secrets, resident: residentBytes(farm.pid), started };
};

/** The first deep page of a field has its places looked for; the next ones use them. */
const warmUp = async (farm: BenchCoordinator, skip: number, say: (text: string) => void): Promise<void> => {
  const begun = performance.now();
  for (const field of jobSortFields) await page(farm, field, skip, "");
  say(`the first deep page of each list: ${Math.round(performance.now() - begun)} ms together`);
  for (const field of jobSortFields) await page(farm, field, skip, statusFilter);
  say(`places of all lists are known after ${Math.round(performance.now() - begun)} ms`);
};

type Wanted = { readonly field: string; readonly filter: string; readonly rounds: number; readonly skip: number };

const pageMeasure = async (farm: BenchCoordinator, { field, filter, rounds, skip }: Wanted): Promise<Measure> => {
  const limitMs = filter === "" ? 24 : 36;
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round += 1) ratios.push((await page(farm, field, skip, filter)) / limitMs);
  const name = `page at the middle by ${field}${filter === "" ? "" : ", completed"}`;
  return { name, reference: `${limitMs} ms`, ratios, target: 1 };
};

const page = async (farm: BenchCoordinator, field: string, skip: number, filter: string): Promise<number> => {
  const begun = performance.now();
  await farm.ask("GET", `/jobs/info?sort_field=${field}&skip=${skip}${filter}`);
  return performance.now() - begun;
};

const countMeasures = async (farm: BenchCoordinator, folder: string, rounds: number): Promise<Measure[]> => {
  const db = readJobs(folder);
  const timed = async (act: () => unknown): Promise<number> => {
    const begun = performance.now();
    await act();
    return performance.now() - begun;
  };
  const counted = async (query: string, sql: string): Promise<number[]> => {
    const statement = db.prepare(sql);
    const ratios: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const bare = await timed(() => statement.all());
      ratios.push((await timed(() => farm.ask("GET", `/jobs/count?${query}`))) / bare);
    }
    return ratios;
  };
  try {
    const byTag = "filters[0][field]=user_tag&filters[0][values][]=tag%201&filters[0][values][]=tag%202";
    const tag = await counted(byTag, "SELECT count(*) FROM jobs WHERE user_tag IN ('tag 1', 'tag 2')");
    const byState = await counted(statusFilter.slice(1), "SELECT count(*) FROM jobs WHERE status = 'completed'");
    return [
      { name: "count by tag", reference: "the bare statement", ratios: tag, target: 1.2 },
      { name: "count by status", reference: "the bare statement", ratios: byState, target: 1 },
    ];
  } finally {
    db.close();
  }
};
