import { expect, test } from "vitest";
import { stopJob } from "../../../coordinator/jobs/stop.ts";
import { openTraces } from "../../../coordinator/tracing/settings.ts";
import { createTracing } from "../../../coordinator/tracing/tracing.ts";
import { Secret } from "../../../shared/basics/secret.ts";
import type { Question } from "../../../shared/outbound/ask.ts";
import { tracesChange } from "../../../shared/outbound/traces.ts";
import { aSmallJob } from "../../helpers/farm/farm.ts";
import { useFarm } from "../../helpers/farm/farm-story.ts";

const { world, farm, submit } = useFarm();
const about = { version: "1.2.3", host: "machine" };
const url = "https://collector.studio/v1/traces?key=hidden-in-the-address";
const headers = [{ name: "x-key", value: "a key of the collector" }];

const open = async (asked: Question[] = [], answer = { status: 200, type: "application/json", body: "{}" }) => {
  const ask = async (question: Question) => {
    asked.push(question);
    return answer;
  };
  const tracing = createTracing({ farm: farm(), settings: undefined, ask, about });
  world().onDecision(tracing.note);
  const { store, vault } = farm();
  return { tracing, traces: await openTraces({ store, vault, tracing, environment: undefined }) };
};
const endOne = async (): Promise<void> => {
  const id = await submit(aSmallJob());
  await stopJob(farm(), id);
};

test("an owner says where traces go while the farm runs; keys are neither shown nor stored as they are, and stay at a restart", async () => {
  const asked: Question[] = [];
  const { tracing, traces } = await open(asked);
  expect(traces.view()).toMatchObject({ set_by: "nobody", collector: null, headers: [] });
  await endOne();
  await tracing.send();
  expect(asked).toEqual([]);
  const shown = await traces.change(tracesChange.parse({ url, headers }));
  expect(shown).toEqual({
    ...{ set_by: "owner", collector: "https://collector.studio", headers: ["x-key"] },
    ...{ sampler: "parentbased_always_on", ratio: 1, waiting: 0, failure: null },
  });
  expect(await farm().store.records.get("farm", "traces")).not.toMatch(/collector|hidden/);
  await endOne();
  await tracing.send();
  expect(asked).toMatchObject([{ url, headers: { "x-key": "a key of the collector" } }]);

  const again: Question[] = [];
  const { tracing: later, traces: restarted } = await open(again);
  expect(restarted.view()).toEqual(shown);
  await restarted.change(tracesChange.parse({ url: `${url}2`, ratio: 0, sampler: "traceidratio" }));
  expect(restarted.view()).toMatchObject({ headers: ["x-key"], ratio: 0 });
  await restarted.change(tracesChange.parse({ url: "https://other.studio/v1/traces" }));
  expect(restarted.view()).toMatchObject({ collector: "https://other.studio", headers: [] });
  await restarted.change(tracesChange.parse({ url: null }));
  expect(restarted.view()).toMatchObject({ set_by: "nobody", collector: null });
  await endOne();
  await later.send();
  expect(again).toEqual([]);
});

test.each(["a\r\nhost: elsewhere", "a\nb", "a\0", "a\x7f", "\u2028"])(
  "a header's value is one plain line, not %j",
  (value) => {
    const read = tracesChange.safeParse({ url, headers: [{ name: "x-key", value }] });
    expect(read.error?.issues[0]?.message).toBe("must be one line of plain characters");
  },
);

test("a collector that does not take them is told", async () => {
  const { tracing, traces } = await open([], { status: 503, type: "text/plain", body: "" });
  await traces.change(tracesChange.parse({ url }));
  await endOne();
  await tracing.send();
  expect(traces.view()).toMatchObject({ waiting: 1, failure: "the collector answers 503" });
});

test("what the environment says goes before an owner, who is told so", async () => {
  const { store, vault } = farm();
  const tracing = createTracing({ farm: farm(), settings: undefined, ask: undefined, about });
  const environment = {
    ...{ url, headers: { a: new Secret("b") }, service: "farm", attributes: {} },
    ...{ sampler: "always_on" as const, ratio: 1 },
  };
  const traces = await openTraces({ store, vault, tracing, environment });
  expect(traces.view()).toMatchObject({ set_by: "environment", collector: "https://collector.studio" });
  await expect(traces.change(tracesChange.parse({ url: null }))).rejects.toThrow("environment of this coordinator");
});
