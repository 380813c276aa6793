import { describe, expect, test } from "vitest";
import { mapTracks } from "../../../../media/elements/source/audio-map.ts";
import { contents } from "../../../../media/elements/source/schema.ts";

type Place = readonly [track: number, channel?: number];
const at = ([track, channel]: Place) => ({ track, ...(channel !== undefined && { channel }) });
const audio = (mode: string | undefined, ...routes: readonly (readonly [Place, Place])[]) =>
  contents.parse([{ kind: "audio", mode, map: routes.map(([from, to]) => ({ input: at(from), output: at(to) })) }]);

const file = (...channels: number[]) => channels.map((count, ref) => ({ ref, channels: count, language: `l${ref}` }));
const mapped = (tracks: ReturnType<typeof file>, request: ReturnType<typeof audio> | undefined) =>
  mapTracks([{ tracks, contents: request, what: "contents" }]).map(({ from }) =>
    from.map(({ ref, channel }) => (channel === undefined ? `${ref}` : `${ref}.${channel}`)).join(" "),
  );

describe("the tracks that come out", () => {
  test.each([
    ["follow one another without a map", file(2, 1), undefined, ["0", "1"]],
    [
      "are channels side by side",
      file(1, 1),
      audio(
        undefined,
        [
          [0, 0],
          [0, 1],
        ],
        [
          [1, 0],
          [0, 0],
        ],
      ),
      ["1.0 0.0"],
    ],
    [
      "keep their number where nothing is mapped to it",
      file(2, 1, 1),
      audio(undefined, [
        [1, 0],
        [0, 0],
      ]),
      ["1.0", "", "2"],
    ],
    ["are only those of a complete map", file(2, 1, 1), audio("complete_map", [[1], [0]]), ["1"]],
    ["lack what is dropped", file(2, 1), audio(undefined, [[0], [-1, -1]]), ["", "1"]],
    [
      "pass over what an optional map does not find",
      file(1),
      audio(
        "optional_map",
        [
          [0, 0],
          [0, 0],
        ],
        [
          [0, 1],
          [0, 1],
        ],
        [[4], [1]],
      ),
      ["0.0"],
    ],
    [
      "are whole tracks as channels of one",
      file(2, 1),
      audio("complete_map", [[0], [0, 0]], [[1], [0, 2]]),
      ["0.0 0.1 1.0"],
    ],
  ])("%s", (_what, tracks, request, wanted) => {
    expect(mapped(tracks, request)).toEqual(wanted);
  });

  test.each([
    [
      "a track that is missing",
      audio(undefined, [[3], [0]]),
      "contents.map[0] maps track 3, which the file does not have",
    ],
    [
      "a channel that is missing",
      audio(undefined, [
        [0, 5],
        [0, 0],
      ]),
      "maps track 0 with a channel 5",
    ],
    [
      "one place twice",
      audio(
        undefined,
        [
          [0, 0],
          [0, 0],
        ],
        [
          [0, 1],
          [0, 0],
        ],
      ),
      "another channel is already mapped to that position",
    ],
    [
      "a hole",
      audio(undefined, [
        [0, 0],
        [0, 1],
      ]),
      "nothing is mapped to channel 0 of track 0",
    ],
  ])("are refused for %s", (_what, request, message) => {
    expect(() => mapped(file(2), request)).toThrow(message);
  });

  test("keep no number that another file's map gives away", () => {
    const [first, second] = [audio(undefined, [[0], [0]]), audio(undefined, [[0], [1]])];
    const sources = [
      { tracks: file(2, 2), contents: first, what: "a" },
      { tracks: file(1), contents: second, what: "b" },
    ];
    expect(mapTracks(sources).map(({ language }) => language)).toEqual(["l0", "l0"]);
    const others = sources.map((each) => ({ ...each, contents: first })).slice(0, 1);
    expect(mapTracks(others).map(({ language }) => language)).toEqual(["l0", "l1"]);
  });

  test("of several files follow one another, and several entries name their languages", () => {
    const named = contents.parse([
      { kind: "audio", language: "en" },
      { kind: "audio", payload: { language: "fr" } },
    ]);
    const sources = [
      { tracks: file(2), contents: undefined, what: "a" },
      { tracks: file(2, 2), contents: named, what: "b" },
    ];
    expect(mapTracks(sources).map(({ language }) => language)).toEqual(["l0", "en", "fr"]);
  });
});
