import { expect, test } from "vitest";
import { createConcurrencyLimit } from "../../../agent/previews/few-at-once.ts";

const patient = new AbortController().signal;

test("a few run at once, the next ones in their turn, and more are refused as busy", async () => {
  const inTurn = createConcurrencyLimit({ atOnce: 2, waiting: 1 });
  const ends = [1, 2, 3].map(() => Promise.withResolvers<void>());
  const begun: number[] = [];
  const work = ends.map(({ promise }, at) =>
    inTurn(patient, async () => {
      begun.push(at);
      await promise;
    }),
  );
  await expect(inTurn(patient, async () => undefined)).rejects.toMatchObject({ code: "UNAVAILABLE" });
  expect(begun).toEqual([0, 1]);
  ends[1]?.resolve();
  await work[1];
  await expect.poll(() => begun).toEqual([0, 1, 2]);
  for (const { resolve } of ends) resolve();
  await Promise.all(work);
  expect(await inTurn(patient, async () => "free again")).toBe("free again");
});

test("whoever leaves the queue gives up the place, and a failure does not keep it", async () => {
  const inTurn = createConcurrencyLimit({ atOnce: 1, waiting: 1 });
  const end = Promise.withResolvers<void>();
  const first = inTurn(patient, () => end.promise);
  const gone = new AbortController();
  const second = inTurn(gone.signal, async () => "never");
  gone.abort(new Error("gone"));
  await expect(second).rejects.toThrow("gone");
  const third = inTurn(patient, async () => "third");
  end.reject(new Error("broken"));
  await expect(first).rejects.toThrow("broken");
  expect(await third).toBe("third");
});
