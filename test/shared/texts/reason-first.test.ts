import { describe, expect, test } from "vitest";
import { cutMiddle, reasonFirst, reasonLine, shortFolder } from "../../../shared/texts/reason-first.ts";

describe("a message", () => {
  test.each([
    [
      "Error opening input /mnt/projects/day 3/A021.mov: no such file",
      // A space ends a path that nobody quotes.
      "Error opening input day 3/A021.mov: no such file · /mnt/projects",
    ],
    ["/mnt/p/day3/A021.mov: moov atom not found", "Moov atom not found · A021.mov · /mnt/p/day3"],
    ["moov atom not found in /mnt/p/day3/A021.mov", "moov atom not found · A021.mov · /mnt/p/day3"],
    ["No such file: file:///mnt/p/day%203/A%20021.mov", "No such file · A 021.mov · file:///mnt/p/day%203"],
    ["The file “/mnt/p/A021.mov” is cut short", "The file “A021.mov” is cut short · /mnt/p"],
    ["cannot write D:\\projects\\out\\a.mxf: access denied", "Access denied · a.mxf · D:\\projects\\out"],
    ["cannot write \\\\nas\\media\\a.mxf: disk full", "Disk full · a.mxf · \\\\nas\\media"],
    ["S3 answered 503 for s3://bucket/dir/a.mp4", "S3 answered 503 · a.mp4 · s3://bucket/dir"],
    ["refused: https://example.com/a.mp4", "refused · a.mp4 · https://example.com"],
    ["loudness is −19.2 LUFS and/or peaks at −0.1 dB", "loudness is −19.2 LUFS and/or peaks at −0.1 dB"],
    [
      "transcode.payload.targets[0].audio[0] needs audio track 3, the source has 1 audio track",
      "Needs audio track 3, the source has 1 audio track · transcode.payload.targets[0].audio[0]",
    ],
    ["payload.elements[0].kind: is missing", "Is missing · payload.elements[0].kind"],
    ["24/30 frames", "24/30 frames"],
    ["", ""],
  ])("%j reads %j", (message, line) => {
    expect(reasonLine(message)).toBe(line);
  });

  test("keeps all of its words where its path is only a part of it", () => {
    expect(reasonFirst("copied /a/b/c.mov over /a/b/d.mov, and lost it")).toEqual({
      why: "copied c.mov over /a/b/d.mov, and lost it",
      file: undefined,
      folder: "/a/b",
    });
  });

  test("that is a path alone stays one", () => {
    expect(reasonLine("/mnt/projects/a.mov")).toBe("a.mov · /mnt/projects");
  });
});

describe("a long folder", () => {
  test("keeps its beginning and its end, and names whole", () => {
    expect(shortFolder("/mnt/projects/halden/season 2/episode 4/camera/day 3", 32)).toBe(
      "/mnt/…/episode 4/camera/day 3",
    );
    expect(shortFolder("s3://bucket/halden/season2/episode4/camera/day3", 30)).toBe("s3://bucket/halden/…/day3");
    expect(shortFolder("/mnt/short", 32)).toBe("/mnt/short");
  });

  test("is never longer than asked, whatever it is made of", () => {
    for (const folder of [`/${"x".repeat(90)}/${"y".repeat(90)}`, "/".repeat(80), `\\\\nas\\${"ü".repeat(70)}`])
      for (const most of [8, 20, 32]) expect([...shortFolder(folder, most)].length).toBeLessThanOrEqual(most);
  });
});

test("a text is cut in its middle, and shows more of its end", () => {
  expect(cutMiddle("halden_s02e04_review_v012.mov", 16)).toBe("halden…_v012.mov");
  expect(cutMiddle("short", 16)).toBe("short");
});
