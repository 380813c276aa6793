import { expect, test } from "vitest";
import { createEventBus } from "../../../coordinator/live/event-bus.ts";

const deleted = (job_id: string) => ({ type: "job.deleted", job_id }) as const;

test("an event that nobody can hear is not even made", () => {
  const bus = createEventBus(7);
  bus.publishIfHeard(() => {
    throw new Error("made for nobody");
  });
  expect(bus.since("7-0")).toEqual([{ id: "7-1", event: { type: "reset" } }]);
});

test("who went away a moment ago finds all that it missed", () => {
  const bus = createEventBus(7);
  const stop = bus.subscribe(() => {});
  bus.publishIfHeard(() => deleted("1"));
  stop();
  bus.publishIfHeard(() => deleted("2"));
  expect(bus.since("7-1")).toEqual([{ id: "7-2", event: deleted("2") }]);
});

test("what there is nothing to say of takes no number", () => {
  const bus = createEventBus(7);
  const heard: string[] = [];
  bus.subscribe(({ id }) => heard.push(String(id)));
  bus.publishIfHeard(() => undefined);
  bus.publishIfHeard(() => deleted("1"));
  expect(heard).toEqual(["7-1"]);
});
