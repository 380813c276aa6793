import { describe, expect, test } from "vitest";
import { saidInDash, withDashNames } from "../../../media/packaging/dash-names.ts";
import { finished } from "../../../media/packaging/finished-manifest.ts";
import { buildMasterRecipe } from "../../../media/packaging/master-recipe.ts";
import type { TrackLayer } from "../../../shared/model/layer.ts";

const sound = (stem: string, layer: TrackLayer) => ({ kind: "audio" as const, stem, layer, version: stem });

const sounds = [
  sound("a0", { language: "eng", name: "Main <1>" }),
  sound("a1", { language: "eng", name: "Commentary", role: "comment" }),
  sound("a2", { language: "fra", role: "dub" }),
  sound("a3", { language: "eng", role: "karaoke" }),
  sound("a4", { language: "deu", isDefault: true }),
];

/** What is said of each sound: its id, its roles, and its label. */
const said = (of: typeof sounds) => [...saidInDash(of).values()].map(({ id, roles, label }) => [id, roles, label]);

describe("sounds in a DASH manifest", () => {
  test("have the roles of the specification, their names as ids and labels", () => {
    expect(said(sounds)).toEqual([
      ["Main_1_", [], "Main <1>"],
      ["Commentary", ["commentary"], "Commentary"],
      ["a2", ["dub"], undefined],
      ["a3", ["karaoke"], undefined],
      ["a4", ["main"], undefined],
    ]);
  });

  test("without a default one begin with the first that has no role", () => {
    const without = sounds.slice(0, 3);
    expect(said(without).map(([, roles]) => roles)).toEqual([["main"], ["commentary"], ["dub"]]);
  });

  test("of one choice in several bit rates stay one choice", () => {
    const ladder = ["low", "high"].map((name) => sound(name, { language: "eng", name, group: "music" }));
    const plain = ["low", "high"].map((name) => sound(name, { language: "eng" }));
    const words = (of: typeof sounds) => new Set([...saidInDash(of).values()].map(({ word }) => word)).size;
    expect([words(ladder), words(plain), words(sounds)]).toEqual([1, 1, 5]);
  });
});

test("a packager's manifest gets ids by its media, and labels before the roles", () => {
  const manifest =
    '<AdaptationSet><Role value="dub"/> <Label>label_0</Label> <Representation id="1"><BaseURL>a.mp4</BaseURL></Representation></AdaptationSet>';
  const names = { ids: [{ media: "a.mp4", id: "Ton" }], labels: [{ word: "label_0", label: "A & $& B" }] };
  expect(withDashNames(manifest, names)).toBe(
    '<AdaptationSet><Label>A &amp; $&amp; B</Label> <Role value="dub"/> <Representation id="Ton"><BaseURL>a.mp4</BaseURL></Representation></AdaptationSet>',
  );
});

test("a manifest of ffmpeg gets names, short languages and other addresses, and names the same files", () => {
  const manifest = [
    '<MPD><Period id="0"><AdaptationSet id="1" lang="eng">',
    '<Representation id="1"><SegmentTemplate initialization="x_$RepresentationID$_init.mp4" media="x_$RepresentationID$_$Number%05d$.m4s"/></Representation>',
    "</AdaptationSet></Period></MPD>",
  ].join("\n");
  const addresses = [
    { name: "BaseURL", value: "http://cdn.example/?a&b" },
    { name: "x_", value: "y/$&_" },
  ];
  expect(finished(manifest, { tracks: [{ number: 1, id: "Ton", label: "Ton <1>" }], addresses })).toBe(
    [
      '<MPD><BaseURL>http://cdn.example/?a&amp;b</BaseURL><Period id="0"><AdaptationSet id="1" lang="en">',
      "<Label>Ton &lt;1&gt;</Label>",
      '<Representation id="Ton"><SegmentTemplate initialization="y/$&amp;_1_init.mp4" media="y/$&amp;_1_$Number%05d$.m4s"/></Representation>',
      "</AdaptationSet></Period></MPD>",
    ].join("\n"),
  );
});

test("players of HLS do not begin with a commentary, and find every sound under a name of its own", () => {
  const offered = [
    { kind: "video" as const, version: "v", stem: "v", layer: {}, playlist: "v.m3u8" },
    ...[sounds[1], sounds[3], sounds[0], sounds[2]].flatMap((each) =>
      each ? [{ ...each, playlist: `${each.stem}.m3u8` }] : [],
    ),
  ];
  const { renditions } = buildMasterRecipe(offered, { captions: [], version: 6 });
  expect(renditions.map(({ name, isDefault, isAsked }) => [name, isDefault, isAsked])).toEqual([
    ["Commentary", false, true],
    ["eng karaoke", false, true],
    ["Main <1>", true, undefined],
    ["fra dub", false, undefined],
  ]);
});
