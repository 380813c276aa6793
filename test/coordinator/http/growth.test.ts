import fc from "fast-check";
import { expect, test } from "vitest";
import { aFolder, removeFolder } from "../../helpers/farm/farm.ts";
import { seed, times } from "../../helpers/long.ts";
import { startHurriedFarm } from "../../helpers/processes/hurried-farm.ts";
import { anyHeaders, anyRequest, changedJob, definedJob, type HostileRequest } from "../../helpers/random/hostile.ts";

type Farm = Awaited<ReturnType<typeof startHurriedFarm>>;

const mumbled = fc.oneof(
  fc.string({ unit: "binary", maxLength: 300 }),
  fc.constantFrom(
    "GET / HTTP/1.1\r\n",
    "POST /v1/jobs HTTP/1.1\r\ncontent-length: 1000\r\n\r\n{",
    "\r\n\r\n",
    "PRI * HTTP/2.0",
  ),
);
const aKey = fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 255 });
const named: fc.Arbitrary<HostileRequest> = fc
  .tuple(fc.constantFrom("/jobs", "/login", "/presets"), aKey, changedJob)
  .map(([path, key, job]) => ({ ...job, path, headers: { "idempotency-key": key.replaceAll(/[^\x21-\x7e]/g, "k") } }));

type Act = { readonly send: HostileRequest } | { readonly mumble: string } | { readonly listen: true };
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 5, arbitrary: anyRequest.map((send) => ({ send })) },
  { weight: 5, arbitrary: anyHeaders.map((send) => ({ send })) },
  { weight: 3, arbitrary: changedJob.map((send) => ({ send })) },
  { weight: 3, arbitrary: definedJob.map((send) => ({ send })) },
  { weight: 2, arbitrary: named.map((send) => ({ send })) },
  { weight: 1, arbitrary: mumbled.map((mumble) => ({ mumble })) },
  { weight: 1, arbitrary: fc.constant({ listen: true } as const) },
);

/** Done so many at a time. */
const together = 25;

const perform = async (farm: Farm, acts: readonly Act[]): Promise<void> => {
  const made: string[] = [];
  const one = async (each: Act): Promise<void> => {
    if ("mumble" in each) return farm.mumble(each.mumble);
    if ("listen" in each) return void expect(await farm.listenAndLeave()).toBe(200);
    const { status, text } = await farm.ask(each.send);
    expect([status < 500, each.send]).toEqual([true, each.send]);
    if (status === 200 && each.send.path === "/jobs") made.push(...[JSON.parse(text).id ?? []].flat());
  };
  for (let at = 0; at < acts.length; at += together) await Promise.all(acts.slice(at, at + together).map(one));
  const ids = JSON.stringify({ ids: made });
  if (made.length > 0) expect((await farm.ask({ method: "DELETE", path: "/jobs", body: ids })).status).toBe(200);
};

/** Bytes by which a coordinator may seem to grow a request: what a leak costs is a multiple of it. */
const noise = times(100, 100, 2);

test(
  "whatever is sent, the farm keeps nothing of it but what it accepted",
  async () => {
    const folder = aFolder();
    const farm = await startHurriedFarm(folder, false);
    const [warmUp, more] = [times(2000, 2000, 20_000), times(8000, 8000, 1_000_000)];
    console.log(`${warmUp} requests, and then ${more}: MEDIAFARM_SEED=${seed}`);
    let part = 0;
    const fire = async (count: number) => {
      for (let left = count; left > 0; left -= 1000) {
        part += 1;
        await perform(farm, fc.sample(act, { numRuns: Math.min(left, 1000), seed: seed + part }));
      }
      return farm.bytes();
    };
    const before = await fire(warmUp);
    const after = await fire(more);
    console.log(`heap ${before.heap} -> ${after.heap}, resident ${before.rss} -> ${after.rss}`);
    expect((after.heap - before.heap) / more).toBeLessThan(noise);
    await farm.close();
    removeFolder(folder);
  },
  times(180_000, 180_000, 6 * 3_600_000),
);
