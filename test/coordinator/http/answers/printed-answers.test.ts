import { expect, test } from "vitest";
import { atOnce, printAnswer, printInPieces } from "../../../../coordinator/http/answers/printed-answers.ts";

test("an answer with long texts is printed piece by piece, as it would be at once", async () => {
  const line = 'frame=1 "quoted" \\ back\u0000\n😀\ud83d';
  const long = line.repeat(Math.ceil((3 * atOnce) / line.length));
  const answer = { task: { id: "1" }, items: [{ log: long }, { log: "short" }, { log: `x${long}`, more: null }] };
  let pieces = 0;
  const kept = await printInPieces(async (work) => {
    pieces += 1;
    return work();
  }, answer);
  expect(kept).toBe(answer);
  expect(pieces).toBeGreaterThanOrEqual(6);
  expect(JSON.parse(printAnswer(kept))).toEqual(answer);
});

test("a long list is printed in pieces of some items each, as it would be at once", async () => {
  const answer = { items: Array.from({ length: 230 }, (_, nr) => (nr === 7 ? undefined : { nr })), more: [undefined] };
  let pieces = 0;
  const kept = await printInPieces(async (work) => {
    pieces += 1;
    return work();
  }, answer);
  expect(printAnswer(kept)).toBe(JSON.stringify(answer));
  expect(pieces).toBe(12);
});
