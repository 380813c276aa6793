import { expect, test } from "vitest";
import { dashManifest } from "../../../media/packaging/dash-manifest.ts";
import { mediaPlaylist } from "../../../media/packaging/media-index.ts";
import type { DescribedMedia } from "../../../shared/work/media-steps/describe-media.ts";

/** A file with a fragment for each picture of two hours: more than a call may have arguments. */
const index = {
  timescale: 25,
  head: 800,
  segments: Array.from({ length: 180_000 }, (_, at) => ({ from: 800 + 10 * at, length: 10, start: at, duration: 1 })),
};
// The fields that a manifest reads.
const media = { kind: "video", set: "video", codecs: "avc1.64001f", dashUrl: "a.mp4" } as unknown as DescribedMedia;

test("manifests list a file of very many segments", () => {
  expect(mediaPlaylist(index, "a.mp4")).toContain("#EXT-X-TARGETDURATION:1\n");
  const manifest = dashManifest([{ media, index }]);
  expect(manifest).toContain('mediaPresentationDuration="PT7200.000S"');
  expect(manifest).toContain('bandwidth="2000"');
});
