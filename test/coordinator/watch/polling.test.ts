import { expect, test } from "vitest";
import { takeMessage } from "../../../coordinator/connections/messages.ts";
import { pauseJob, resumeJob } from "../../../coordinator/jobs/pause.ts";
import { explain } from "../../../coordinator/views/explain.ts";
import type { PollResponse } from "../../../shared/protocol/polling.ts";
import type { Sighting } from "../../../shared/work/polling.ts";
import { aReport, aSmallJob, aSource } from "../../helpers/farm/farm.ts";
import { type FakeNode, useFarm } from "../../helpers/farm/farm-story.ts";
import { stored } from "../../helpers/farm/stored.ts";

const { world, farm, submit, report, advance, restart } = useFarm();

const awaited = (name: string, sec: number, changes: Record<string, unknown> = {}) => {
  const options = { wait_for_source_timeout_sec: sec };
  const payload = { storage_provider: "file", url: `file:///media/${name}`, options };
  return aSmallJob({ payload: { elements: [aSource({ payload: { kind: "asset_url", payload } })] }, ...changes });
};

/** The looks that a node was asked for since the last time. */
const asked = async (node: FakeNode) =>
  (await node.take()).flatMap((message) => (message.type === "poll" ? [message] : []));

const there: Sighting = { size: 10, modified: 1, isOld: true };
const sees = (saw: Sighting): PollResponse => ({ what: "sources", saw: { 0: saw } });
const tell = (node: FakeNode, look: number, answer: PollResponse) =>
  takeMessage(farm(), node.id, { type: "polled", id: look, response: answer });

/** Every look is answered alike for so many seconds; gives their number. */
const seenFor = async (node: FakeNode, seconds: number, answer: PollResponse): Promise<number> => {
  let looks = 0;
  for (let second = 0; second < seconds; second += 1) {
    await takeMessage(farm(), node.id, { type: "heartbeat" });
    await advance(1000);
    for (const { id: look } of await asked(node)) {
      looks += 1;
      await tell(node, look, answer);
    }
  }
  return looks;
};

const summaryOf = async (taskId: number) => {
  const row = await farm().store.jobs.task(taskId);
  return row ? explain(farm(), row, "all").summary : undefined;
};

test("sources that are awaited hold no slot: others are probed meanwhile", async () => {
  const node = await world().node({ slots: 1 });
  for (let nr = 0; nr < 6; nr += 1) await submit(awaited(`${nr}.mov`, 600));
  await advance(1000);
  expect(await asked(node)).toHaveLength(6);
  expect(farm().registry.runningOn(node.id)).toEqual([]);
  await submit(aSmallJob());
  const probe = await node.assigned();
  expect(await report(node, aReport(probe))).toBe("ok");
});

test("a source that is there is probed; the wait costs neither a retry nor an attempt", async () => {
  const node = await world().node();
  const jobId = await submit(awaited("in.mov", 600));
  expect(await seenFor(node, 60, sees(null))).toBeGreaterThan(8);
  expect(world().job(jobId)).toMatchObject({ status: "queued", substatus: "waiting" });
  expect(stored(farm()).all("SELECT counter FROM attempts")).toEqual([]);
  const later = await seenFor(node, 60, sees(null));
  expect(later).toBeLessThan(6); // they follow one another more slowly
  await seenFor(node, 31, sees({ ...there, isOld: false }));
  await seenFor(node, 2, sees({ ...there, isOld: false }));
  expect(stored(farm()).tasks(jobId)).toMatchObject([{ state: "running", retry_nr: 0, attempt: 1 }]);
});

test("explain says what is waited for, since when, how long at most, and when the next look is", async () => {
  const node = await world().node();
  await submit(awaited("in.mov", 600));
  await advance(0);
  expect(await summaryOf(1)).toBe(
    "It waits since 2026-11-01T00:00:00.000Z, until 2026-11-01T00:10:00.000Z at most (nobody has looked yet); the next look is due.",
  );
  await seenFor(node, 20, sees(null));
  expect(await summaryOf(1)).toMatch(
    /^It waits since 2026-11-01T00:00:00\.000Z, until 2026-11-01T00:10:00\.000Z at most \(file:\/\/\/media\/in\.mov: it is not there\); the next look is at 2026-11-01T00:00:2\d/,
  );
});

test("a source that does not come in time fails its task, and a configured retry waits anew", async () => {
  const node = await world().node();
  const jobId = await submit(awaited("in.mov", 30, { task_retry: { count: 1, delay_sec: 60 } }));
  await seenFor(node, 32, sees(null));
  const message = "file:///media/in.mov did not arrive within 30 s";
  expect(stored(farm()).tasks(jobId)).toMatchObject([{ state: "delayed", retry_nr: 1, failure: { message } }]);
  await seenFor(node, 80, sees(null));
  expect(stored(farm()).tasks(jobId)).toMatchObject([{ state: "ready", retry_nr: 1, attempt: null }]);
  await seenFor(node, 20, sees(null));
  expect(world().job(jobId)).toMatchObject({ status: "failed", error: `src: ${message}` });
});

