import { expect, test } from "vitest";
import { sourceArgs } from "../../../media/ffmpeg/source-args.ts";

test.each([
  ["{source_url}", []],
  ["-i {source_url}", []],
  ["-fflags +genpts+igndts -i {source_url}", ["-fflags", "+genpts+igndts"]],
  ["  -f mpegts   -noautorotate -r 30000/1001 {source_url} ", ["-f", "mpegts", "-noautorotate", "-r", "30000/1001"]],
])('"%s" opens the source with %j', (text, words) => {
  expect(sourceArgs(text, "args")).toEqual(words);
});

test.each([
  ["-i /etc/passwd -i {source_url}", 'args: "-i" is not allowed'],
  ["-f concat -i {source_url}", 'args: -f cannot have the value "concat"'],
  ["-protocol_whitelist all -i {source_url}", '"-protocol_whitelist" is not allowed'],
  ["-format_whitelist all -i {source_url}", '"-format_whitelist" is not allowed'],
  ["-fflags genpts;x -i {source_url}", '-fflags cannot have the value "genpts;x"'],
  ["-fflags", "must contain {source_url} as a separate argument"],
  ["-i concat:{source_url}", "must contain {source_url} as a separate argument"],
  ["-i {source_url} -y /tmp/x", '"-y" comes after {source_url}'],
  ["-fflags -r {source_url}", '-fflags cannot have the value "-r"'],
  ["-constructor 1 -i {source_url}", '"-constructor" is not allowed'],
  ["-dump_attachment:t x -i {source_url}", '"-dump_attachment:t" is not allowed'],
])('"%s" is refused: %s', (text, message) => {
  expect(() => sourceArgs(text, "args")).toThrow(message);
});
