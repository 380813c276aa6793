import { firstRepeated } from "../../../shared/basics/first-repeated.ts";
import { type Rational, toFraction, toNumber } from "../../../shared/basics/rational.ts";
import type { Sidecar } from "../../../shared/model/asset.ts";
import { capabilityError, definitionError } from "../../../shared/model/failure.ts";
import type { Filter } from "../../ffmpeg/filtergraph.ts";
import { hideMatrix } from "../../ffmpeg/scaler-matrix.ts";
import { languageOf } from "../../formats/language.ts";
import { mainVideo } from "../../formats/stream-timing.ts";
import type { VirtualSource } from "../../virtual-source/virtual-source.ts";
import type { Container } from "./containers/container.ts";
import type { Extras } from "./filters/extras.ts";
import type { PlannedText } from "./recipe.ts";
import { beginOf, captionsOf, refuseUnreadable } from "./subtitles/candidates.ts";
import type { Target } from "./target-schema.ts";
import type { VideoPlan } from "./video/video.ts";

type Request = {
  readonly target: Target;
  readonly source: VirtualSource;
  readonly extras: Extras;
  readonly path: string;
};

type Captioned = { readonly video: VideoPlan | undefined; readonly tracks: readonly PlannedText[] };

/** Ways to carry captions that are not implemented here. */
const unwritten = ["enable_smpte436m", "enable_quicktime_c708", "enable_scte20"] as const;
const written608 = ["enable_a53", "enable_cea608", "enable_cea708", "enable_quicktime_c608"] as const;

/**
 * The picture with the closed captions that the target asks for, and caption tracks beside it. Captions inside the
 * source's picture stay there; captions from files go into it, or become a track.
 */
export const withCaptions = (request: Request, container: Container, video: VideoPlan | undefined): Captioned => {
  const { target, source, extras } = request;
  const wanted = target.video?.closed_captions;
  if (!wanted || !video) return { video, tracks: [] };
  const path = `${request.path}.video.closed_captions`;
  if (wanted.suppress) return { video: withOptions(video, { a53cc: 0 }), tracks: [] };
  if (!Object.values(wanted).some((field) => field === true)) return { video, tracks: [] };
  const files = extras.sidecars.filter(({ kind }) => kind === "closed_caption");
  const isInPicture = mainVideo(source.facts)?.hasCaptions === true;
  if (files.length === 0 && !isInPicture) {
    extras.warn(`${path}: the source has no closed captions, none are embedded`);
    return { video, tracks: [] };
  }
  refuseUnwritten(request, path);
  if (wanted.enable_cea708 && files.length === 0)
    extras.warn(`${path}.enable_cea708: the captions in the source's picture stay as they are, no service is added`);
  const isEmbedded = wanted.enable_cea608 || wanted.enable_cea708 || wanted.enable_a53;
  const embedded = isEmbedded ? embed(request, video, files, path) : video;
  return { video: embedded, tracks: wanted.enable_quicktime_c608 ? quickTime(request, container, files, path) : [] };
};

/** Another way in which the captions do arrive makes up for one that is missing, unless the target is strict. */
const refuseUnwritten = ({ target, extras }: Request, path: string): void => {
  const wanted = target.video?.closed_captions ?? {};
  const field = unwritten.find((name) => wanted[name]);
  if (!field) return;
  const message = `${path}.${field} is not implemented: no muxer here writes it`;
  const written = written608.find((name) => wanted[name]);
  if (!written || target.parameter_compliance === "strict") throw capabilityError(message);
  extras.warn(`${message}; the captions are in the file by ${written} alone`);
};

const withOptions = (video: VideoPlan, more: VideoPlan["recipe"]["options"]): VideoPlan => ({
  ...video,
  recipe: { ...video.recipe, options: { ...video.recipe.options, ...more } },
});

