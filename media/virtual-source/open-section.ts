import { max, type Rational, subtract } from "../../shared/basics/rational.ts";
import type { Asset, AudioFacts, MediaFacts, Section, Sound, VideoFacts } from "../../shared/model/asset.ts";
import { definitionError } from "../../shared/model/failure.ts";
import { mainVideo } from "../formats/stream-timing.ts";
import { buildExcerpt } from "./excerpt.ts";
import { factsOfExcerpt, feedOfStream, inputOf, timingOf } from "./file-source.ts";
import { factsOfGenerated, generatedPicture, generatedSound } from "./generated.ts";
import { mixedSound } from "./mixed-sound.ts";
import type { Feed, SourceInput, Timing } from "./virtual-source.ts";

/** One opened section: its ffmpeg inputs and its facts. */
export type OpenSection = {
  readonly inputs: readonly SourceInput[];
  readonly picture?: { readonly feed: Feed; readonly facts: VideoFacts; readonly isGenerated: boolean };
  readonly sounds: readonly { readonly feed: Feed; readonly facts: AudioFacts }[];
  /** Of the first part. */
  readonly container: MediaFacts;
  readonly timing: Timing;
};

/** A section as a timeline, its inputs numbered from `first` on. Throws TaskError `definition`. */
export const openSection = (section: Section, files: Asset["files"], first: number, what: string): OpenSection => {
  const parts: OpenPart[] = [];
  for (const part of section.parts) {
    const number = first + parts.filter(({ input }) => input).length;
    parts.push(openPart(part, files, number, `${what}: the range`));
  }
  const [main] = parts;
  if (!main) throw new Error("a section has a part");
  const picture = pictureOf(section, parts);
  const sounds = section.sounds ?? allSounds(parts);
  const duration = parts.map(({ facts }) => facts.duration).reduce((a, b) => (a && b ? max(a, b) : (a ?? b)));
  const leading = picture?.part ?? main;
  return {
    inputs: parts.flatMap(({ input }) => input ?? []),
    picture,
    sounds: sounds.map((sound, track) => soundOf(sound, { parts, track, first, duration, what })),
    container: { ...leading.facts, duration },
    timing: { ...leading.timing, duration },
  };
};

/** One part with everything that can be used of it. */
export type OpenPart = {
  readonly input?: SourceInput;
  readonly facts: MediaFacts;
  readonly timing: Timing;
  readonly isGenerated: boolean;
  readonly feed: (stream: number, name: "trim" | "atrim") => Feed;
};

const openPart = (part: Section["parts"][number], files: Asset["files"], input: number, what: string): OpenPart => {
  if (part.generated) return openGenerated(part.generated, part.range, what);
  const file = files[part.file ?? 0];
  const { facts } = file ?? {};
  if (!file || !facts) throw new Error(`${what} is planned without the facts of its file`);
  const excerpt = buildExcerpt(part.range, facts, what);
  return {
    input: inputOf({ ...file, facts }, excerpt),
    facts: factsOfExcerpt(facts, excerpt),
    timing: timingOf(excerpt),
    isGenerated: false,
    feed: (stream, name) => feedOfStream({ input, stream }, name, excerpt, facts),
  };
};

const openGenerated = (
  generated: NonNullable<Section["parts"][number]["generated"]>,
  range: Section["parts"][number]["range"],
  what: string,
): OpenPart => {
  if (!range?.to) throw definitionError(`${what} of generated media needs an end: outpoint_sec or duration_sec`);
  const duration = subtract(range.to, range.from);
  const { video, audio } = generated;
  const facts = factsOfGenerated(generated, duration);
  return {
    facts,
    timing: { duration, slack: { num: 1, den: 2000 }, isRegular: true, isWhole: false },
    isGenerated: true,
    feed: (stream) => {
      const sound = audio[stream - 1];
      if (stream === 0 && video) return generatedPicture(video, duration);
      if (sound) return generatedSound(sound, duration);
      throw new Error(`nothing generated has the number ${stream}`);
    },
  };
};

const pictureOf = ({ picture: request }: Section, parts: readonly OpenPart[]) => {
  if (request === "none") return undefined;
  const part = request ? parts[request.part] : parts.find(({ facts }) => mainVideo(facts));
  const facts = request
    ? part?.facts.video.find(({ index }) => index === request.stream)
    : part && mainVideo(part.facts);
  if (!part || !facts) return undefined;
  return { part, feed: part.feed(facts.index, "trim"), facts, isGenerated: part.isGenerated };
};

const allSounds = (parts: readonly OpenPart[]): Sound[] =>
  parts.flatMap(({ facts }, part) => facts.audio.map(({ index }) => ({ from: [{ part, stream: index }] })));

type SoundNeeds = {
  readonly parts: readonly OpenPart[];
  readonly track: number;
  /** Number of the section's first input: keeps labels unique. */
  readonly first: number;
  readonly duration: Rational | undefined;
  readonly what: string;
};

const soundOf = (sound: Sound, { parts, track, first, duration, what }: SoundNeeds): OpenSection["sounds"][number] => {
  const sources = sound.from.map(({ part, stream, channel }) => {
    const open = parts[part];
    const facts = open?.facts.audio.find(({ index }) => index === stream);
    if (!open || !facts) throw new Error(`${what}: a sound names stream ${stream}, which is not there`);
    return { feed: open.feed(stream, "atrim"), facts, channel };
  });
  const mixed = mixedSound(sources, { label: `s${first}_${track}`, duration, what });
  return { ...mixed, facts: { ...mixed.facts, language: sound.language ?? mixed.facts.language } };
};
