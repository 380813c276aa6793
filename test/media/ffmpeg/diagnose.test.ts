import { expect, test } from "vitest";
import { diagnose } from "../../../media/ffmpeg/diagnose.ts";

const failed = (stderr: string) => diagnose({ args: [], exitCode: 1, signal: null, stderr });

test.each([
  ["av_interleaved_write_frame(): No space left on device", "resources", "The disk is full"],
  ["/x/y.mp4: Permission denied", "storage", "A file may not be read or written: permission denied"],
  [
    "[mov,mp4 @ 0x1] [error] moov atom not found\nInvalid data found when processing input",
    "source",
    "The source is cut short or still being written: its index is missing",
  ],
  ["Unknown encoder 'libx265'", "capability", "This ffmpeg has no encoder libx265"],
  ["[AVFilterGraph @ 0x1] No such filter: 'bwdif'", "capability", "This ffmpeg has no filter bwdif"],
  ["Stream map '0:a:3' matches no streams.", "definition", "The source lacks a stream that the target needs"],
  [
    "[x] [error] Something new\n[y] [info] bye",
    "media",
    "The tool failed with exit code 1: the end of its log says why",
  ],
])("%s", (stderr, cause, message) => {
  expect(failed(stderr)).toEqual({ cause, message });
});

test("the words of a tool stay in its log", () => {
  const said = [
    "[libx264 @ 0x5617] [error] Separate headers not supported in AVC-Intra mode\n[vost#0:0] [error] Error while opening encoder",
    "[x @ 0x1] [fatal] Assertion failed at libavutil/x.c:12",
    "Segment fault in module",
  ];
  for (const stderr of said) expect(failed(stderr).message).not.toMatch(/0x|AVC-Intra|Assertion|Segment/);
});

test("a kill by the system means that memory ran out", () => {
  const message = "The system killed the tool, most likely because memory ran out";
  expect(diagnose({ args: [], exitCode: null, signal: "SIGKILL", stderr: "" })).toEqual({
    cause: "resources",
    message,
  });
});

test("a crash is the media's", () => {
  const crash = diagnose({ args: [], exitCode: null, signal: "SIGSEGV", stderr: "" });
  expect(crash).toEqual({ cause: "media", message: "The tool crashed (SIGSEGV) on this media" });
});
