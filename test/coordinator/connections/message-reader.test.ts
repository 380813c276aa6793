import { afterEach, expect, test } from "vitest";
import { createMessageReader, type MessageReader } from "../../../coordinator/connections/message-reader.ts";
import { systemClock } from "../../../shared/basics/system-clock.ts";

let reader: MessageReader | undefined;
afterEach(() => reader?.stop());

const commit = (files: readonly unknown[]): string =>
  JSON.stringify({ type: "commit", fence: { epoch: 1, counter: 2 }, intent: { files } });
const list = <T>(count: number, each: T): T[] => Array.from({ length: count }, () => each);
const about = { type: "commit", fence: { epoch: 1, counter: 2 } };

test("a small frame is read at once", () => {
  reader = createMessageReader(systemClock);
  expect(reader.read(commit(list(10, {})), "node")).toMatchObject({ kind: "misfit", about });
});

test.each<[string, string, object]>([
  ["five thousand files with nothing right", commit(list(5000, {})), { kind: "misfit", about }],
  ["files without a name", `{"type":"heartbeat",${list(50_000, '"x":0').join(",")}}`, { kind: "breach" }],
  [
    "two thousand sound files",
    commit(list(2000, { output: "o", temp: "t", final: "f", size: 1, identity: "i", existing: "fail" })),
    { kind: "message" },
  ],
])("%s: the frame is read elsewhere, and the loop is free meanwhile", async (_what, text, wanted) => {
  reader = createMessageReader(systemClock);
  const heard = reader.read(text, "node");
  expect(heard).toBeInstanceOf(Promise);
  expect(await heard).toMatchObject(wanted);
});

test("a stranger's hello has as many values as a node's may have, and no more", () => {
  reader = createMessageReader(systemClock);
  expect(reader.read(`[${list(100_000, "0").join(",")}]`, "stranger")).toMatchObject({
    kind: "breach",
    why: "a message of more than 40000 values",
  });
});

test("a frame that takes too long is a breach, and the next one is read", async () => {
  const waits: (() => void)[] = [];
  const clock = {
    ...systemClock,
    after: (_ms: number, fn: () => void) => {
      waits.push(fn);
      return () => undefined;
    },
  };
  reader = createMessageReader(clock);
  const late = reader.read(commit(list(100_000, {})), "node");
  const next = reader.read(commit(list(1000, 0)), "node");
  await Promise.resolve();
  waits.shift()?.();
  expect(await late).toMatchObject({ kind: "breach", why: expect.stringContaining("within the limits") });
  expect(await next).toMatchObject({ kind: "misfit" });
});
