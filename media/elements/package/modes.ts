import { definitionError } from "../../../shared/model/failure.ts";
import type { PackagePayload } from "./schema.ts";

/** How media are laid out. */
export type Shape = {
  readonly mode: "segmented_ts" | "single_ts" | "multiplexed_ts" | "fmp4" | "segmented_mp4";
  /** A file for each segment, instead of one with byte ranges. */
  readonly isSegmented: boolean;
  readonly isTransport: boolean;
  /** Subtitles are in fragments instead of plain WebVTT. */
  readonly hasTextInMp4: boolean;
  readonly seconds: number;
};

const defaultSeconds = 6;

/** Throws TaskError where HLS and DASH of one package ask for different media. */
export const shapeOf = (payload: PackagePayload, path: string): Shape => {
  const kinds = kindsOf(payload);
  const mode = agreed(payload, (part) => part.segmentation_mode, `${path}.segmentation_mode`) ?? "fmp4";
  const seconds =
    agreed(payload, (part) => part.segment_duration_sec, `${path}.segment_duration_sec`) ?? defaultSeconds;
  const isTransport = mode.endsWith("_ts");
  if (isTransport && kinds.includes("dash"))
    throw definitionError(
      `${path}.segmentation_mode "${mode}" makes transport streams, which DASH does not play: say fmp4`,
    );
  return {
    ...{ mode, isTransport, seconds, isSegmented: mode !== "fmp4" && mode !== "single_ts" },
    hasTextInMp4: !isTransport && kinds.includes("dash") && payload.dash?.subtitle_container === "mp4",
  };
};

export const kindsOf = ({ kind }: PackagePayload): ("hls" | "dash" | "smooth")[] => [
  ...new Set([kind ?? "hls"].flat()),
];

type Segments = Pick<PackagePayload, "segmentation_mode" | "segment_duration_sec">;

/** The value of the manifests that are made, else the package's own. */
const agreed = <T>(payload: PackagePayload, read: (part: Segments) => T | undefined, where: string): T | undefined => {
  const said = kindsOf(payload).flatMap((kind) => {
    const own = kind === "smooth" ? undefined : payload[kind] && read(payload[kind]);
    return own === undefined ? [] : [own];
  });
  if (new Set(said).size > 1)
    throw definitionError(`${where} must be the same for hls and dash, which share their media`);
  return said[0] ?? read(payload);
};