test("a source may be awaited for hours: it ends as a missing source, and blames no node", async () => {
  const node = await world().node();
  const jobId = await submit(awaited("in.mov", 3 * 3600));
  const until = async (seconds: number) => {
    for (let passed = 0; passed < seconds; passed += 20) {
      await takeMessage(farm(), node.id, { type: "heartbeat" });
      await advance(20_000);
      for (const { id: look } of await asked(node)) await tell(node, look, sees(null));
    }
  };
  await until(3 * 3600 - 60);
  expect(stored(farm()).tasks(jobId)).toMatchObject([{ state: "ready", attempt: null, start_time: null }]);
  await until(120);
  expect(stored(farm()).tasks(jobId)).toMatchObject([
    { state: "failed", failure: { cause: "source", message: "file:///media/in.mov did not arrive within 10800 s" } },
  ]);
});

test("a wait goes on over a restart, and its end is not moved", async () => {
  const node = await world().node();
  const jobId = await submit(awaited("in.mov", 100));
  await seenFor(node, 60, sees(null));
  await restart();
  const again = await world().connect(node.id);
  await seenFor(again, 30, sees(null));
  expect(world().tasks(jobId)).toEqual(["src facts ready"]);
  await seenFor(again, 15, sees(null));
  expect(world().tasks(jobId)).toEqual(["src facts failed"]);
});

test("a folder that cannot be reached is waited for; what the job has wrong fails at once", async () => {
  const node = await world().node();
  const [away, wrong] = [await submit(awaited("a.mov", 60)), await submit(awaited("b.mov", 60))];
  await advance(1000);
  const [one, other] = await asked(node);
  const failure = (cause: "storage" | "definition"): PollResponse => ({
    what: "failure",
    failure: { cause, message: `${cause} it is` },
  });
  await tell(node, one?.id ?? 0, failure("storage"));
  await tell(node, other?.id ?? 0, failure("definition"));
  expect(world().tasks(away)).toEqual(["src facts ready"]);
  expect(await summaryOf(1)).toContain("(storage it is)");
  expect(world().job(wrong)).toMatchObject({ status: "failed", error: "src: definition it is" });
});

test("a look that its node never answers is asked of another one once the node is gone", async () => {
  const [first, second] = [await world().node({ name: "a" }), await world().node({ name: "b" })];
  await submit(awaited("in.mov", 600));
  await advance(1000);
  const [one] = [...(await asked(first)), ...(await asked(second))];
  expect(one).toBeDefined();
  farm().registry.disconnect(first.id, first.connection);
  await advance(1000);
  const [again] = await asked(second);
  await tell(first, one?.id ?? 0, sees(there)); // too late: nobody waits for it
  expect(world().tasks(1)).toEqual(["src facts ready"]);
  await tell(second, again?.id ?? 0, sees(there));
  expect(world().tasks(1)).toEqual(["src facts running"]);
});

test("the sources of a paused job are not looked for, and have their time anew when it goes on", async () => {
  const node = await world().node();
  const jobId = await submit(awaited("in.mov", 30));
  await seenFor(node, 5, sees(null));
  await pauseJob(farm(), jobId);
  expect(await seenFor(node, 60, sees(null))).toBe(0);
  await resumeJob(farm(), jobId);
  expect(await seenFor(node, 20, sees(null))).toBeGreaterThan(3);
  expect(world().tasks(jobId)).toEqual(["src facts ready"]);
  await seenFor(node, 15, sees(null));
  expect(world().tasks(jobId)).toEqual(["src facts failed"]);
});

const never: PollResponse = { what: "failure", failure: { cause: "definition", message: "it can never be" } };

test("one node alone does not end a wait where another can look too, and two of them do", async () => {
  const [liar, honest] = [await world().node({ name: "liar" }), await world().node({ name: "honest" })];
  const jobId = await submit(awaited("in.mov", 600));
  const looks: string[] = [];
  const answered = async (answers: readonly [PollResponse, PollResponse], seconds: number) => {
    for (let second = 0; second < seconds; second += 1) {
      for (const { id } of [liar, honest]) await takeMessage(farm(), id, { type: "heartbeat" });
      await advance(1000);
      for (const [nr, node] of [liar, honest].entries())
        for (const { id } of await asked(node)) {
          looks.push(nr === 0 ? "liar" : "honest");
          await tell(node, id, answers[nr as 0 | 1]); // an index of the two
        }
    }
  };
  await answered([never, sees(null)], 60);
  expect(looks).toEqual(expect.arrayContaining(["liar", "honest"]));
  expect(world().job(jobId)).toMatchObject({ status: "queued" });
  await answered([never, never], 60);
  expect(world().job(jobId)).toMatchObject({ status: "failed", error: "src: it can never be" });
});

test("the only node that can look ends a wait that can never end", async () => {
  const node = await world().node();
  const jobId = await submit(awaited("in.mov", 600));
  await seenFor(node, 3, never);
  expect(world().job(jobId)).toMatchObject({ status: "failed", error: "src: it can never be" });
});
