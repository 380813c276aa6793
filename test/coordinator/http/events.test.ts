import { expect, test } from "vitest";
import { createEventBus } from "../../../coordinator/live/event-bus.ts";
import { farmEvent } from "../../../shared/api/events.ts";
import { turns } from "../../helpers/clock.ts";
import { openTestCoordinator } from "../../helpers/farm/coordinator.ts";
import { aSmallJob } from "../../helpers/farm/farm.ts";
import { aWorldPerTest } from "../../helpers/farm/worlds.ts";

const world = aWorldPerTest({
  open: openTestCoordinator,
  close: async ({ coordinator, clock }) => {
    await coordinator.close();
    await turns(50); // the listeners' sockets close after the server
    expect(clock.waiting()).toBe(0);
  },
});

/** Reads the stream until it holds `count` events; lines of comments are left out. */
const listen = async (count: number, lastEventId?: string) => {
  const end = new AbortController();
  const response = await fetch(`${world().origin}/v1/events`, {
    signal: end.signal,
    headers: {
      authorization: `Basic ${btoa(`${world().secrets.oapiKey}:${world().secrets.oapiSecret}`)}`,
      "x-service-sapiauth": world().token,
      ...(lastEventId === undefined ? {} : { "last-event-id": lastEventId }),
    },
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const read = async () => {
    let text = "";
    while (text.split("\ndata: ").length <= count) text += (await reader?.read())?.value ?? "";
    end.abort();
    return text
      .split("\n\n")
      .filter((block) => block.startsWith("id: "))
      .map((block) => {
        const [id = "", type = "", data = ""] = block.split("\n").map((line) => line.slice(line.indexOf(":") + 2));
        return { id, type, event: farmEvent.parse(JSON.parse(data)) };
      });
  };
  return { response, events: read() };
};

test("a listener hears what happens, as it is documented", async () => {
  const { response, events } = await listen(2);
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  await world().api("POST", "/jobs", { body: aSmallJob({ name: "heard" }) });
  expect((await events).map(({ type, event }) => [type, event])).toMatchObject([
    ["task.changed", { type: "task.changed", job_id: "1", task: { status: "queued" } }],
    ["job.changed", { type: "job.changed", job: { id: "1", name: "heard", status: "queued" } }],
  ]);
});

test("many listeners hear all of it, a little later", async () => {
  const all = await Promise.all(Array.from({ length: 12 }, () => listen(2)));
  await world().api("POST", "/jobs", { body: aSmallJob({ name: "heard" }) });
  await world().clock.advance(30);
  for (const { events } of all) expect((await events).map(({ type }) => type)).toEqual(["task.changed", "job.changed"]);
});

test("a listener that comes back hears what it missed", async () => {
  const { events } = await listen(2);
  await world().api("POST", "/jobs", { body: aSmallJob() });
  const [first, second] = await events;
  const again = await (await listen(1, first?.id)).events;
  expect(again).toEqual([second]);
});

test("a listener from another life is told to read everything again", async () => {
  const [event] = await (await listen(1, "1-5")).events;
  expect(event).toMatchObject({ type: "reset", event: { type: "reset" } });
});

test("nobody listens without both layers", async () => {
  expect((await world().ask("GET", "/v1/events")).status).toBe(401);
});

test("the bus keeps the last ten thousand at least, and says so when more is missed", () => {
  const bus = createEventBus(7);
  for (let n = 0; n < 25_000; n += 1) bus.publish({ type: "job.deleted", job_id: String(n) });
  expect(bus.since("7-15000")).toHaveLength(10_000);
  expect(bus.since("7-24999")).toEqual([{ id: "7-25000", event: { type: "job.deleted", job_id: "24999" } }]);
  expect(bus.since("7-25000")).toEqual([]);
  for (const unknown of ["7-1", "7-25001", "6-24999", "soup", ""]) {
    expect(bus.since(unknown)).toEqual([{ id: "7-25000", event: { type: "reset" } }]);
  }
  expect(bus.since(undefined)).toEqual([]);
});
