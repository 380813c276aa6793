import { max, type Rational, ratio } from "../../../shared/basics/rational.ts";
import { fillPattern } from "../../../shared/files/file-pattern.ts";
import { basenameOf, nameOf } from "../../../shared/files/location.ts";
import type { Asset, AudioFacts, MediaFacts, VideoFacts } from "../../../shared/model/asset.ts";
import { definitionError } from "../../../shared/model/failure.ts";
import type { TrackLayer } from "../../../shared/model/layer.ts";
import { mainVideo } from "../../formats/stream-timing.ts";
import { createUniqueNames } from "../../packaging/unique-names.ts";

type Common = {
  /** For its files: unique in the package, without characters that a playlist or a tool would misread. */
  readonly stem: string;
  /** Uid of the target that made it. */
  readonly version: string;
  /** Name of the file it comes from, without its ending. */
  readonly basename: string;
  /** The asset of the work, and the stream's index in it. */
  readonly asset: string;
  /** The assets that it is cut into, where it is a text in segments. */
  readonly pieces?: readonly string[];
  readonly stream: number;
  readonly layer: TrackLayer;
  readonly encryptionId?: string;
};

/** One input stream, as players will choose it. */
export type Rendition =
  | (Common & { readonly kind: "video"; readonly facts: VideoFacts })
  | (Common & { readonly kind: "audio"; readonly facts: AudioFacts })
  | (Common & { readonly kind: "text" });

/** Every stream that can be packaged, in the order in which the assets come in. */
export const buildRenditions = (
  assets: readonly Asset[],
  path: string,
  pattern: string,
  jobId: number,
): Rendition[] => {
  const unique = createUniqueNames();
  const stems = (sourceName: string): string =>
    unique(basenameOf(fillPattern(pattern, { sourceName: `${sourceName}.x`, defaultExtension: "", jobId })));
  const found = assets.flatMap(({ version, files, layer = {} }, at) => {
    const isCut = files.length > 1 && files.every(({ uri }) => isText(uri));
    const pieces = isCut ? { pieces: files.map((_, part) => `${at}_${part}`) } : {};
    return (isCut ? files.slice(0, 1) : files).flatMap(({ uri, facts }, part): Rendition[] => {
      const basename = basenameOf(nameOf(uri)).replace(isCut ? /_?\d+$/ : "", "");
      const asset = `${at}_${part}`;
      const { encryptionId } = layer;
      const common = { version, basename, asset, ...(encryptionId !== undefined && { encryptionId }) };
      if (isText(uri)) {
        const [own = {}] = layer.subtitle ?? [];
        return [{ ...common, ...pieces, kind: "text", stem: stems(basename), stream: 0, layer: own }];
      }
      if (!facts) throw new Error(`${uri} is packaged without its facts`);
      const isMixed = mainVideo(facts) !== undefined && facts.audio.length > 0;
      return streamsOf(facts, layer, common, (kind) =>
        stems(isMixed || kind.endsWith("2") ? `${basename}_${kind}` : basename),
      );
    });
  });
  if (found.length === 0)
    throw definitionError(`${path} has nothing to package: nothing with a picture or sound came in`);
  return found;
};

export const isText = (uri: string): boolean => /\.(vtt|webvtt)$/i.test(nameOf(uri));

/** What the packager reads of it: a text in segments is joined. */
export const inputOf = ({ asset, pieces }: Rendition): string | string[] => (pieces ? [...pieces] : asset);

/** The longest rendition's; zero if none has one. */
export const lengthOf = (renditions: readonly Rendition[]): Rational =>
  renditions.map((each) => (each.kind === "text" ? undefined : each.facts.duration) ?? ratio(0)).reduce(max, ratio(0));

/** The address of the file that a rendition's asset is. */
export const uriOfAsset = (asset: string, inputs: readonly Asset[]): string => {
  const [at = 0, part = 0] = asset.split("_").map(Number);
  return inputs[at]?.files[part]?.uri ?? "";
};

/** Its name. */
export const nameOfAsset = (asset: string, inputs: readonly Asset[]): string => nameOf(uriOfAsset(asset, inputs));

type Shared = Pick<Common, "version" | "basename" | "asset"> & { readonly encryptionId?: string };

const streamsOf = (
  facts: MediaFacts,
  layer: NonNullable<Asset["layer"]>,
  common: Shared,
  stemOf: (kind: string) => string,
): Rendition[] => {
  const video = mainVideo(facts);
  return [
    ...(video
      ? [
          {
            ...common,
            kind: "video" as const,
            facts: video,
            stem: stemOf("video"),
            stream: video.index,
            layer: layer.video ?? {},
          },
        ]
      : []),
    ...facts.audio.map((audio, index) => {
      const own = layer.audio?.[index] ?? {};
      const language = own.language ?? audio.language;
      const stem = stemOf(`audio${index === 0 ? "" : index + 1}`);
      return {
        ...common,
        kind: "audio" as const,
        facts: audio,
        stem,
        stream: audio.index,
        layer: { ...own, ...(language && { language }) },
      };
    }),
  ];
};

/** Whether captions lie in its pictures. */
export const hasCaptions = (rendition: Rendition): boolean =>
  rendition.kind === "video" && rendition.facts.hasCaptions === true;
