import { expect, test } from "vitest";
import { takeReport } from "../../../coordinator/attempts/report.ts";
import { createEstimates } from "../../../coordinator/views/estimates.ts";
import { aReport, aSmallJob } from "../../helpers/farm/farm.ts";
import { useFarm } from "../../helpers/farm/farm-story.ts";

const { world, farm, submit } = useFarm();
const aProbe = { kind: "source", purpose: "facts", codec: null, seconds: null, pixels: null } as const;
const minute = 60_000;

test("a job that is not sent yet ends as such tasks used to, or as long after its start", async () => {
  const node = await world().node({ slots: 1 });
  expect(await createEstimates(farm()).ofJob([aProbe], null)).toBeNull();
  for (let nr = 0; nr < 4; nr += 1) {
    await submit(aSmallJob());
    await takeReport(farm(), node.id, aReport(await node.assigned(), { stats: { wallMs: minute } }));
  }
  const { ofJob } = createEstimates(farm());
  const now = farm().clock.now();
  const minutesAfter = async (start: number, startAfter: number | null) => {
    const finish = await ofJob([aProbe, aProbe], startAfter);
    return Math.round((Date.parse(finish?.likely ?? "") - start) / minute);
  };
  expect(await minutesAfter(now, null)).toBe(2);
  expect(await minutesAfter(now + 60 * minute, now + 60 * minute)).toBe(2);
  expect(await ofJob([{ ...aProbe, kind: "transcode" }], null)).toBeNull();
});

test("a job that watches a folder does not keep the queue from an end", async () => {
  const node = await world().node({ slots: 1 });
  for (let nr = 0; nr < 3; nr += 1) {
    await submit(aSmallJob());
    await takeReport(farm(), node.id, aReport(await node.assigned(), { stats: { wallMs: minute } }));
  }
  const watch = { uid: "w", kind: "watchfolder", payload: { source: { path: "/in" }, settings: { interval_sec: 10 } } };
  await submit({ name: "watches", payload: { elements: [watch] } });
  await submit(aSmallJob({ name: "open" }));
  await node.assigned();
  const { empty, unknown } = await createEstimates(farm()).all();
  expect([empty === null, unknown]).toEqual([false, 1]);
});

test("nobody says when the queue ends while the only node is in use by its owner", async () => {
  const node = await world().node({ slots: 1 });
  for (let nr = 0; nr < 3; nr += 1) {
    await submit(aSmallJob());
    await takeReport(farm(), node.id, aReport(await node.assigned(), { stats: { wallMs: minute } }));
  }
  await submit(aSmallJob({ name: "open" }));
  await node.assigned();
  const isKnown = async () => (await createEstimates(farm()).all()).empty !== null;
  const inUse = { state: "busy", why: "Resolve is running", until: null, takes: false, isSuspended: true } as const;
  expect(await isKnown()).toBe(true);
  farm().registry.stand(node.id, inUse, world().clock.monotonic());
  expect(await isKnown()).toBe(false);
  farm().registry.stand(node.id, { ...inUse, takes: true, isSuspended: false }, world().clock.monotonic());
  expect(await isKnown()).toBe(true);
});