const embed = (request: Request, video: VideoPlan, files: readonly Sidecar[], path: string): VideoPlan => {
  const { codec, recipe, rate } = video;
  if (!/^(h264|mpeg2video)$/.test(codec) || !recipe.filters)
    throw capabilityError(`${path}: closed captions are embedded in h264 and mpeg2 only, not in ${codec}`);
  if (files.length === 0) return withOptions(video, { a53cc: 1 });
  const { source, extras } = request;
  const { duration } = source.timing;
  if (!rate || !duration) throw capabilityError(`${path} needs a constant frame rate and a known duration`);
  const tracks = files.map((file, index) => ({
    uri: file.uri,
    field: fieldOf(file, index),
    ...startOf(request, file),
  }));
  for (const { uri } of tracks) refuseUnreadable(uri, path);
  const twice = firstRepeated(tracks, ({ field }) => field);
  if (twice) throw definitionError(`${path}: two files of captions are for field ${twice.field}`);
  const asServices = request.target.video?.closed_captions?.enable_cea708 === true && { asServices: true as const };
  const carrier = extras.carried({ rate, seconds: toNumber(duration), ...asServices, tracks });
  return {
    ...withOptions(video, { a53cc: 1 }),
    recipe: {
      ...recipe,
      options: { ...recipe.options, a53cc: 1 },
      filters: [...recipe.filters, ...hideMatrix(video.colors?.matrix), ...over(carrier, rate, request, video)],
    },
  };
};

/** `scc0` is for the first field, `scc1` for the second; others take them in their order. */
const fieldOf = ({ format }: Sidecar, index: number): 1 | 2 => {
  if (format === "scc1") return 2;
  return format === "scc0" || index === 0 ? 1 : 2;
};

type TextStart = { readonly from: number; readonly to?: number; readonly clock?: number; readonly shown?: number };

const startOf = ({ source, extras }: Request, file: Sidecar): TextStart => {
  const video = mainVideo(source.facts);
  const { duration } = source.timing;
  const { begin, ...clocks } = beginOf(file, { timecode: source.facts.timecode, video, start: extras.start });
  return { from: begin, ...(duration && { to: Math.round(begin + toNumber(duration) * 1000) }), ...clocks };
};

/** Lays the picture over those that carry captions: the side data are of the ones below. */
const over = (
  carrier: string,
  rate: Rational,
  { target }: Request,
  { expect, recipe, colors = {} }: VideoPlan,
): Filter[] => {
  const format = recipe.filters?.findLast(({ name }) => name === "format")?.options?.pix_fmts;
  const size = { w: expect.width, h: expect.height, flags: "neighbor" };
  const scan = { tff: "tff", bff: "bff", progressive: "prog" }[target.video?.interlace_mode ?? "progressive"];
  const filters = [
    { name: "scale", options: size },
    { name: "format", options: { pix_fmts: format } },
  ];
  const shape = recipe.filters?.findLast(({ name }) => name === "setsar");
  return [
    {
      ...{ name: "overlay", options: { format: "auto", shortest: 1, ts_sync_mode: "nearest" } },
      beside: {
        uri: carrier,
        isScratch: true,
        isFirst: true,
        args: ["-framerate", toFraction(rate), "-f", "h264"],
        filters,
      },
    },
    // What is drawn over another picture may come out in another format.
    { name: "format", options: { pix_fmts: format } },
    {
      name: "setparams",
      options: {
        ...{ field_mode: scan, range: colors.range, color_primaries: colors.primaries },
        ...{ color_trc: colors.transfer, colorspace: colors.matrix },
      },
    },
    ...(shape ? [shape] : []),
  ];
};

/** A track of captions that QuickTime shows: of the first file, else of the captions in the source's picture. */
const quickTime = (
  request: Request,
  { muxer, extensions }: Container,
  files: readonly Sidecar[],
  path: string,
): PlannedText[] => {
  if (muxer !== "mov")
    throw definitionError(`${path}.enable_quicktime_c608 is for mov files, not for ${extensions[0]}`);
  const [file] = files;
  const [inPicture] = captionsOf(request.source);
  if (!file && !inPicture) {
    const message = `${path}.enable_quicktime_c608: captions in the pictures of several files are not implemented as a track`;
    throw capabilityError(message);
  }
  const { duration } = request.source.timing;
  const start = file ? startOf(request, file) : { from: inPicture?.begin ?? 0 };
  const from = file ? { uri: file.uri } : inPicture?.from;
  const language = languageOf(file?.language);
  return [
    {
      making: {
        ...(from && { from }),
        stretch: { ...(duration && { to: Math.round(start.from + toNumber(duration) * 1000) }), ...start },
        form: "scc",
        isTrack: true,
      },
      options: { c: "copy" },
      metadata: language === undefined ? {} : { language },
    },
  ];
};
