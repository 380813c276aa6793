import { expect, test } from "vitest";
import { createLogBuffer, textAfter } from "../../../shared/basics/log-buffer.ts";

const lines = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, n) => `line ${String(from + n).padStart(6, "0")}\n`).join("");

test("a log keeps its beginning and its end, and says how much is missing between them", () => {
  const buffer = createLogBuffer();
  for (let n = 0; n < 40_000; n += 100) buffer.append(lines(n, n + 100));
  const all = lines(0, 40_000);
  const text = buffer.text();
  expect(buffer.written()).toBe(all.length);
  expect(text.length).toBeLessThan(260_000);
  expect(text.startsWith(all.slice(0, 16_000))).toBe(true);
  expect(text.endsWith(all.slice(-240_000))).toBe(true);
  expect(text).toContain(`\n… ${all.length - 256_000} characters left out …\n`);
});

test("told piece by piece, another buffer says the same, also where something was left out meanwhile", () => {
  const [from, to] = [createLogBuffer(), createLogBuffer()];
  for (let n = 0; n < 60_000; n += 1000) {
    from.append(lines(n, n + 1000));
    // Whoever listens is slower than what is written.
    const { from: start, left, text } = from.since(to.written(), 5000);
    expect(start - left).toBe(to.written());
    if (left > 0) to.leaveOut(left);
    to.append(text);
  }
  while (to.written() < from.written()) to.append(from.since(to.written(), 64_000).text);
  expect(to.written()).toBe(from.written());
  expect(to.text().slice(-60_000)).toBe(from.text().slice(-60_000));
  expect(to.text().slice(0, 16_000)).toBe(from.text().slice(0, 16_000));
});

test("what was seen is not said again, with or without a gap", () => {
  expect(textAfter("abcdef", 0)).toEqual({ text: "abcdef", written: 6 });
  expect(textAfter("abcdef", 4)).toEqual({ text: "ef", written: 6 });
  const gapped = "head\n… 100 characters left out …\ntail";
  expect(textAfter(gapped, 0)).toEqual({ text: gapped, written: 108 });
  expect(textAfter(gapped, 106)).toEqual({ text: "il", written: 108 });
  expect(textAfter(gapped, 50)).toEqual({ text: "tail", written: 108 });
});
