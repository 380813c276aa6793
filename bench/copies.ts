import { link, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { serverKinds } from "../test/servers/index.ts";
import { type BenchFarm, folderIn, spanOf, startFarm, untilCompleted } from "./farms/farm.ts";
import { flush, flushAll } from "./farms/flush.ts";
import { copyJob } from "./farms/jobs.ts";
import { makeRawSource } from "./farms/media.ts";
import { type Bench, type BenchOptions, interleave, type Measure } from "./harness.ts";
import { type CopyWay, openCopyWays } from "./references/copy-ways.ts";

/**
 * Copies of a large file, published and flushed: between folders against `cp`, and from and to real servers against what
 * people use by hand. `BENCH_COPIES` names some of the ways, by parts of their names.
 */
export const copies: Bench = {
  name: "copies",
  run: async (options) => {
    const { isQuick, say } = options;
    await using farm = await startFarm({ slots: 1 });
    const sources = folderIn(farm, "sources");
    const film = await makeRawSource(join(sources, "film.mov"), isQuick ? 2 ** 28 : 2 ** 31);
    const large = join(sources, "large.bin"); // no film by its name: it is copied without a look at it
    await link(film, large);
    const modest = join(sources, "modest.bin");
    await link(await makeRawSource(join(sources, "modest.mov"), isQuick ? 2 ** 26 : 2 ** 29), modest);
    const received = join(folderIn(farm, "by-hand"), "large.bin");
    const places = { large, modest, film, received, out: folderIn(farm, "out") };
    await farm.client.changeOutbound({ add: ["127.0.0.1"] });
    const wanted = process.env.BENCH_COPIES?.split(",") ?? [""];
    const kinds = serverKinds("a copy").filter((kind) => wanted.some((word) => word === "" || word.includes(kind)));
    await using opened = await openCopyWays(farm, places, kinds);
    const found: Measure[] = [];
    const growths: number[] = [];
    for (const way of opened.ways.filter(({ name }) => wanted.some((word) => name.includes(word)))) {
      const { ratios, growth } = await measure(farm, way, places, options);
      growths.push(growth);
      const reference = way.isReceived ? `${way.by} and sync` : way.by;
      const size = `${Math.round((await stat(way.file)).size / 2 ** 20)} MiB`;
      found.push({ name: `${way.name}, ${size}`, reference, ratios, ...(way.target && { target: way.target }) });
      say(`${way.name}: ${ratios.map((each) => each.toFixed(2)).join(", ")} of ${reference}`);
    }
    const memory = { name: "peak memory of the agent while it copies", reference: "what it had before" };
    return [...found, { ...memory, ratios: growths, target: 1.5 }];
  },
};

type Arrival = { readonly out: string; readonly received: string };

/**
 * One ratio a pair; each side begins with nothing left to write, with the source in memory, and right after as much as it
 * writes was deleted: a virtual machine gets memory that was free for a while back from its host, many times slower.
 */
const measure = async (farm: BenchFarm, way: CopyWay, { out, received }: Arrival, options: BenchOptions) => {
  const arrived = join(out, basename(way.from.address));
  const begin = async (): Promise<void> => {
    await Promise.all([arrived, received].map((path) => rm(path, { force: true })));
    await way.clear?.();
    await flushAll(farm.folder);
  };
  await way.prepare?.();
  await copyOf(farm, way); // the first use of a kind of storage loads and compiles its code
  const before = farm.agentMemory();
  const rounds = await interleave(options.pairs ?? 2, {
    farm: async () => {
      await begin();
      return copyOf(farm, way);
    },
    hand: async () => {
      await begin();
      const begun = performance.now();
      await way.hand();
      if (way.isReceived) await flush(received);
      return performance.now() - begun;
    },
  });
  for (const { farm, hand } of rounds)
    options.say(`${way.name}: farm ${Math.round(farm)} ms, ${way.by} ${Math.round(hand)} ms`);
  return { ratios: rounds.map(({ farm, hand }) => farm / hand), growth: farm.agentMemory().peak / before.now };
};

/** Milliseconds of the copy's task, from its assignment to its publication, or of the whole job. */
const copyOf = async (farm: BenchFarm, { from, to, freshen }: CopyWay): Promise<number> => {
  await freshen?.();
  const { id } = await farm.client.createJob(copyJob(from, to));
  await untilCompleted(farm, [id], 50);
  if (freshen) return spanOf(farm, [id]);
  const { items } = await farm.client.listTasks({ job_id: id, fields: ["kind", "start_time", "end_time"] });
  const task = items.find(({ kind }) => kind === "copy");
  return Date.parse(task?.end_time ?? "") - Date.parse(task?.start_time ?? "");
};
