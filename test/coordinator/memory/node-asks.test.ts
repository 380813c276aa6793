import { expect, test } from "vitest";
import { createNodeAsks } from "../../../coordinator/memory/node-asks.ts";
import type { CoordinatorMessage } from "../../../shared/protocol.ts";
import { createTestClock } from "../../helpers/clock.ts";

const list = { do: "list", path: "" } as const;
const refused = { is: "refused", message: "no" } as const;

const opened = () => {
  const clock = createTestClock();
  const sent: CoordinatorMessage[] = [];
  return { clock, sent, asks: createNodeAsks({ clock, epoch: 3, send: (_nodeId, message) => sent.push(message) }) };
};

test("a node's answer settles its own question, and nobody else's does", async () => {
  const { asks, sent } = opened();
  const answer = asks.ask(7, list);
  expect(sent).toEqual([{ type: "ask", epoch: 3, request: 1, ask: list }]);
  asks.take(8, { type: "told", request: 1, told: refused });
  asks.take(7, { type: "told", request: 99, told: refused });
  const found = { is: "found", paths: ["/a"] } as const;
  asks.take(7, { type: "told", request: 1, told: { ...found, paths: [...found.paths] } });
  expect(await answer).toEqual(found);
});

test("a node that does not answer is given up, and one with many questions gets no more", async () => {
  const { asks, clock } = opened();
  const answers = Array.from({ length: 8 }, () => asks.ask(7, list).catch((problem) => problem.message));
  await expect(asks.ask(7, list)).rejects.toThrow("asked for many files");
  await clock.advance(21_000);
  expect(new Set(await Promise.all(answers))).toEqual(new Set(["The node did not answer in time"]));
  asks.ask(7, list).catch(() => undefined);
});

test("what nobody waits for any more is taken back from the node, and previews do not keep files waiting", async () => {
  const { asks, sent } = opened();
  const segment = { do: "segment", uri: "/a.mov", state: "1", segment: 2 } as const;
  const gone = new AbortController();
  const answer = asks.ask(7, segment, gone.signal);
  const others = Array.from({ length: 11 }, () => asks.ask(7, segment).catch((problem) => problem.message));
  await expect(asks.ask(7, segment)).rejects.toMatchObject({ code: "UNAVAILABLE" });
  gone.abort(new Error("gone"));
  await expect(answer).rejects.toThrow("gone");
  expect(sent.at(-1)).toEqual({ type: "unask", epoch: 3, request: 1 });
  const listing = asks.ask(7, list);
  asks.leave(8);
  asks.leave(7);
  await expect(listing).rejects.toThrow("no longer connected");
  expect(new Set(await Promise.all(others))).toEqual(new Set(["The node is no longer connected"]));
  await expect(asks.ask(7, segment, gone.signal)).rejects.toThrow("gone");
});
