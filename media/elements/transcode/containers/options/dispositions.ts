import type { Options } from "../../../../ffmpeg/args.ts";
import type { Extras } from "../../filters/extras.ts";
import type { StreamRecipe } from "../../recipe.ts";
import type { Target } from "../../target-schema.ts";

/** What a track is for, as far as files of a muxer say it. Manifests say all of it. */
const held: Readonly<Record<string, readonly string[]>> = {
  mp4: ["dub", "comment"],
  matroska: ["dub", "original", "comment"],
  nut: ["dub", "original", "comment", "lyrics", "karaoke"],
};

type Request = { readonly target: Target; readonly extras: Pick<Extras, "warn">; readonly path: string };

/** Tells which dispositions of a target's sounds its file does not say. */
export const warnOfDispositions = ({ target, extras, path }: Request, { muxer }: { readonly muxer: string }): void => {
  const isOffered = muxer === "dash" || (target.manifest_uids ?? []).length > 0;
  for (const [index, { enabled, disposition }] of (target.audio ?? []).entries())
    if (enabled && disposition && disposition !== "default" && !isOffered && !held[muxer]?.includes(disposition))
      extras.warn(
        `${path}.audio[${index}].disposition ${disposition} is in no ${muxer} file: only a manifest or a package can say it`,
      );
};

type Flagged = { readonly options: Options } & Partial<Pick<StreamRecipe, "filters" | "made">>;

/**
 * The streams of one kind, none of which is a default that the job does not ask for: Matroska holds this flag for each of
 * them (RFC 9559, 5.1.4.1.5), and ffmpeg sets it for the first of several, and for what was a default in the source.
 */
export const withoutUnasked = <T extends Flagged>(streams: readonly T[], muxer: string): T[] =>
  streams.map((stream) => {
    const isCopied = stream.filters === undefined && stream.options.c === "copy" && stream.made === undefined;
    const isNamed = stream.options.disposition !== undefined;
    if (isNamed || !/^(matroska|webm)$/.test(muxer) || !(isCopied || streams.length > 1)) return stream;
    // What else the source says of a copied stream stays.
    return { ...stream, options: { ...stream.options, disposition: isCopied ? "-default" : 0 } };
  });
