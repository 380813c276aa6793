import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { checkMade } from "./made.ts";
import { analysesIn, measuredOf } from "./measured.ts";
import { faultsOfManifest } from "./playlists.ts";
import type { Sample } from "./samples.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "mediafarm-made-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const folder = "s3://hybrik-examples/out";
const put = (name: string, text = "x"): string => {
  const path = join(root, "hybrik-examples/out", name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
};

const aFile = (name: string, uid: string, more: object = {}) => ({
  ...{ uri: `${folder}/${name}`, size: 1, modified: null, checksum: null, element_uid: uid, task_id: "1", position: 0 },
  ...{ version: "target_0", facts: null, summary: "", ...more },
});

const aSample = (kind: string, payload: object): Sample => ({
  ...{ name: "s", job: {} },
  elements: [{ uid: "e", kind, payload: { ...payload } }],
});

const checked = (sample: Sample, outputs: ReturnType<typeof aFile>[], result: unknown = {}) =>
  checkMade({ sample, outputs, result, root, lengthOf: async () => undefined });

test("a file that is listed must be there, with its size", async () => {
  put("a.srt");
  const copy = aSample("copy", {});
  expect(await checked(copy, [aFile("a.srt", "e")])).toEqual({ files: 1, faults: [] });
  expect((await checked(copy, [aFile("a.srt", "e", { size: 2 })])).faults).toEqual([
    `${folder}/a.srt has 1 bytes and not 2`,
  ]);
  expect((await checked(copy, [aFile("b.srt", "e")])).faults).toEqual([`${folder}/b.srt is listed and not there`]);
  expect((await checked(copy, [])).faults).toEqual(["e: copied nothing"]);
});

test("every target makes a file, unless it has conditions", async () => {
  const condition = { include_conditions: ["1 > 2"] };
  expect((await checked(aSample("transcode", { targets: [{}, condition] }), [])).faults).toEqual([
    "e: targets[0] made no file",
  ]);
});

test("what is to be deleted is gone", async () => {
  const payload = { asset: { payload: { url: `${folder}/a.srt` } } };
  expect((await checked(aSample("delete_asset", payload), [])).faults).toEqual([]);
  put("a.srt");
  expect((await checked(aSample("delete_asset", payload), [])).faults).toEqual([`e: ${folder}/a.srt is still there`]);
});

test("an analysis has a value for each property that it was asked for", async () => {
  const asked = {
    video: { black: { enabled: true }, psnr: { enabled: false } },
    audio: [{ levels: { enabled: true } }],
  };
  const value = { deep_properties: { video: { black: { events: [] } }, audio: [{ levels: { rms_level_db: -20 } }] } };
  const element = {
    uid: "e",
    kind: "analyze",
    payload: { deep_properties: asked, general_properties: { enabled: true } },
  };
  const found = analysesIn({ documents: [{ results: { a: { kind: "analysis", value } } }] });
  expect(measuredOf(element, found)).toEqual({ measured: 3, missing: ["general_properties was not measured"] });
  expect(measuredOf(element, []).missing).toHaveLength(3);
  const faults = (await checked({ ...aSample("", {}), elements: [element] }, [], { tasks: [] })).faults;
  expect(faults).toContain("e: video.black was not measured");
});

const media = (uri: string) =>
  `#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:2\n#EXT-X-MAP:URI="init.mp4"\n#EXTINF:2,\n${uri}\n#EXT-X-ENDLIST\n`;
const main = '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1000,CODECS="avc1.4d001f"\nlow/media.m3u8\n';

test("a playlist names what is there, variants and their segments included", () => {
  const path = put("main.m3u8", main);
  expect(faultsOfManifest(path)).toEqual(["names low/media.m3u8, which is not there"]);
  put("low/media.m3u8", media("1.m4s"));
  put("low/init.mp4");
  expect(faultsOfManifest(path)).toEqual(["low/media.m3u8: names 1.m4s, which is not there or empty"]);
  put("low/1.m4s");
  expect(faultsOfManifest(path)).toEqual([]);
  put("low/1.m4s", "");
  expect(faultsOfManifest(path)).toEqual(["low/media.m3u8: names 1.m4s, which is not there or empty"]);
  expect(faultsOfManifest(put("empty.m3u8", "nothing"))[0]).toMatch(/^cannot be parsed/);
});

test("a DASH manifest names what is there", () => {
  const template = '<SegmentTemplate media="v_$Number$.m4s" initialization="init.mp4" duration="2" startNumber="1"/>';
  const representation = `<Representation id="v" bandwidth="1" codecs="avc1.4d001f">${template}</Representation>`;
  const set = `<AdaptationSet mimeType="video/mp4">${representation}</AdaptationSet>`;
  const times = 'type="static" mediaPresentationDuration="PT4S"';
  const text = `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" ${times}><Period duration="PT4S">${set}</Period></MPD>`;
  const path = put("x.mpd", text);
  put("init.mp4");
  put("v_1.m4s");
  expect(faultsOfManifest(path)).toEqual([
    expect.stringMatching(/^names file:.*v_2\.m4s, which is not there or empty$/),
  ]);
  put("v_2.m4s");
  expect(faultsOfManifest(path)).toEqual([]);
});

test("a DASH manifest of one file a representation names what is there", () => {
  const base =
    '<BaseURL>whole.mp4</BaseURL><SegmentBase indexRange="100-200"><Initialization range="0-99"/></SegmentBase>';
  const representation = `<Representation id="v" bandwidth="1" codecs="avc1.4d001f">${base}</Representation>`;
  const set = `<AdaptationSet mimeType="video/mp4">${representation}</AdaptationSet>`;
  const times = 'type="static" mediaPresentationDuration="PT4S"';
  const text = `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" ${times}><Period duration="PT4S">${set}</Period></MPD>`;
  const path = put("x.mpd", text);
  expect(faultsOfManifest(path)).toEqual([expect.stringMatching(/whole\.mp4, which is not there or empty$/)]);
  put("whole.mp4");
  expect(faultsOfManifest(path)).toEqual([]);
});
