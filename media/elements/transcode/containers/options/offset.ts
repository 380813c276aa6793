import type { Options } from "../../../../ffmpeg/args.ts";
import type { Extras } from "../../filters/extras.ts";
import type { Target } from "../../target-schema.ts";
import type { Container } from "../container.ts";
import { hasEditLists } from "./boxes.ts";

type Request = { readonly target: Target; readonly path: string; readonly extras: Pick<Extras, "warn"> };

/** Muxers whose times may begin later than zero. Those of MP4's kind may with an edit list. */
const late = /^(mpegts|hls|matroska|webm|nut|mpeg|vob|dvd)$/;

/** How much later than usual the times of a file begin, where it can tell; else the result tells that they do not. */
export const offsetOptions = ({ target, path, extras }: Request, container: Container): Options => {
  const offset = target.container?.ts_offset_ms;
  if (offset === undefined || offset === 0) return {};
  const { muxer, family } = container;
  const isLate = late.test(muxer) || family === "segmented_ts" || hasEditLists(target, container);
  if (offset > 0 && isLate) return { output_ts_offset: offset / 1000 };
  const why = offset < 0 ? "no time is before zero" : `such ${target.container?.kind ?? muxer} files begin at zero`;
  extras.warn(`${path}.container.ts_offset_ms ${offset} has no effect: ${why}`);
  return {};
};
