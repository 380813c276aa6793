import { parseFrameRate, type Rational, toNumber } from "../../../../shared/basics/rational.ts";
import type { VideoFacts } from "../../../../shared/model/asset.ts";
import type { Timing } from "../../../virtual-source/virtual-source.ts";
import type { Container } from "../containers/container.ts";
import type { Extras } from "../filters/extras.ts";
import { mpegRates } from "../video/encoding/mpeg-rates.ts";
import type { VideoTarget } from "../video/schema.ts";

type Request = {
  readonly picture: VideoFacts;
  readonly timing: Pick<Timing, "isRegular">;
  readonly container: Pick<Container, "isInterleavedByPicture" | "muxer">;
  readonly path: string;
  readonly extras: Pick<Extras, "warn">;
};

/** The target at an even rate, where its codec or container holds no other and the source's pictures are at none. */
export const atEvenRate = (video: VideoTarget, request: Request): VideoTarget => {
  const { picture, timing, container, path, extras } = request;
  const { codec, frame_rate: asked, image_sequence: sequence } = video;
  const holder = /^mpeg[12]$/.test(codec ?? "") ? codec : container.isInterleavedByPicture && container.muxer;
  if (!holder || timing.isRegular || asked !== undefined || sequence) return video;
  const own = [picture.frameRate, picture.averageFrameRate].find((each) => each && toNumber(each) <= mostRate);
  const rate = own && rateFor(own);
  if (!rate) return video;
  extras.warn(`${path}.video: the source's pictures are at no even rate, and ${holder} has one: ${rate} a second`);
  return { ...video, frame_rate: rate };
};

/** Pictures a second; what is above it is the clock of a file. */
const mostRate = 60.1;

/** The lowest rate that leaves no picture out. */
const rateFor = (own: Rational): string | undefined =>
  mpegRates.find((each) => toNumber(parseFrameRate(each) ?? own) > toNumber(own) * 0.9995) ?? mpegRates.at(-1);
