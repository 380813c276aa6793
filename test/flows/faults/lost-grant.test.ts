import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fakeFfmpeg, fakeFfprobe, media } from "../../helpers/agent/agent-fixture.ts";
import { aChain, aCopyTo, aFileSource } from "../../helpers/farm/job-builders.ts";
import { first } from "../../helpers/long.ts";
import { exitOf, type FarmProcesses, startFarm, until } from "../../helpers/processes/farm-processes.ts";

/** A node is lost after some seconds, and its grant would be waited for longer than any test. */
const timing = { lateMs: 2000, lostMs: 4000, commitWaitMs: 3_600_000 };

const anAgent = (farm: FarmProcesses, name: string, moment = "") =>
  farm.startMortalAgent(
    { name, dataDir: farm.dataOf(name), ffmpegPath: fakeFfmpeg, ffprobePath: fakeFfprobe },
    { moment, turn: 1 },
  );

const logOf = async (farm: FarmProcesses, id: string) => {
  const { items } = await farm.client.listTasks({ job_id: id, fields: ["id", "kind"] });
  const task = items.find(({ kind }) => kind === "copy");
  return (await farm.client.getTaskLog({ task_id: String(task?.id) })).items;
};

test.concurrent.each(first(["granted", "linked"]))(
  "what was granted to a node that died when it was %s is shown by another one, which sees it on the same storage",
  async (moment) => {
    await using farm = await startFarm({ timing });
    const source = join(farm.media, "a.mp4");
    writeFileSync(source, media("the film"));
    const out = join(farm.folder, "out");
    const mortal = await anAgent(farm, "one", moment);
    const id = await farm.submit(aChain([aFileSource(source), aCopyTo(out, { existing_files: "fail" })]));
    await exitOf(mortal.child);
    await anAgent(farm, "two");
    expect(await farm.untilEnded(id)).toMatchObject({ status: "completed" });
    const [lost, other] = await logOf(farm, id);
    expect([lost?.state, other?.state]).toEqual(["lost", "published"]);
    expect(other?.log).toContain("Using the files of an earlier attempt");
    const seen = () => readdirSync(out).map((name) => [name, readFileSync(join(out, name), "utf8")]);
    expect(seen()).toEqual([["a.mp4", media("the film")]]);
    await anAgent(farm, "one");
    const attempts = join(farm.dataOf("one"), "attempts");
    await until("the one that returns to let go", async () => readdirSync(attempts).length === 0);
    expect(seen()).toEqual([["a.mp4", media("the film")]]);
  },
);
