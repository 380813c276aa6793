import { definitionError } from "../../../../../shared/model/failure.ts";
import type { Options } from "../../../../ffmpeg/args.ts";
import type { ContainerContext } from "../container.ts";

const allowed = [
  ...["faststart", "frag_keyframe", "frag_every_frame", "empty_moov", "default_base_moof", "separate_moof"],
  ...["delay_moov", "omit_tfhd_offset", "disable_chpl", "global_sidx", "skip_sidx", "dash", "cmaf", "write_colr"],
  ...["write_gama", "prefer_icc", "negative_cts_offsets", "use_metadata_tags", "skip_trailer"],
];

/** What MP4 and QuickTime have in common. A fragmented file needs no index at its front. */
export const movOptions = (context: ContainerContext): Options => {
  const { container } = context;
  const given = buildMovflags(context);
  const isFragmented = given.some((flag) => flag.startsWith("frag_"));
  const flags = new Set([...(container.faststart && !isFragmented ? ["faststart"] : []), ...given]);
  return {
    movflags: flags.size > 0 ? `+${[...flags].join("+")}` : undefined,
    brand: container.brand,
    write_tmcd: container.enable_data_tracks ? 1 : 0,
    // Older builds of ffmpeg mark FLAC in MP4 as experimental.
    strict: context.audio.includes("flac") ? "experimental" : undefined,
    use_editlist: container.mov_atoms?.no_empty_elst ? 0 : undefined,
  };
};

/** The flags that a job names. Throws TaskError for flags that are not allowed. */
export const buildMovflags = (context: ContainerContext): string[] => {
  const { container, path } = context;
  const given = (container.movflags ?? "").split("+").filter(Boolean);
  const foreign = given.find((flag) => !allowed.includes(flag));
  if (foreign) throw definitionError(`${path}.movflags may not set "${foreign}"`);
  return withoutNegative(context, given);
};

/** Presentation offsets are negative only if a flag asks for it and the target's atoms do not forbid it. */
const withoutNegative = ({ container, path, conflict }: ContainerContext, flags: readonly string[]): string[] => {
  if (!container.mov_atoms?.no_negative_cts || !flags.includes(negative)) return [...flags];
  conflict(`${path}.movflags: ${negative} contradicts mov_atoms.no_negative_cts`);
  return flags.filter((flag) => flag !== negative);
};

const negative = "negative_cts_offsets";
