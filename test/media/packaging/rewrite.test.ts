import { expect, test } from "vitest";
import { rewriteManifest } from "../../../media/packaging/rewrite.ts";

const playlist = (...seconds: number[]) =>
  ["#EXTM3U", "#EXT-X-TARGETDURATION:3", ...seconds.flatMap((each) => [`#EXTINF:${each}.000,`, "s.vtt"])].join("\n");

test("subtitles in one file last as long as the film", () => {
  expect(rewriteManifest(playlist(3), { as: "hls", seconds: 4.52 })).toBe(
    "#EXTM3U\n#EXT-X-TARGETDURATION:5\n#EXTINF:4.520,\ns.vtt",
  );
  expect(rewriteManifest(playlist(3, 2), { as: "hls", seconds: 9 })).toBe(playlist(3, 2));
  expect(rewriteManifest(playlist(3), { as: "hls" })).toBe(playlist(3));
});
