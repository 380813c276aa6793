import { expect, test } from "vitest";
import { packetsOfPictures } from "../../../media/captions/service-708.ts";
import { ratio } from "../../../shared/basics/rational.ts";
import { seenOfPackets } from "../../helpers/media/service-708.ts";

const cue = (from: number, to: number, ...lines: string[]) => ({ from, to, lines: lines.map((text) => [{ text }]) });

/** What the services show, with the second of the picture at which each of it comes. */
const seen = (rate: ReturnType<typeof ratio>, services: Parameters<typeof packetsOfPictures>[0], seconds = 12) => {
  const packetOf = packetsOfPictures(services, rate);
  const packets = Array.from({ length: Math.ceil((seconds * rate.num) / rate.den) }, (_, at) => packetOf(at));
  return seenOfPackets(packets).map(({ picture, service, text }) => ({
    at: (picture * rate.den) / rate.num,
    service,
    text,
  }));
};

const long = "The quick brown fox jumps over the lazy dog and runs";
const cues = [
  cue(1000, 2000, "Hello “you”…", "Äpfel ♪"),
  cue(2500, 4000, long),
  cue(4000, 5000, "at once"),
  cue(5040, 9000, "nearly"),
];
const texts = [
  [1, "Hello “you”…|Äpfel ♪"],
  [2, ""],
  [2.5, "The quick brown fox jumps over|the lazy dog and runs"],
  [4, "at once"],
  [5, ""],
  [5.04, "nearly"],
  [9, ""],
] as const;

test.each([ratio(24_000, 1001), ratio(25), ratio(30_000, 1001), ratio(50), ratio(60_000, 1001), ratio(10)])(
  "texts of a service of CEA-708 come and go in time at $num/$den",
  (rate) => {
    const shown = seen(rate, [{ number: 1, cues }]);
    expect(shown.map(({ text }) => text).filter(Boolean)).toEqual(texts.map(([, text]) => text).filter(Boolean));
    for (const [at, text] of texts.filter(([, each]) => each !== "")) {
      const late = (shown.find((each) => each.text === text)?.at ?? 0) - at;
      // What follows at once needs the time in which it is sent.
      expect(Math.abs(late)).toBeLessThan((text === "nearly" || text === "at once" ? 6 : 1) * (rate.den / rate.num));
    }
    expect(shown.at(-1)?.text).toBe("");
  },
);

test("two services share the room", () => {
  const others = [cue(1000, 3000, "Hallo"), cue(3500, 4000, "Welt")];
  const shown = seen(ratio(60_000, 1001), [
    { number: 1, cues },
    { number: 2, cues: others },
  ]);
  const of = (service: number) => shown.filter((each) => each.service === service && each.text).map(({ text }) => text);
  expect([of(1), of(2)]).toEqual([texts.map(([, text]) => text).filter(Boolean), ["Hallo", "Welt"]]);
});

test("every packet fits into a picture beside the pairs of CEA-608", () => {
  for (const rate of [ratio(24), ratio(30), ratio(60), ratio(120)]) {
    const packetOf = packetsOfPictures(
      [
        { number: 1, cues },
        { number: 2, cues },
      ],
      rate,
    );
    const sizes = Array.from({ length: 12 * rate.num }, (_, at) => packetOf(at).length);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(2 * 27);
    expect(sizes.filter((size) => size % 2 === 1)).toEqual([]);
  }
});

test("letters that CEA-708 lacks become the nearest, and looks are of the pen", () => {
  const looks = [{ text: "ł", italic: true as const, color: "#ff0000" }, { text: "Ω" }];
  const packetOf = packetsOfPictures([{ number: 1, cues: [{ from: 1000, to: 2000, lines: [looks] }] }], ratio(25));
  const bytes = Array.from({ length: 50 }, (_, at) => packetOf(at)).flat();
  expect(bytes.join()).toContain([0x90, 0x05, 0x80].join());
  expect(bytes.join()).toContain([0x91, 0x30, 0, 0].join());
  expect(bytes).toContain("l".charCodeAt(0));
});
