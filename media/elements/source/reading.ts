import type { Asset, ReadingRules } from "../../../shared/model/asset.ts";
import type { DecodeOptions } from "./schema.ts";

/** Merges the decode options of several places for one source: the most lenient number, and every enabled option. */
export const readingOf = (
  all: readonly (DecodeOptions | undefined)[],
  before?: ReadingRules,
): Pick<Asset, "reading"> => {
  const options = all.filter((each) => each !== undefined);
  const most = Math.max(before?.maxDecodeErrors ?? 0, ...options.map(({ max_decode_errors }) => max_decode_errors));
  const inARow = [
    ...options.flatMap(({ max_sequential_decode_errors: sequential }) => sequential ?? []),
    ...(before?.maxSequentialDecodeErrors === undefined ? [] : [before.maxSequentialDecodeErrors]),
  ];
  const reading: ReadingRules = {
    ...before,
    ...(most > 0 && { maxDecodeErrors: most }),
    ...(inARow.length > 0 && { maxSequentialDecodeErrors: Math.max(...inARow) }),
    ...(options.some(({ no_seek }) => no_seek) && { noSeek: true }),
    ...(options.some(({ force_ffr }) => force_ffr) && { fixedRate: true }),
    ...(options.some(({ auto_generate_silence_tracks }) => auto_generate_silence_tracks) && { silence: true }),
  };
  return Object.keys(reading).length > 0 ? { reading } : {};
};
