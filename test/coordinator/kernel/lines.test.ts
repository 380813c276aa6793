import { expect, test } from "vitest";
import { updateJob } from "../../../coordinator/jobs/update.ts";
import type { Store } from "../../../coordinator/store/store.ts";
import { turns } from "../../helpers/clock.ts";
import { aSmallJob, openTestFarm } from "../../helpers/farm/farm.ts";
import { stored } from "../../helpers/farm/stored.ts";
import { submitJob } from "../../helpers/farm/submit-job.ts";
import { aWorldPerTest } from "../../helpers/farm/worlds.ts";

/** A farm whose store does not answer for the jobs and submissions that a test says, until it lets them go. */
const world = aWorldPerTest({
  open: async (folder) => {
    const hung = new Map<number | string, Promise<void>>();
    const wrap = (store: Store): Store => ({
      ...store,
      load: {
        ...store.load,
        job: async (id) => {
          await hung.get(id);
          return store.load.job(id);
        },
        row: async (table, ...key) => {
          const found = await store.load.row(table, ...key);
          if (table === "submissions") await hung.get(key[1] ?? "");
          return found;
        },
      },
    });
    const hang = (id: number | string) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      hung.set(id, promise);
      return (problem?: Error): void => {
        hung.delete(id);
        if (problem) reject(problem);
        else resolve();
      };
    };
    return { ...(await openTestFarm(folder, { wrap })), hang };
  },
  close: ({ close }) => close(),
});

const submit = () => submitJob(world().farm, aSmallJob());
const name = (id: number) => stored(world().farm).job(id)?.name;
/** Two jobs, of which the second has left memory, and the store does not answer when it is asked for it. */
const aHungJob = async () => {
  const [a, b] = [await submit(), await submit()];
  await world().farm.settle();
  const letGo = world().hang(b);
  world().farm.values.letGo(b);
  return { a, b, letGo };
};

test("a job is decided about and submitted while another one's load hangs, whose decisions follow in their order", async () => {
  const { farm } = world();
  const { a, b, letGo } = await aHungJob();
  const told: string[] = [];
  const waiting = ["first", "second"].map((each) => updateJob(farm, b, { name: each }).then(() => told.push(each)));
  await updateJob(farm, a, { name: "new" });
  const c = await submit();
  expect([name(a), name(b), name(c), told]).toEqual(["new", "a job", "a job", []]);
  letGo();
  await Promise.all(waiting);
  expect([name(b), told]).toEqual(["second", ["first", "second"]]);
});

test("a decision about several jobs waits for all of them, and later ones about each of them wait for it", async () => {
  const { farm } = world();
  const { a, b, letGo } = await aHungJob();
  const order: string[] = [];
  const note = (ids: readonly number[], what: string) => farm.change(ids, () => order.push(what));
  const waiting = [note([a, b], "both"), note([a], "a"), note([b], "b")];
  await note([], "none");
  expect(order).toEqual(["none"]);
  letGo();
  await Promise.all(waiting);
  expect(order).toEqual(["none", "both", "a", "b"]);
});

test("a decision that touches a job it did not name waits behind those that asked for it before", async () => {
  const { farm } = world();
  const { a, b, letGo } = await aHungJob();
  const rename = (more: string) => (draft: Parameters<Parameters<typeof farm.change>[1]>[0]) =>
    draft.setJob(a, { name: `${draft.job(a).row?.name} ${more}` });
  const waiting = [farm.change([a, b], rename("1")), farm.change([], rename("2"))];
  await turns();
  expect(name(a)).toBe("a job");
  letGo();
  await Promise.all(waiting);
  expect(name(a)).toBe("a job 1 2");
});

test("submissions with one name become one job while their name is being loaded, and others become theirs", async () => {
  const { farm, hang } = world();
  const letGo = hang("slow");
  const named = (key: string) =>
    farm.change({ submissions: [{ who: "w", key }] }, (draft) => {
      const known = draft.submission({ who: "w", key });
      if (!known) draft.setSubmission({ who: "w", key }, { mark: "m", job_id: 7, created: 1 });
      return known ? "twin" : "new";
    });
  const twins = [named("slow"), named("slow"), named("slow")];
  expect(await named("quick")).toBe("new");
  letGo();
  expect(await Promise.all(twins)).toEqual(["new", "twin", "twin"]);
});

test("a load that fails tells its caller, and the next decision in its line loads again", async () => {
  const { farm } = world();
  const { b, letGo } = await aHungJob();
  const refused = farm.change([b], () => "never made");
  const next = farm.change([b], () => "made");
  await turns();
  letGo(new Error("no answer"));
  await expect(refused).rejects.toThrow("no answer");
  expect(await next).toBe("made");
});

test("a job is decided about while the loads of many others hang, and those are decided about once they are loaded", async () => {
  const { farm, clock, hang } = world();
  const [a, ...others] = await Promise.all(Array.from({ length: 21 }, submit));
  await farm.settle();
  const letGo = others.map(hang);
  for (const id of [a, ...others]) farm.values.letGo(id as number); // all were submitted
  const waiting = others.map((id) => updateJob(farm, id, { name: "late" }));
  const quick = updateJob(farm, a as number, { name: "quick" });
  await turns();
  await clock.advance(10_000);
  await quick;
  expect([name(a as number), name(others[0] as number)]).toEqual(["quick", "a job"]);
  for (const each of letGo) each();
  await Promise.all(waiting);
  expect(others.map(name)).toEqual(others.map(() => "late"));
});
