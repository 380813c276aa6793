import { add, multiply, type Rational, ratio, toFraction, toNumber } from "../../shared/basics/rational.ts";
import type { AudioFacts, VideoFacts } from "../../shared/model/asset.ts";
import { conformPicture, type JoinedPicture, joinedPicture } from "./conform-picture.ts";
import { conformSound, joinedSound } from "./conform-sound.ts";
import { lengthOf, unknownLength } from "./cut-sections.ts";
import { generatedPicture, generatedSound } from "./generated.ts";
import type { OpenSection } from "./open-section.ts";
import type { Feed, SourceTrack, VirtualSource } from "./virtual-source.ts";

/**
 * Consecutive sections. All pictures get the rate, size and shape of the first one that is not generated, all parts of
 * a track its highest channel count. Every track of a section lasts exactly as long as its picture, to the frame and
 * sample, so nothing drifts.
 */
export const joinedTimeline = (
  sections: readonly OpenSection[],
  rate: Rational | undefined,
  what: string,
): VirtualSource => {
  const picture = joinedPicture(sections, rate, what);
  const lengths = sections.map((section) =>
    wholeLength(section, picture, `${what}, part ${sections.indexOf(section) + 1} of ${sections.length}`),
  );
  const duration = lengths.reduce(add);
  const count = Math.max(...sections.map(({ sounds }) => sounds.length));
  const sounds = Array.from({ length: count }, (_, track) => soundTrack(sections, lengths, track));
  const leading = sections.find(({ picture: own }) => own && !own.isGenerated) ?? sections[0];
  const container = leading?.container ?? { format: "generated", size: 0, others: [] };
  return {
    inputs: sections.flatMap(({ inputs }) => inputs),
    tracks: [...(picture ? [pictureTrack(sections, lengths, picture)] : []), ...sounds.map(({ track }) => track)],
    facts: {
      ...container,
      format: "joined",
      start: ratio(0),
      duration,
      timecode: sections[0]?.container.timecode,
      video: picture
        ? [{ ...picture.facts, index: 0, start: ratio(0), duration, frames: frames(duration, picture.rate) }]
        : [],
      audio: sounds.map(({ facts }) => ({ ...facts, start: ratio(0), duration })),
    },
    timing: {
      duration,
      isRegular: true,
      isWhole: false,
      slack: picture ? ratio(picture.rate.den, picture.rate.num * 2) : ratio(1, 2000),
    },
  };
};

/** Whole frames at the timeline's rate, because only then do picture and sound end together. */
const wholeLength = (section: OpenSection, picture: JoinedPicture | undefined, what: string): Rational => {
  const length = lengthOf(section);
  if (!length) throw unknownLength(what);
  return picture ? ratio(frames(length, picture.rate) * picture.rate.den, picture.rate.num) : length;
};

const frames = (length: Rational, rate: Rational) => Math.max(1, Math.round(toNumber(multiply(length, rate))));

const pictureTrack = (
  sections: readonly OpenSection[],
  lengths: readonly Rational[],
  picture: JoinedPicture,
): SourceTrack => {
  const shares = sections.map((section, index) => {
    const length = lengths[index] ?? ratio(0);
    const own = section.picture ?? black(picture, length);
    return { feed: own.feed, filters: conformPicture(own.facts, picture, frames(length, picture.rate)) };
  });
  const rate = toFraction(picture.rate);
  // Time stamps after joining are not reliable: frames are counted, and each gets its duration again.
  const stamped = [
    { name: "setpts", options: { expr: `N/(${rate})/TB` } },
    { name: "fps", options: { fps: rate } },
  ];
  const joint = { name: "concat", options: { n: sections.length, v: 1, a: 0 } };
  return { index: 0, ...inSequence(shares, "seen", [joint, ...stamped]) };
};

const black = ({ facts, rate }: JoinedPicture, length: Rational): { feed: Feed; facts: VideoFacts } => ({
  feed: generatedPicture({ width: facts.width, height: facts.height, rate, color: "black" }, length),
  facts: { ...facts, codec: "generated", fieldOrder: undefined, pixelAspect: facts.pixelAspect },
});

const soundTrack = (sections: readonly OpenSection[], lengths: readonly Rational[], index: number) => {
  const facts = joinedSound(
    sections.flatMap(({ sounds }) => sounds[index]?.facts ?? []),
    index + 1,
  );
  let begin = ratio(0);
  const shares = sections.map((section, at) => {
    const end = add(begin, lengths[at] ?? ratio(0));
    const samples = samplesAt(end, facts) - samplesAt(begin, facts);
    const own = section.sounds[index]?.feed ?? generatedSound(facts, lengths[at] ?? ratio(0));
    begin = end;
    return { feed: own, filters: conformSound(facts, samples) };
  });
  const joint = { name: "concat", options: { n: sections.length, v: 0, a: 1 } };
  return { facts, track: { index: index + 1, ...inSequence(shares, `heard${index}`, [joint]) } };
};

// Counted from the timeline's beginning: rounding errors of many joints must not add up.
const samplesAt = (time: Rational, { sampleRate }: AudioFacts) => Math.round(toNumber(time) * sampleRate);

type Share = { readonly feed: Feed; readonly filters: Feed["filters"] };

const inSequence = (shares: readonly Share[], label: string, filters: Feed["filters"]): Feed => {
  const labels = shares.map((_, index) => `${label}_${index}`);
  const chains = shares.map(({ feed, filters: own }, index) => ({
    from: feed.from,
    filters: [...feed.filters, ...own],
    to: [labels[index] ?? ""],
  }));
  return {
    streams: shares.flatMap(({ feed }) => feed.streams),
    before: [...shares.flatMap(({ feed }) => feed.before), ...chains],
    from: labels,
    filters,
  };
};
