import { capabilityError } from "../../../../../shared/model/failure.ts";
import type { Designator } from "../../../../formats/channel-designators.ts";
import { jp2HeaderOf } from "../../../../formats/mp4/jp2-header.ts";
import type { BoxChanges } from "../../../../formats/mp4/rewrite.ts";
import type { TimecodeTrack } from "../../../../formats/mp4/timecodes.ts";
import type { Extras } from "../../filters/extras.ts";
import type { Target } from "../../target-schema.ts";
import type { VideoPlan } from "../../video/video.ts";
import type { Container } from "../container.ts";
import { holdsLight, lightOf } from "./light.ts";

type Request = { readonly target: Target; readonly extras: Pick<Extras, "warn">; readonly path: string };
type Held = {
  readonly audio: readonly Sound[];
  readonly video: VideoPlan | undefined;
  readonly further: readonly TimecodeTrack[];
  /** How many streams the file has. */
  readonly count: number;
};
type Sound = { readonly labels?: readonly Designator[] };

/** Changes of boxes that the target asks for, in containers made of boxes; all others say that they have none. */
export const boxesOf = (
  { target, extras, path }: Request,
  held: Container,
  { audio, video, further, count }: Held,
): { readonly boxes?: BoxChanges } => {
  const hdr10 = video?.hdr10;
  const { compatible_brands: more, forced_compatible_brands: instead, vendor } = target.container ?? {};
  const hasAperture = target.video?.mov_atoms?.use_clap === true;
  const isOneFile = /^(mov|mp4|3gp|ismv)$/.test(held.muxer) && !held.isSegments && !held.isPackage;
  const field = more ? "compatible_brands" : instead ? "forced_compatible_brands" : undefined;
  if (field && !isOneFile) throw capabilityError(`${path}.container.${field} is for mov, mp4, fmp4 and 3gp files only`);
  const idle = {
    "container.vendor has no effect": vendor !== undefined && held.muxer !== "mov",
    "video.mov_atoms.use_clap has no effect": hasAperture && !isOneFile,
    "video: the metadata of HDR10 are lost": hdr10 !== undefined && !isOneFile && !holdsLight(held),
  };
  tellIdle(idle, held, { extras, path });
  const boxes: BoxChanges = {
    ...brandsOf(target),
    ...(vendor && held.muxer === "mov" && { vendor }),
    ...(hasAperture && isOneFile && { hasAperture }),
    ...(hdr10 && isOneFile && { hdr10: lightOf(hdr10) }),
    ...(held.muxer === "mov" && isOneFile && jp2Of(video)),
    ...(isOneFile && { ...soundsOf(held, audio), ...lengthOf(video) }),
    ...(further.length > 0 && { timecodes: [...further] }),
    // ffmpeg counts tracks that have samples in the index: in front of fragments there are none.
    ...(isOneFile && count > 1 && isFragmented(target, held) && { countsTracks: true }),
  };
  return Object.keys(boxes).length > 0 ? { boxes } : {};
};

const lengthOf = (video: VideoPlan | undefined): Pick<BoxChanges, "pictureLasts"> =>
  video?.lasts ? { pictureLasts: video.lasts } : {};

/** Files of boxes that are whole: they have edit lists, and say how many pictures they hold. */
export const hasEditLists = (target: Target, held: Container): boolean =>
  /^(mov|mp4|3gp)$/.test(held.muxer) &&
  !held.isSegments &&
  !held.isPackage &&
  !isFragmented(target, held) &&
  target.container?.mov_atoms?.no_empty_elst !== true;

const isFragmented = ({ container }: Target, { layout, muxer }: Container): boolean =>
  layout === "fragments" || muxer === "ismv" || /frag_|empty_moov|cmaf|dash/.test(container?.movflags ?? "");

const brandsOf = ({ container }: Target): Pick<BoxChanges, "brands"> => {
  const { compatible_brands: more, forced_compatible_brands: instead } = container ?? {};
  const names = instead ?? more;
  return names ? { brands: { names, replaces: instead !== undefined } } : {};
};

const tellIdle = (
  idle: Readonly<Record<string, boolean>>,
  held: Container,
  { extras, path }: Pick<Request, "extras" | "path">,
): void => {
  for (const [words, isIdle] of Object.entries(idle))
    if (isIdle) extras.warn(`${path}.${words}: nothing here writes them into ${held.extensions[0]} files`);
};

/** ffmpeg writes none: readers would take every picture for red, green and blue. */
const jp2Of = (video: VideoPlan | undefined): Pick<BoxChanges, "jp2"> => {
  const format = video?.recipe.filters?.findLast(({ name }) => name === "format")?.options?.pix_fmts;
  const { width, height } = video?.expect ?? {};
  if (video?.codec !== "jpeg2000" || format === undefined || !width || !height) return {};
  const jp2 = jp2HeaderOf(String(format), { width, height });
  return jp2 ? { jp2 } : {};
};

/** The names of channels by the number of their track: labels in QuickTime, positions of loudspeakers in MP4. */
const soundsOf = ({ muxer }: Container, audio: readonly Sound[]): Pick<BoxChanges, "sounds"> => {
  const sounds = audio.flatMap(({ labels }, track): NonNullable<BoxChanges["sounds"]> => {
    if (!labels) return [];
    if (muxer === "mov") return [{ track, labels: labels.map(({ label }) => label) }];
    const positions = labels.flatMap(({ position }) => position ?? []);
    return positions.length === labels.length ? [{ track, positions }] : [];
  });
  return sounds.length > 0 ? { sounds } : {};
};
