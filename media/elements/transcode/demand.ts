import type { Demand } from "../../../shared/model/demand.ts";
import { bitDepthOf, chromaOf } from "../../formats/pixel-format.ts";
import type { StreamRecipe, TargetRecipe, Timeline } from "./recipe.ts";
import { codecOfEncoder } from "./video/index.ts";

const megabyte = 1e6;
/** Memory without the pictures, for the program itself and each of its encoders. */
const plainMemory = 60 * megabyte;
/** Pictures that an encoder keeps at a time if its codec does not say more. */
const usuallyKept = 20;
/** Pictures that decoding keeps, a few for each thread. */
const heldByDecoder = 20;
/** A picture of more than these keeps more cores busy than a slot stands for. */
const bigPicture = 2048 * 1152;
const coresOfBig = 4;
/** Memory is demanded in steps, so that tasks with about the same needs share one list. */
const memoryStep = 256 * megabyte;

type Picture = { readonly width: number; readonly height: number };

/** The demand of one ffmpeg that makes all of these: memory by its pictures, and cores where they are big. */
export const demandOf = (timelines: readonly Timeline[]): Demand => {
  const encoded = timelines.flatMap(({ targets }) => targets.filter(({ video }) => video?.filters !== undefined));
  const decoded = timelines.filter(({ targets }) => targets.some(({ video }) => video?.filters !== undefined));
  const bytes = [
    plainMemory,
    ...decoded.map(({ source }) => heldByDecoder * Math.max(0, ...source.facts.video.map(bytesOfSource))),
    ...encoded.map(memoryOfTarget),
  ];
  const memory = Math.ceil(bytes.reduce((sum, each) => sum + each, 0) / memoryStep) * memoryStep;
  const isBig = encoded.some(({ expect }) => sizeOf(expect?.video) > bigPicture);
  return isBig ? { memory, cores: coresOfBig } : { memory };
};

const memoryOfTarget = ({ video, expect }: TargetRecipe): number => {
  const kept = codecOfEncoder(video?.options.c)?.keptPictures ?? usuallyKept;
  return plainMemory + kept * sizeOf(expect?.video) * bytesAPixel(pixelFormatOf(video));
};

const bytesOfSource = (track: Picture & { readonly pixelFormat?: string | undefined }): number =>
  sizeOf(track) * bytesAPixel(track.pixelFormat);

const sizeOf = ({ width, height }: Partial<Picture> = {}): number => (width ?? 0) * (height ?? 0);

const pixelFormatOf = (video: StreamRecipe | undefined): string | undefined => {
  const found = video?.filters?.findLast(({ name }) => name === "format")?.options;
  return found && "pix_fmts" in found ? String(found.pix_fmts) : undefined;
};

const bytesAPixel = (format: string | undefined): number => {
  const components =
    { CS_420: 1.5, CS_422: 2, CS_411: 1.5, CS_410: 1.5, CS_440: 2, CS_444: 3 }[chromaOf(format) ?? ""] ?? 3;
  return components * ((bitDepthOf(format) ?? 8) > 8 ? 2 : 1);
};
