import { expect, test } from "vitest";
import { createSharedWork } from "../../../agent/previews/shared-work.ts";

test("work is done once for all who wait, and aborted once nobody waits any more", async () => {
  const once = createSharedWork<string>();
  const end = Promise.withResolvers<string>();
  const signals: AbortSignal[] = [];
  const work = (signal: AbortSignal) => {
    signals.push(signal);
    return end.promise;
  };
  const [first, second] = [new AbortController(), new AbortController()];
  const waiting = [once("a", first.signal, work), once("a", second.signal, work)];
  first.abort(new Error("gone"));
  await expect(waiting[0]).rejects.toThrow("gone");
  expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  second.abort(new Error("gone too"));
  await expect(waiting[1]).rejects.toThrow("gone too");
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  const third = once("a", new AbortController().signal, work);
  end.resolve("made");
  expect([await third, signals.length]).toEqual(["made", 2]);
});

test("a failure reaches everybody, and the next one tries again", async () => {
  const once = createSharedWork<string>();
  const { signal } = new AbortController();
  const failing = async () => Promise.reject(new Error("broken"));
  const waiting = [once("a", signal, failing), once("a", signal, failing)];
  await expect(Promise.all(waiting)).rejects.toThrow("broken");
  expect(await once("a", signal, async () => "made")).toBe("made");
});
