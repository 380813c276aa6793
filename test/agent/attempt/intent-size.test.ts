import { expect, test } from "vitest";
import { refuseLongIntent } from "../../../agent/attempt/intent-size.ts";
import { maxMessageBytes } from "../../../shared/protocol/messages.ts";
import type { Intent } from "../../../shared/work/work.ts";

const anIntent = (count: number, folder: string): Intent => ({
  files: Array.from({ length: count }, (_, nr) => ({
    output: "main",
    temp: `file://${folder}/.f_${nr}.part`,
    final: `file://${folder}/f_${nr}`,
    size: 1,
    identity: "a",
    existing: "fail",
  })),
});

test("files that fit into a message are published together", () => {
  expect(() => refuseLongIntent(anIntent(20_000, "/out"))).not.toThrow();
});

test("more files than a message can name are refused with what to do", () => {
  const intent = anIntent(20_000, `/${"x".repeat(200)}`);
  expect(JSON.stringify(intent).length).toBeGreaterThan(maxMessageBytes / 2);
  expect(() => refuseLongIntent(intent)).toThrow(
    "20000 files are too many for one task to publish: split the job into several, or choose a shorter folder name",
  );
});
