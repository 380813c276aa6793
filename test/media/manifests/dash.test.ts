import { describe, expect, test } from "vitest";
import { readManifest } from "../../../media/manifests/index.ts";
import { ratio } from "../../../shared/basics/rational.ts";

const uri = "s3://bucket/film/a.mpd";
const at = (name: string) => `s3://bucket/film/${name}`;
const read = (text: string) => {
  const found = readManifest(uri, new Map([[uri, text]]));
  if (!("manifest" in found)) throw new Error("it needs more");
  return found.manifest;
};
const tracks = (text: string) => read(text).sections.map((section) => section.tracks);

describe("a DASH manifest", () => {
  test("is the best representation of its picture and of each of its sounds", () => {
    const mpd = `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" mediaPresentationDuration="PT10S">
      <BaseURL>media/</BaseURL>
      <Period>
        <AdaptationSet mimeType="video/mp4">
          <SegmentTemplate timescale="1000" duration="4000" startNumber="0" initialization="$RepresentationID$/i.mp4" media="$RepresentationID$/$Number%03d$.m4s"/>
          <Representation id="small" bandwidth="100"/><Representation id="big" bandwidth="900"/>
        </AdaptationSet>
        <AdaptationSet contentType="audio" lang="de">
          <Representation id="a" bandwidth="1"><BaseURL>sound.mp4</BaseURL></Representation>
        </AdaptationSet>
        <AdaptationSet contentType="text"><Representation id="t"/></AdaptationSet>
      </Period></MPD>`;
    const video = ["i.mp4", "000.m4s", "001.m4s", "002.m4s"].map((name) => ({ uri: at(`media/big/${name}`) }));
    expect(read(mpd)).toEqual({
      kind: "dash",
      isMaster: true,
      sections: [
        {
          tracks: [
            { takes: ["video"], pieces: video },
            { takes: ["audio"], language: "de", pieces: [{ uri: at("media/sound.mp4") }] },
          ],
        },
      ],
    });
  });

  test("counts the segments of a timeline, also to the end of the period", () => {
    const mpd = `<MPD><Period duration="PT0H0M10.5S"><AdaptationSet mimeType="audio/mp4"><Representation id="x" bandwidth="7">
      <SegmentTemplate timescale="10" media="$$$Bandwidth$-$Time$-$Number$.m4s"><SegmentTimeline>
      <S t="5" d="20" r="1"/><S d="30" r="-1"/></SegmentTimeline></SegmentTemplate></Representation></AdaptationSet></Period></MPD>`;
    const names = ["$7-5-1", "$7-25-2", "$7-45-3", "$7-75-4"];
    expect(tracks(mpd)[0]?.[0]?.pieces).toEqual(names.map((name) => ({ uri: at(`${name}.m4s`) })));
  });

  test("has a section for each period; periods may be parts of one file or lists of bytes", () => {
    const set = (inner: string) =>
      `<AdaptationSet mimeType="video/mp4"><Representation>${inner}</Representation></AdaptationSet>`;
    const whole = '<BaseURL>v.mp4</BaseURL><SegmentBase timescale="1000" presentationTimeOffset="4000"/>';
    const list =
      '<SegmentList><Initialization sourceURL="i.mp4" range="0-99"/><SegmentURL media="b.mp4" mediaRange="100-149"/></SegmentList>';
    const mpd = `<MPD mediaPresentationDuration="PT1M"><Period start="PT0S">${set(whole)}</Period><Period start="PT20S">${set(list)}</Period></MPD>`;
    expect(tracks(mpd)).toEqual([
      [{ takes: ["video"], pieces: [{ uri: at("v.mp4") }], range: { from: ratio(4), to: ratio(24) } }],
      [
        {
          takes: ["video"],
          pieces: [
            { uri: at("i.mp4"), from: 0, length: 100 },
            { uri: at("b.mp4"), from: 100, length: 50 },
          ],
        },
      ],
    ]);
  });

  test.each([
    ['<MPD type="dynamic"/>', "is a live manifest"],
    ["<MPD/>", "without video or audio"],
    [
      `<MPD><Period><AdaptationSet mimeType="audio/x"><Representation><SegmentList>${"<SegmentURL/>".repeat(20_001)}</SegmentList></Representation></AdaptationSet></Period></MPD>`,
      "more than 20000 segments",
    ],
    [
      '<MPD><Period><AdaptationSet mimeType="audio/x"><Representation><SegmentList><SegmentURL mediaRange="9-1"/></SegmentList></Representation></AdaptationSet></Period></MPD>',
      "cannot be used: sections.0.tracks.0.pieces.0.length",
    ],
    ['<MPD><Period href="x.xml"/></MPD>', "fetches parts of itself"],
    ["<MPD><Period><AdaptationSet><ContentProtection/></AdaptationSet></Period></MPD>", "is encrypted"],
    ['<!DOCTYPE MPD [<!ENTITY x "y">]><MPD/>', "a document type is not allowed"],
    [
      '<MPD><Period duration="soon"><AdaptationSet mimeType="audio/x"><Representation><SegmentTemplate media="m"/></Representation></AdaptationSet></Period></MPD>',
      'the invalid duration "soon"',
    ],
    [
      '<MPD><Period duration="PT9999999S"><AdaptationSet mimeType="audio/x"><Representation><SegmentTemplate duration="1" media="m"/></Representation></AdaptationSet></Period></MPD>',
      "more than 20000 segments",
    ],
    [
      '<MPD><Period><AdaptationSet mimeType="audio/x"><Representation><SegmentTemplate duration="1" media="m"/></Representation></AdaptationSet></Period></MPD>',
      "does not tell how many",
    ],
  ])("refused manifest %#: $1", (text, message) => {
    expect(() => read(text)).toThrow(message);
  });
});
