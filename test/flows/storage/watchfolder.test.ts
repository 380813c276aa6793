import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { appendFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { isLong, times } from "../../helpers/long.ts";
import { aWav } from "../../helpers/media/a-wav.ts";
import { ffprobePath } from "../../helpers/media/media-tools.ts";
import { type FarmProcesses, kill, startFarm, until } from "../../helpers/processes/farm-processes.ts";

const files = times(12, 60, 2000);
const kills = times(1, 2, 5);

/** Different in each file, so that no copy can pass for another one. */
const contentOf = (nr: number): Buffer => aWav(nr);

const aWatchJob = (folder: string, out: string) => ({
  name: "dailies",
  payload: {
    elements: [
      {
        uid: "watch",
        kind: "watchfolder",
        payload: {
          source: { storage_provider: "file", path: folder },
          settings: { interval_sec: 2, wildcard: "*.wav" },
        },
      },
      {
        uid: "copy",
        kind: "copy",
        payload: { target: { location: { storage_provider: "file", path: out }, file_pattern: "{source_name}" } },
      },
    ],
    connections: [{ from: [{ element: "watch" }], to: { success: [{ element: "copy" }] } }],
  },
});

/** Writes each file in two parts with a pause between them; a few pauses are long. */
const drop = async (folder: string): Promise<void> => {
  const one = async (nr: number) => {
    const [path, content] = [join(folder, `${nr}.wav`), contentOf(nr)];
    await writeFile(path, content.subarray(0, 500));
    await pause(nr % 10 === 0 ? 2500 : 100);
    await appendFile(path, content.subarray(500));
  };
  const writing: Promise<void>[] = [];
  for (let nr = 0; nr < files; nr += 1) {
    writing.push(one(nr));
    if (nr % 10 === 9) await pause(200);
  }
  await Promise.all(writing);
};

/** The jobs that files of the folder began. */
const childrenOf = async (farm: FarmProcesses): Promise<{ name: string; status: string }[]> => {
  const all: { name: string; status: string }[] = [];
  for (let skip = 0; ; skip += 1000) {
    const { items } = await farm.client.listJobs({ fields: ["name", "status"], take: 1000, skip });
    for (const { name = "", status = "" } of items) if (name.startsWith("dailies: ")) all.push({ name, status });
    if (items.length < 1000) return all;
  }
};

describe.skipIf(ffprobePath === undefined)("a watched folder (skipped where there is no ffprobe)", () => {
  test(
    `${files} files that come while the coordinator is killed ${kills} times begin one job each, none half-written`,
    async () => {
      await using farm = await startFarm();
      const [folder, out] = [join(farm.media, "in"), join(farm.folder, "out")];
      mkdirSync(folder);
      writeFileSync(join(folder, "before.wav"), contentOf(-1));
      await farm.startAgent();
      const id = await farm.submit(aWatchJob(folder, out));
      await until("the first look", async () => {
        const info = await farm.client.getJobInfo({ job_id: id, fields: ["status"] });
        return info.status === "active";
      });
      const dropped = drop(folder);
      for (let nr = 0; nr < kills; nr += 1) {
        await pause(times(1500, 4000, 9000));
        await kill(farm.coordinator());
        await farm.restartCoordinator();
      }
      await dropped;
      const patienceMs = isLong ? 1_500_000 : 200_000;
      await until(
        "all children to end",
        async () => {
          const ended = (await childrenOf(farm)).filter(({ status }) => status === "completed" || status === "failed");
          return ended.length >= files;
        },
        patienceMs,
      );
      const children = await childrenOf(farm);
      expect(children.filter(({ status }) => status !== "completed")).toEqual([]);
      const wanted = Array.from({ length: files }, (_, nr) => `${nr}.wav`);
      expect(children.map(({ name }) => name.replace("dailies: ", "")).sort()).toEqual(wanted.toSorted());
      expect(readdirSync(out).sort()).toEqual(wanted.toSorted());
      const wrong = wanted.filter((name, nr) => !readFileSync(join(out, name)).equals(contentOf(nr)));
      expect(wrong).toEqual([]);
      expect(await farm.client.getJobInfo({ job_id: id, fields: ["status", "substatus"] })).toEqual({
        ...{ status: "active", substatus: "waiting" },
      });
      await farm.client.stopJob({ job_id: id });
      expect(await farm.untilEnded(id)).toMatchObject({ status: "failed", substatus: "stopped" });
    },
    isLong ? 1_800_000 : 300_000,
  );
});
