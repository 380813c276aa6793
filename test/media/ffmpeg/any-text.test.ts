import fc from "fast-check";
import { expect, test } from "vitest";
import { parseProbe } from "../../../media/ffmpeg/probe.ts";
import { readManifest } from "../../../media/manifests/index.ts";
import { AppError } from "../../../shared/basics/errors.ts";
import { decodeJoinToken, encodeJoinToken } from "../../../shared/credentials/join-token.ts";
import { mediaFacts } from "../../../shared/model/asset.ts";
import { TaskError } from "../../../shared/model/failure.ts";
import { manifest } from "../../../shared/work/manifest.ts";
import { cases, holds } from "../../helpers/long.ts";
import { putAt } from "../../helpers/random/hostile.ts";
import { damaged } from "../../helpers/random/hostile-text.ts";

/** Nothing that is read takes so long, on a busy machine either. */
const longestMs = 2000;
const hours = 6 * 3_600_000;

const quick = <T>(read: () => T): T => {
  const begun = performance.now();
  try {
    return read();
  } finally {
    expect(performance.now() - begun).toBeLessThan(longestMs);
  }
};

const token = encodeJoinToken({ url: "ws://127.0.0.1:8700/v1/agent", farmId: "farm", secret: "a-long-secret-word" });

test(
  "a join token is read or refused, and never repeated",
  async () => {
    const property = fc.property(damaged(token, `  ${token}\n`), (text) => {
      try {
        expect(decodeJoinToken(text).url).toMatch(/^wss?:/);
      } catch (problem) {
        expect(problem).toBeInstanceOf(AppError);
        expect((problem as AppError).message).not.toContain("a-long-secret");
      }
    });
    await holds(property, cases(2000));
  },
  hours,
);

const hls = [
  "#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:6\n#EXT-X-MEDIA-SEQUENCE:0\n",
  '#EXT-X-MAP:URI="init.mp4",BYTERANGE="100@0"\n#EXTINF:6.006,\n#EXT-X-BYTERANGE:100@200\nseg1.mp4\n',
  '#EXT-X-DISCONTINUITY\n#EXT-X-KEY:METHOD=AES-128,URI="k"\n#EXTINF:6,\nseg2.mp4\n#EXT-X-ENDLIST\n',
].join("");
const master =
  '#EXTM3U\n#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="en",LANGUAGE="en",URI="a.m3u8"\n#EXT-X-STREAM-INF:BANDWIDTH=1000,AUDIO="a",RESOLUTION=640x360\nv.m3u8\n';
const dash = `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT10S">
<Period><AdaptationSet mimeType="video/mp4"><SegmentTemplate timescale="1000" initialization="$RepresentationID$/i.mp4"
media="$RepresentationID$/$Number%05d$.m4s" startNumber="1"><SegmentTimeline><S t="0" d="2000" r="4"/></SegmentTimeline>
</SegmentTemplate><Representation id="v" bandwidth="1000" width="640" height="360"/></AdaptationSet></Period></MPD>`;

test(
  "a manifest is read, asks for more, or is refused in words",
  async () => {
    const property = fc.property(
      damaged(hls, master, dash),
      fc.constantFrom("file:///m/a.m3u8", "file:///m/a.mpd", "file:///m/CPL.xml"),
      (text, uri) => {
        try {
          const found = quick(() => readManifest(uri, new Map([[uri, text]])));
          if ("manifest" in found) expect(manifest.safeParse(found.manifest).error).toBeUndefined();
          else expect(found.need.length).toBeGreaterThan(0);
        } catch (problem) {
          if (!(problem instanceof TaskError)) throw problem;
        }
      },
    );
    await holds(property, cases(2000));
  },
  hours,
);

const probe = {
  streams: [
    {
      ...{
        index: 0,
        codec_name: "h264",
        profile: "High",
        codec_type: "video",
        width: 640,
        height: 360,
        has_b_frames: 2,
      },
      ...{ sample_aspect_ratio: "1:1", pix_fmt: "yuv420p", level: 30, field_order: "tt", r_frame_rate: "25/1" },
      ...{ avg_frame_rate: "25/1", time_base: "1/12800", start_pts: 0, start_time: "0.000000", duration_ts: 128_000 },
      ...{ duration: "10.000000", bit_rate: "100000", nb_frames: "250", disposition: { attached_pic: 0 }, id: "0x1" },
      tags: { language: "eng", timecode: "01:00:00:00", title: "t", encoder: "e" },
    },
    {
      ...{
        index: 1,
        codec_name: "aac",
        codec_type: "audio",
        sample_rate: "48000",
        channels: 2,
        channel_layout: "stereo",
      },
      ...{ bits_per_sample: 0, time_base: "1/48000", start_time: "0", duration: "10", initial_padding: 1024, tags: {} },
    },
  ],
  chapters: [{ time_base: "1/1000", start: 0, end: 1000, start_time: "0", end_time: "1", tags: { title: "c" } }],
  format: { format_name: "mov,mp4", start_time: "0", duration: "10", size: "1000", bit_rate: "1000", tags: {} },
};
const value = fc.oneof(
  fc.constantFrom("0/0", "N/A", "1/0", "-1", "9".repeat(30), "1e400", "", null, -1, 0, 1e308, 2 ** 53, "\u0001"),
  fc.string({ unit: "binary" }),
  fc.double(),
  fc.integer(),
  fc.constant([]),
  fc.constant({}),
);
const changed = fc
  .array(fc.tuple(fc.nat(75), value), { minLength: 1, maxLength: 4 })
  .map((list) => JSON.stringify(list.reduce((all: unknown, [place, put]) => putAt(all, place, put), probe)));

test(
  "what ffprobe prints is read as facts that a message may carry, or not at all",
  async () => {
    const property = fc.property(fc.oneof(changed, damaged(JSON.stringify(probe))), (text) => {
      let facts: unknown;
      try {
        facts = quick(() => parseProbe(text, 1000));
      } catch (problem) {
        expect(problem).toBeInstanceOf(Error); // the agent says in words that the output cannot be read
        return;
      }
      const told = JSON.parse(JSON.stringify(facts));
      expect([mediaFacts.safeParse(told).error?.issues, told]).toEqual([undefined, told]);
    });
    await holds(property, cases(2000));
  },
  hours,
);
