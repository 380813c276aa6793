import { capabilityError } from "../../../../shared/model/failure.ts";
import { usualContainer } from "../containers/schema.ts";
import type { Target } from "../target-schema.ts";
import { atsc, avcIntra, dvb, xavc } from "./broadcast.ts";
import type { Standard } from "./standard.ts";
import { xdcamDvcam25, xdcamHd, xdcamHd422, xdcamImx } from "./xdcam.ts";

type Name = NonNullable<Target["compliance"]>;

/** Standards that `compliance` may name; the text says why one cannot be made. A new one is a value and a line here. */
const standards: Readonly<Record<Name, Standard | string>> = {
  xdcam_imx: xdcamImx,
  xdcam_hd: xdcamHd,
  xdcam_hd_422: xdcamHd422,
  xdcam_dvcam25: xdcamDvcam25,
  avcintra: avcIntra,
  dvb,
  atsc,
  xavc,
  xdcam_proxy: "no muxer here writes MPEG-4 in MXF",
  hmmp: "it has no public description",
  senvu_2012: "it has no public description",
};

/** The target's standard. Throws `capability` for one that is not made here. */
export const standardOf = ({ compliance }: Pick<Target, "compliance">, path: string): Standard | undefined => {
  const found = compliance === undefined ? undefined : standards[compliance];
  if (typeof found !== "string") return found;
  throw capabilityError(`${path}.compliance "${compliance}" is not implemented: ${found}`);
};

/** The only codec of pictures that a standard has; undefined for others, and for those that are not made here. */
export const onlyCodecOf = (compliance: Name): string | undefined => {
  const found = standards[compliance];
  return typeof found === "string" ? undefined : found.only;
};

/** The target with the fields of its standard: where they are not set, or, if it is enforced strictly, in any case. */
export const withStandard = (written: Target, path: string): Target => {
  const standard = standardOf(written, path);
  if (!standard) return written;
  const { video, audio, container = usualContainer } = written;
  const isStrict = written.compliance_enforcement === "strict";
  return {
    ...written,
    container: merged(standard.container, container, isStrict),
    ...(video && { video: merged(standard.video(written), video, isStrict) }),
    ...(audio && { audio: audio.map((track) => merged(standard.audio, track, isStrict)) }),
  };
};

const merged = <Part extends object>(own: Partial<Part>, given: Part, isStrict: boolean): Part => {
  const left = Object.entries(own).filter(([field]) => isStrict || Reflect.get(given, field) === undefined);
  return { ...given, ...Object.fromEntries(left) };
};
