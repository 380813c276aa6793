import { describe, expect, test } from "vitest";
import { readManifest } from "../../../media/manifests/index.ts";

const at = (name: string) => `file:///media/${name}`;
const read = (documents: Record<string, string[]>, name = "a.m3u8") =>
  readManifest(
    at(name),
    new Map(Object.entries(documents).map(([key, lines]) => [at(key), ["#EXTM3U", ...lines].join("\n")])),
  );

describe("an HLS playlist", () => {
  test("is its segments in their order, joined", () => {
    const lines = ["#EXTINF:4,", "seg 1.ts?key=1", "#EXTINF:4,", "sub/seg%202.ts", "#EXT-X-ENDLIST"];
    expect(read({ "a.m3u8": lines })).toEqual({
      manifest: {
        kind: "hls",
        isMaster: false,
        sections: [
          {
            tracks: [{ takes: ["video", "audio"], pieces: [{ uri: at("seg%201.ts") }, { uri: at("sub/seg%202.ts") }] }],
          },
        ],
      },
    });
  });

  test("has a section for each discontinuous part, each led by its initialisation", () => {
    const lines = [
      ...['#EXT-X-MAP:URI="i.mp4",BYTERANGE="700@0"', "#EXTINF:4,", "#EXT-X-BYTERANGE:100@700", "a.mp4"],
      ...["#EXT-X-BYTERANGE:50", "a.mp4", "#EXT-X-DISCONTINUITY", "b.mp4", "#EXT-X-ENDLIST"],
    ];
    const found = read({ "a.m3u8": lines });
    const map = { uri: at("i.mp4"), from: 0, length: 700 };
    expect("manifest" in found && found.manifest.sections.map(({ tracks }) => tracks[0]?.pieces)).toEqual([
      [map, { uri: at("a.mp4"), from: 700, length: 100 }, { uri: at("a.mp4"), from: 800, length: 50 }],
      [map, { uri: at("b.mp4") }],
    ]);
  });

  test("that offers variants asks for the best one and its sounds, then takes them", () => {
    const master = [
      '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="hi",NAME="en",LANGUAGE="en",URI="en.m3u8"',
      '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="hi",NAME="de",LANGUAGE="de",URI="de.m3u8"',
      '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="lo",NAME="en",URI="low.m3u8"',
      ...['#EXT-X-STREAM-INF:BANDWIDTH=100,AUDIO="lo"', "small.m3u8"],
      ...['#EXT-X-STREAM-INF:BANDWIDTH=900,CODECS="avc1.64,mp4a.40",AUDIO="hi"', "big.m3u8"],
    ];
    expect(read({ "a.m3u8": master })).toEqual({ need: [at("big.m3u8"), at("en.m3u8"), at("de.m3u8")] });
    const list = (name: string) => [name, "#EXT-X-ENDLIST"];
    const all = { "a.m3u8": master, "big.m3u8": list("v.ts"), "en.m3u8": list("en.ts"), "de.m3u8": list("de.ts") };
    expect(read(all)).toEqual({
      manifest: {
        kind: "hls",
        isMaster: true,
        sections: [
          {
            tracks: [
              { takes: ["video"], pieces: [{ uri: at("v.ts") }] },
              { takes: ["audio"], language: "en", pieces: [{ uri: at("en.ts") }] },
              { takes: ["audio"], language: "de", pieces: [{ uri: at("de.ts") }] },
            ],
          },
        ],
      },
    });
  });

  test.each([
    [["a.ts"], "still grows"],
    [['#EXT-X-KEY:METHOD=AES-128,URI="k"', "a.ts", "#EXT-X-ENDLIST"], "is encrypted"],
    [["#EXT-X-GAP", "a.ts", "#EXT-X-ENDLIST"], "has a gap"],
    [['#EXT-X-DEFINE:NAME="x",VALUE="y"', "{$x}.ts", "#EXT-X-ENDLIST"], "has variables"],
    [["#EXT-X-BYTERANGE:many", "a.ts", "#EXT-X-ENDLIST"], 'the invalid byte range "many"'],
    [["#EXT-X-MAP:BYTERANGE=1", "a.ts", "#EXT-X-ENDLIST"], "without a URI"],
    [["http://[", "#EXT-X-ENDLIST"], "the invalid address"],
    [["#EXT-X-ENDLIST"], "without a segment"],
    [["#EXT-X-STREAM-INF:BANDWIDTH=1"], "without a variant"],
  ])("of the lines %j is refused: it %s", (lines, message) => {
    expect(() => read({ "a.m3u8": lines })).toThrow(message);
  });

  test("within a master is no master again, and its parts fit together", () => {
    const master = [
      '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="g",URI="s.m3u8"',
      '#EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO="g"',
      "v.m3u8",
    ];
    const sound = ["s.ts", "#EXT-X-ENDLIST"];
    expect(() => read({ "a.m3u8": master, "v.m3u8": master, "s.m3u8": sound })).toThrow("master playlist within");
    const parts = ["v.ts", "#EXT-X-DISCONTINUITY", "w.ts", "#EXT-X-ENDLIST"];
    expect(() => read({ "a.m3u8": master, "v.m3u8": parts, "s.m3u8": sound })).toThrow("has 1 discontinuous parts");
  });

  test("has at most 20,000 pieces in a part, its initialisation counted, and 1,000 parts", () => {
    const segments = (count: number) => Array.from({ length: count }, (_, at) => `${at}.ts`);
    const whole = (...lines: string[]) => read({ "a.m3u8": [...lines, "#EXT-X-ENDLIST"] });
    expect("manifest" in whole(...segments(20_000))).toBe(true);
    expect(() => whole(...segments(21_000))).toThrow(`${at("a.m3u8")} has more than 20000 segments`);
    expect(() => whole('#EXT-X-MAP:URI="i.mp4"', ...segments(20_000))).toThrow("has more than 20000 segments");
    const parts = segments(1001).flatMap((name) => ["#EXT-X-DISCONTINUITY", name]);
    expect(() => whole(...parts)).toThrow(`${at("a.m3u8")} has more than 1000 parts`);
  });

  test("whose byte ranges cannot be counted is refused", () => {
    const far = Array.from({ length: 12 }, () => ["#EXT-X-BYTERANGE:999999999999999", "a.ts"]).flat();
    expect(() => read({ "a.m3u8": [...far, "#EXT-X-ENDLIST"] })).toThrow(`${at("a.m3u8")} cannot be used: sections.0`);
  });
});
