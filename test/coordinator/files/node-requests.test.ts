import { expect, test } from "vitest";
import { createNodeRequests } from "../../../coordinator/files/node-requests.ts";
import type { CoordinatorMessage } from "../../../shared/protocol/messages.ts";
import { createTestClock, turns } from "../../helpers/clock.ts";

const list = { do: "list", path: "" } as const;
const refused = { is: "refused", message: "no" } as const;

const opened = () => {
  const clock = createTestClock();
  const sent: CoordinatorMessage[] = [];
  return {
    clock,
    sent,
    requests: createNodeRequests({ clock, epoch: 3, send: (_nodeId, message) => sent.push(message) }),
  };
};

test("a node's answer settles its own question, and nobody else's does", async () => {
  const { requests, sent } = opened();
  const answer = requests.request(7, list);
  expect(sent).toEqual([{ type: "request", epoch: 3, id: 1, request: list }]);
  requests.take(8, { type: "response", id: 1, response: refused });
  requests.take(7, { type: "response", id: 99, response: refused });
  const found = { is: "found", paths: ["/a"] } as const;
  requests.take(7, { type: "response", id: 1, response: { ...found, paths: [...found.paths] } });
  expect(await answer).toEqual(found);
});

test("a node that does not answer is given up, and one with many questions gets no more", async () => {
  const { requests, clock, sent } = opened();
  const answers = Array.from({ length: 72 }, () => requests.request(7, list).catch((problem) => problem.message));
  await expect(requests.request(7, list)).rejects.toThrow("asked for many files");
  expect(sent).toHaveLength(8);
  // Those in the line wait for their turn no longer than for an answer; some had it just then.
  for (let round = 1; round <= 2; round += 1) await clock.advance(20_000);
  expect(new Set(await Promise.all(answers))).toEqual(new Set(["The node did not answer in time"]));
  requests.request(7, list).catch(() => undefined);
});

test("what nobody waits for any more is taken back from the node, and previews do not keep files waiting", async () => {
  const { requests, sent } = opened();
  const segment = { do: "segment", uri: "/a.mov", state: "1", segment: 2 } as const;
  const gone = new AbortController();
  const answer = requests.request(7, segment, gone.signal);
  const others = Array.from({ length: 11 }, () => requests.request(7, segment).catch((problem) => problem.message));
  await expect(requests.request(7, segment)).rejects.toMatchObject({ code: "UNAVAILABLE" });
  gone.abort(new Error("gone"));
  await expect(answer).rejects.toThrow("gone");
  expect(sent.at(-1)).toEqual({ type: "cancel_request", epoch: 3, id: 1 });
  const listing = requests.request(7, list);
  requests.leave(8);
  requests.leave(7);
  await expect(listing).rejects.toThrow("no longer connected");
  expect(new Set(await Promise.all(others))).toEqual(new Set(["The node is no longer connected"]));
  await expect(requests.request(7, segment, gone.signal)).rejects.toThrow("gone");
});

test("questions wait for their turn, and leave the line with whoever asked or with their node", async () => {
  const { requests, sent } = opened();
  const first = Array.from({ length: 8 }, () => requests.request(7, list).catch((problem) => problem.message));
  const gone = new AbortController();
  const given = requests.request(7, list, gone.signal).catch((problem) => problem.message);
  const next = requests.request(7, list);
  const last = requests.request(7, list).catch((problem) => problem.message);
  const other = requests.request(8, list);
  expect(sent.map((each) => ("id" in each ? each.id : 0))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  requests.take(8, { type: "response", id: 9, response: refused });
  expect(await other).toEqual(refused);
  gone.abort(new Error("gone"));
  requests.take(7, { type: "response", id: 1, response: refused });
  await first[0];
  await turns();
  requests.take(7, { type: "response", id: 10, response: refused });
  expect([await given, await next]).toEqual(["gone", refused]);
  requests.leave(7);
  expect(await last).toBe("The node is no longer connected");
});
