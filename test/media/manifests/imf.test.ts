import { describe, expect, test } from "vitest";
import { readManifest } from "../../../media/manifests/index.ts";
import { ratio } from "../../../shared/basics/rational.ts";

const uri = "s3://bucket/imf/CPL.xml";
const at = (name: string) => `s3://bucket/imf/${name}`;
const map = `<am:AssetMap xmlns:am="x"><am:AssetList>${["video", "more", "sound"]
  .map(
    (id) =>
      `<am:Asset><am:Id>urn:uuid:${id}</am:Id><am:ChunkList><am:Chunk><am:Path>${id}.mxf</am:Path></am:Chunk></am:ChunkList></am:Asset>`,
  )
  .join("")}</am:AssetList></am:AssetMap>`;

const resource = (id: string, fields: Record<string, string | number>) =>
  `<Resource>${Object.entries({ TrackFileId: `urn:uuid:${id.toUpperCase()}`, ...fields })
    .map(([name, value]) => `<${name}>${value}</${name}>`)
    .join("")}</Resource>`;
const sequence = (name: string, ...resources: string[]) =>
  `<x:${name} xmlns:x="y"><TrackId>1</TrackId><ResourceList>${resources.join("")}</ResourceList></x:${name}>`;
const composition = (...sequences: string[]) =>
  `<CompositionPlaylist><EditRate>24 1</EditRate><EssenceDescriptorList><EssenceDescriptor><Id>urn:uuid:d</Id>
   <r:Wave xmlns:r="z"><r:Sub><r:RFC5646SpokenLanguage>en-US</r:RFC5646SpokenLanguage></r:Sub></r:Wave></EssenceDescriptor></EssenceDescriptorList>
   <SegmentList><Segment><SequenceList>${sequences.join("")}</SequenceList></Segment></SegmentList></CompositionPlaylist>`;
const documents = (cpl: string) =>
  new Map([
    [uri, cpl],
    [at("ASSETMAP.xml"), map],
  ]);

describe("an IMF composition", () => {
  test("asks for the asset map beside it", () => {
    expect(readManifest(uri, new Map([[uri, composition()]]))).toEqual({ need: [at("ASSETMAP.xml")] });
  });

  test("is cut into sections where a track goes on with another file, exactly in each track's own units", () => {
    const picture = sequence(
      "MainImageSequence",
      resource("video", { IntrinsicDuration: 240, EntryPoint: 24, SourceDuration: 48 }),
      resource("more", { IntrinsicDuration: 24, RepeatCount: 2 }),
    );
    const sound = sequence(
      "MainAudioSequence",
      resource("sound", {
        EditRate: "48000 1",
        IntrinsicDuration: 960_000,
        EntryPoint: 1,
        SourceDuration: 192_000,
        SourceEncoding: "urn:uuid:d",
      }),
    );
    const video = (name: string, from: number, to: number) => ({
      ...{ takes: ["video"], language: undefined, pieces: [{ uri: at(name) }] },
      range: { from: ratio(from), to: ratio(to) },
    });
    const audio = (from: number, to: number) => ({
      ...{ takes: ["audio"], language: "en-US", pieces: [{ uri: at("sound.mxf") }] },
      range: { from: ratio(from * 48_000 + 1, 48_000), to: ratio(to * 48_000 + 1, 48_000) },
    });
    expect(readManifest(uri, documents(composition(picture, sound)))).toEqual({
      manifest: {
        kind: "imf",
        isMaster: false,
        sections: [
          { tracks: [video("video.mxf", 1, 3), audio(0, 2)] },
          { tracks: [video("more.mxf", 0, 1), audio(2, 3)] },
          { tracks: [video("more.mxf", 0, 1), audio(3, 4)] },
        ],
      },
    });
  });

  test.each([
    [
      "a file that the map lacks",
      [sequence("MainImageSequence", resource("else", { IntrinsicDuration: 1 }))],
      "uses urn:uuid:else",
    ],
    ["no duration", [sequence("MainImageSequence", resource("video", { IntrinsicDuration: 0 }))], "no usable duration"],
    [
      "text for a number",
      [sequence("MainImageSequence", resource("video", { IntrinsicDuration: "1e9" }))],
      "is not a number",
    ],
    ["a key", [sequence("MainImageSequence", resource("video", { IntrinsicDuration: 1, KeyId: "k" }))], "is encrypted"],
    ["no track", [], "without picture or sound"],
    [
      "tracks of two lengths",
      [
        sequence("MainImageSequence", resource("video", { IntrinsicDuration: 24 })),
        sequence("MainAudioSequence", resource("sound", { IntrinsicDuration: 25 })),
      ],
      "do not last equally long",
    ],
  ])("with %s is refused", (_what, sequences, message) => {
    expect(() => readManifest(uri, documents(composition(...sequences)))).toThrow(message);
  });
});

test("what is no manifest is said to be none", () => {
  expect(() => readManifest(uri, new Map([[uri, "<html/>"]]))).toThrow("is no HLS playlist, DASH manifest or IMF");
});
