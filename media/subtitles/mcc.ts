import { type Rational, ratio, toNumber } from "../../shared/basics/rational.ts";
import { framesToTimecode, timecodeToFrames } from "../formats/timecode.ts";
import { captionPacket, parseCaptionPacket, sum } from "./cdp.ts";
import { type Cue, SubtitleError, TooMuchText } from "./cue.ts";
import { type CaptionLine, captionLines, shownBy } from "./scc.ts";

const head = "File Format=MacCaption_MCC V";
const rate = ratio(30_000, 1001);

/** As the head of a file names them. */
const rates: Readonly<Record<string, Rational>> = {
  ...{ 24: ratio(24), 25: ratio(25), "30DF": rate, 30: ratio(30), 50: ratio(50) },
  ...{ "60DF": ratio(60_000, 1001), 60: ratio(60) },
};

/** CEA-708 caption data in ancillary packets. */
const dataId = [0x61, 0x01];

/** Letters that stand for bytes which come often. */
const letters: Readonly<Record<string, readonly number[]>> = {
  ...Object.fromEntries([..."GHIJKLMNO"].map((letter, index) => [letter, padding(index + 1)])),
  ...{ P: [0xfb, 0x80, 0x80], Q: [0xfc, 0x80, 0x80], R: [0xfd, 0x80, 0x80], S: [0x96, 0x69], T: dataId },
  ...{ U: [0xe1, 0, 0, 0], Z: [0] },
};

function padding(count: number): number[] {
  return Array.from({ length: count }, () => [0xfa, 0, 0]).flat();
}

const mostLines = 1_000_000;

export const isMcc = (text: string): boolean => text.replace("\ufeff", "").startsWith(head);

/** The pairs of the first field, at 29.97 frames a second. Throws SubtitleError for a head that names no rate. */
export const readMccLines = (text: string): CaptionLine[] => {
  if (!isMcc(text)) throw new SubtitleError(`the first line does not begin with ${head}`);
  const named = /^Time Code Rate=(\w+)\s*$/im.exec(text)?.[1]?.toUpperCase() ?? "";
  const own = Object.hasOwn(rates, named) ? rates[named] : undefined;
  if (!own) throw new SubtitleError(`its Time Code Rate is none of ${Object.keys(rates).join(", ")}`);
  const lines = text.split(/[\r\n]+/);
  if (lines.length > mostLines) throw new TooMuchText(`there are more than ${mostLines} lines`);
  return lines.flatMap((line) => {
    const [, begin = "", last = "", data = ""] =
      /^(\d\d:\d\d:\d\d)[:;.,](\d\d)[.,\d]*\t([0-9A-Z]+)\s*$/i.exec(line) ?? [];
    const frame = timecodeToFrames(`${begin}${named.endsWith("DF") ? ";" : ":"}${last}`, own);
    const pairs = frame === undefined ? [] : parseCaptionPacket(packetIn(data));
    return pairs.length > 0 ? [{ frame: Math.round(((frame ?? 0) / toNumber(own)) * toNumber(rate)), pairs }] : [];
  });
};

/** The caption packet in an ancillary packet; nothing where that carries something else. */
const packetIn = (data: string): number[] => {
  const bytes = (data.toUpperCase().match(/[G-Z]|[0-9A-F]{2}/g) ?? []).flatMap(
    (word) => letters[word] ?? Number.parseInt(word, 16),
  );
  return bytes[0] === dataId[0] && bytes[1] === dataId[1] ? bytes.slice(3, 3 + (bytes[2] ?? 0)) : [];
};

/** What a decoder of the first channel of CEA-608 shows. */
export const parseMcc = (text: string): Cue[] => shownBy(readMccLines(text));

/** Pop-on captions of CEA-608 in packets of CEA-708, at 29.97 frames a second in drop-frame. */
export const printMcc = (cues: readonly Cue[]): string => {
  const sent = captionLines(cues).flatMap(({ frame, pairs }) =>
    pairs.map((pair, index) => ({ frame: frame + index, pair })),
  );
  const lines = sent.map(({ frame, pair }, counter) => {
    // The head says that frames are dropped; some readers take nothing but colons.
    const packet = captionPacket(pair, counter);
    const whole = [...dataId, packet.length, ...packet];
    return `${framesToTimecode(frame, rate, true).replace(";", ":")}\t${shortened([...whole, sum(whole) & 0xff])}\n`;
  });
  return `${head}1.0\n\nCreation Program=Mediafarm\nTime Code Rate=30DF\n\n${lines.join("")}`;
};

/** By their first bytes, the longest first. */
const byFirst = Map.groupBy(
  Object.entries(letters).sort(([, a], [, b]) => b.length - a.length),
  ([, [first]]) => first,
);
const words = Array.from({ length: 256 }, (_, byte) => byte.toString(16).toUpperCase().padStart(2, "0"));

const shortened = (bytes: readonly number[]): string => {
  let text = "";
  for (let at = 0; at < bytes.length; ) {
    const found = byFirst.get(bytes[at])?.find(([, each]) => each.every((byte, index) => bytes[at + index] === byte));
    text += found?.[0] ?? words[bytes[at] ?? 0];
    at += found?.[1].length ?? 1;
  }
  return text;
};
