import { expect, test } from "vitest";
import { argsOf } from "../../../helpers/media/transcode-words.ts";

const flags = (container: string, ...audio: readonly object[]): string[] => {
  const target = { file_pattern: "x", container: { kind: container }, video: { codec: "h264" }, audio };
  const args = argsOf(target).find((words) => words.includes("-map")) ?? [];
  return args.flatMap((word, at) => (word.startsWith("-disposition") ? [`${word} ${args[at + 1]}`] : []));
};
const sound = { codec: "aac" };

test.each([
  ["mkv", [sound], []],
  ["mkv", [sound, sound], ["-disposition:a:0 0", "-disposition:a:1 0"]],
  ["mkv", [sound, { ...sound, disposition: "default" }], ["-disposition:a:0 0", "-disposition:a:1 default"]],
  ["mkv", [sound, { ...sound, disposition: "comment" }], ["-disposition:a:0 0", "-disposition:a:1 comment"]],
  ["mkv", [{ codec: "copy" }], ["-disposition:a:0 -default"]],
  ["mp4", [sound, sound], []],
] as const)("a file of %s with sounds %j is told of defaults by %j", (container, audio, expected) => {
  expect(flags(container, ...audio)).toEqual(expected);
});
