import { execFile } from "node:child_process";
import { createReadStream, rmSync, statSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { type BenchFarm, folderIn, startFarm, untilCompleted } from "./farm.ts";
import { type Bench, interleave } from "./harness.ts";
import { copyJob } from "./jobs.ts";
import { makeRawSource } from "./media.ts";

/** A copy of a large file, published and flushed, against `cp` with a flush, and over HTTP against `curl` with one. */
export const copies: Bench = {
  name: "copies",
  run: async ({ isQuick, pairs: wanted, say }) => {
    const [bytes, pairs] = isQuick ? [64e6, wanted ?? 1] : [2 ** 31, wanted ?? 3];
    await using farm = await startFarm({ slots: 1 });
    const source = await makeRawSource(join(folderIn(farm, "sources"), "large.mov"), bytes);
    const out = folderIn(farm, "out");
    const server = await serve(source);
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/large.mov`; // it listens
    await farm.client.changeOutbound({ add: ["127.0.0.1"] });
    const largest: number[] = [];
    const through = (from: string) => async () => {
      const wall = await copyOf(farm, from, out);
      largest.push(farm.agentPeakBytes());
      rmSync(join(out, "large.mov"));
      return wall;
    };
    const rounds = await interleave(pairs, {
      farm: through(source),
      cp: async () => timed("cp", [source, join(out, "by-hand.mov")], out),
      farmHttp: through(url),
      curl: async () => timed("curl", ["-s", "-o", join(out, "by-hand.mov"), url], out),
    });
    server.close();
    for (const each of rounds)
      say(
        Object.entries(each)
          .map(([leg, ms]) => `${leg} ${Math.round(ms)} ms`)
          .join(", "),
      );
    const [first = 1] = largest;
    const [size, reference] = [`${Math.round(statSync(source).size / 2 ** 20)} MiB`, "the first copy's"];
    return [
      {
        name: `file, ${size}`,
        reference: "cp and sync",
        ratios: rounds.map(({ farm, cp }) => farm / cp),
        target: 1.15,
      },
      {
        name: `http, ${size}`,
        reference: "curl and sync",
        ratios: rounds.map((r) => r.farmHttp / r.curl),
        target: 1.25,
      },
      { name: "peak memory of the agent", reference, ratios: largest.map((each) => each / first), target: 1.5 },
    ];
  },
};

/** Milliseconds of the copy's task, from its assignment to its publication. */
const copyOf = async (farm: BenchFarm, from: string, out: string): Promise<number> => {
  const { id } = await farm.client.createJob(copyJob(from, out));
  await untilCompleted(farm, [id], 50);
  const { items } = await farm.client.listTasks({ job_id: id, fields: ["kind", "start_time", "end_time"] });
  const task = items.find(({ kind }) => kind === "copy");
  return Date.parse(task?.end_time ?? "") - Date.parse(task?.start_time ?? "");
};

const timed = async (program: string, words: readonly string[], out: string): Promise<number> => {
  const begun = performance.now();
  await promisify(execFile)(program, words); // this process serves the file meanwhile
  await promisify(execFile)("sync", [join(out, "by-hand.mov")]);
  const took = performance.now() - begun;
  rmSync(join(out, "by-hand.mov"));
  return took;
};

const serve = (path: string): Promise<Server> => {
  const size = statSync(path).size;
  const server = createServer((request, response) => {
    const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? "") ?? [];
    const [start, end] = [Number(from ?? 0), to ? Math.min(Number(to), size - 1) : size - 1];
    response.writeHead(from === undefined ? 200 : 206, {
      "accept-ranges": "bytes",
      "content-length": end - start + 1,
      ...(from !== undefined && { "content-range": `bytes ${start}-${end}/${size}` }),
      etag: `"${size}"`,
    });
    if (request.method === "HEAD") response.end();
    else createReadStream(path, { start, end, highWaterMark: 2 ** 20 }).pipe(response);
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
};
