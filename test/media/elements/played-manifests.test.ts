import { expect, test } from "vitest";
import type { PlanContext } from "../../../media/elements/element.ts";
import { playedManifests } from "../../../media/elements/source/played-manifests.ts";
import { parseRational } from "../../../shared/basics/rational.ts";
import type { Asset } from "../../../shared/model/asset.ts";
import type { Manifest } from "../../../shared/work/manifest.ts";
import { aPicture } from "../../helpers/media/transcode-words.ts";

const offering = (uri: string, more: Partial<Manifest> = {}): Manifest => ({
  ...{ kind: "hls", isMaster: false, sections: [{ tracks: [{ takes: ["video"], pieces: [{ uri }] }] }] },
  ...more,
});
const manifests: Readonly<Record<string, Manifest>> = {
  "file:///list.m3u8": offering("file:///a.ts"),
  "file:///master.m3u8": offering("file:///high.mp4", { isMaster: true }),
  "file:///high.m3u8": offering("file:///high.mp4"),
  "file:///film.mpd": offering("file:///high.mp4", { kind: "dash" }),
};
const facts = {
  ...{ format: "mpegts", start: parseRational("0"), duration: parseRational("1"), size: 1000 },
  ...{ video: [aPicture()], audio: [], others: [] },
};
const anAsset = (version: string, ...names: string[]): Asset => ({
  version,
  files: names.map((name) => ({ uri: `file:///${name}` })),
});
const played = (...inputs: Asset[]) => {
  const context: PlanContext<unknown> = {
    ...{ uid: "tc", payload: {}, job: { id: 1, name: "j" }, inputs, manifestOf: (uri) => manifests[uri] },
    factsOf: () => ({ size: 1000, modified: 1, facts }),
  };
  const found = playedManifests(context);
  return "need" in found
    ? found.need
    : found.assets.map(({ version, files }) => [version, ...files.map(({ uri }) => uri)]);
};

test("a playlist with its segments is played, beside other assets", () => {
  expect(played(anAsset("list", "a.ts", "b.ts", "list.m3u8"), anAsset("film", "film.mp4"))).toEqual([
    ["list", "file:///a.ts"],
    ["film", "file:///film.mp4"],
  ]);
});

test("what a master playlist offers stands for all that a package made", () => {
  const made = [anAsset("media", "high.mp4", "low.mp4"), anAsset("lists", "high.m3u8")];
  expect(played(...made, anAsset("main", "film.mpd", "master.m3u8"))).toEqual([["main", "file:///high.mp4"]]);
  expect(played(anAsset("media", "high.mp4", "low.mp4"), anAsset("main", "film.mpd"))).toEqual([
    ["main", "file:///high.mp4"],
  ]);
});

test("a manifest is read first, and one of subtitles is left alone", () => {
  expect(played(anAsset("x", "new.mpd"))).toEqual([{ fact: "manifest", uri: "file:///new.mpd" }]);
  expect(played(anAsset("texts", "0.vtt", "texts.m3u8"))).toEqual([["texts", "file:///0.vtt", "file:///texts.m3u8"]]);
});
