import { capabilityError, definitionError } from "../../../shared/model/failure.ts";
import type { SmoothTrack } from "../../../shared/work/media-steps/describe-smooth.ts";
import type { Step } from "../../../shared/work/work.ts";
import { ffmpegHead } from "../../ffmpeg/args.ts";
import { openingArgs } from "../../ffmpeg/opening-args.ts";
import { probedAudio, probedVideo } from "../../packaging/probed-media.ts";
import { roleWord } from "../../packaging/roles.ts";
import { smoothCodecs } from "../../packaging/smooth-codec.ts";
import { createUniqueNames } from "../../packaging/unique-names.ts";
import type { PackagingContext, PackagingSteps } from "./packaging.ts";
import { nameOfAsset, type Rendition } from "./renditions.ts";

type Sounding = Exclude<Rendition, { readonly kind: "text" }>;

/** The manifests in the attempt's folder, before they get their own names. */
export const smoothNames = { server: "smooth.ism", client: "smooth.ismc" } as const;

/** A file of fragments for each picture and sound, and the two manifests over them, besides what else is made. */
export const withSmooth = (making: PackagingContext, made: PackagingSteps): PackagingSteps => {
  const { renditions, places } = making;
  const tracks = renditions.filter((each) => each.kind !== "text");
  refuse(tracks, making);
  return {
    ...made,
    steps: [
      ...made.steps,
      ...tracks.map((each) => wrapping(each, making)),
      {
        ...{ do: "describe_smooth", id: "smooth", tracks: tracks.map((each) => described(each, making)) },
        ...{ ...smoothNames, clientUrl: encodeURIComponent(places.smooth.client) },
      },
    ],
    media: [...made.media, ...tracks.map(fileOf)],
    requires: [...new Set([...made.requires, "ffmpeg", "muxer:ismv"])],
  };
};

const refuse = (tracks: readonly Sounding[], { context, protection }: PackagingContext): void => {
  const { uid } = context;
  if (tracks.length === 0)
    throw definitionError(`${uid}: Smooth Streaming needs a picture or sound, and only texts came in`);
  const strange = tracks.find(({ kind, facts }) => !smoothCodecs[kind].includes(facts.codec));
  if (strange)
    throw capabilityError(
      `${uid}: Smooth Streaming of ${strange.facts.codec} is not implemented (${strange.basename}): make H.264 and AAC for it`,
    );
  if (tracks.some(protection))
    throw capabilityError(
      `${uid}.payload.encryption is not implemented for kind "smooth": make it in a package of its own without encryption`,
    );
};

/** Dots and signs of the stem would end the address that servers look for. */
const fileOf = ({ stem, kind }: Sounding): string => `${stem}.${kind === "video" ? "ismv" : "isma"}`;

/**
 * Decoding begins at zero, as these files have no edit lists: pictures keep their distance by offsets that may be
 * negative, and what a coder of sound puts before the first instant is left out.
 */
const zeroBased: Readonly<Record<Sounding["kind"], (seconds: number) => readonly string[]>> = {
  video: (seconds) => [
    ...["-avoid_negative_ts", "disabled", "-movflags", "+frag_keyframe+negative_cts_offsets"],
    // A little less, as a segment ends before the first key frame after this.
    ...["-min_frag_duration", String(Math.round((seconds - 0.01) * 1_000_000))],
  ],
  audio: (seconds) => [
    ...["-bsf:a", "noise=drop='lt(pts,0)'"],
    ...["-frag_duration", String(Math.round(seconds * 1_000_000))],
  ],
};

const wrapping = (rendition: Sounding, { context, shape }: PackagingContext): Step => {
  const { asset, stream, stem, kind } = rendition;
  const opening = [...openingArgs({ name: nameOfAsset(asset, context.inputs) }), "-i", { asset }];
  const copying = ["-map", `0:${stream}`, "-c", "copy", ...zeroBased[kind](shape.seconds)];
  return {
    ...{ do: "ffmpeg", id: `smooth_${stem}` },
    argv: [...ffmpegHead, ...opening, ...copying, "-f", "ismv", fileOf(rendition)],
  };
};

const described = (rendition: Sounding, { places }: PackagingContext): SmoothTrack => {
  const file = fileOf(rendition);
  const { language, name, role } = rendition.layer;
  const wanted = name ?? (role && ["audio", language, roleWord(rendition.layer)].filter(Boolean).join("_"));
  return {
    ...{ file, kind: rendition.kind, url: `${places.smooth.media}${encodeURIComponent(file)}` },
    ...(language !== undefined && { language }),
    ...(rendition.kind === "audio" && wanted !== undefined && { name: createUniqueNames()(wanted) }),
    ...sizeOf(rendition),
  };
};

const sizeOf = (rendition: Sounding) => {
  if (rendition.kind === "audio") {
    const { sampleRate, channels } = probedAudio(rendition.facts);
    return { sampleRate, channels };
  }
  const { width, height } = probedVideo(rendition.facts);
  return { width, height };
};
