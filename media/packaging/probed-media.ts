import { parseRational, toFraction, toNumber } from "../../shared/basics/rational.ts";
import type { AudioFacts, MediaFacts, VideoFacts } from "../../shared/model/asset.ts";
import type { TrackLayer } from "../../shared/model/layer.ts";
import type { DescribedMedia } from "../../shared/work/media-steps/describe-media.ts";
import type { MasterRecipe } from "../../shared/work/steps/place.ts";
import { mainVideo } from "../formats/stream-timing.ts";
import { audioCodecName, videoCodecName } from "./codec-names.ts";
import { choiceOf } from "./roles.ts";

/** What a file's facts tell manifests of a rendition that does not say it itself. */
export const withProbedFacts = (media: DescribedMedia, facts: MediaFacts): DescribedMedia => {
  const [video, [sound]] = [mainVideo(facts), facts.audio];
  if (media.kind === "audio") return { ...(sound && probedAudio(sound)), ...media };
  if (media.kind === "text" || !video) return media;
  const seen = probedVideo(video, media.hevc);
  const codecs = [seen.codecs, ...facts.audio.map(audioCodecName)].filter((name) => name !== undefined);
  return { ...seen, ...(codecs.length > 0 && { codecs: [...new Set(codecs)].join(",") }), ...media };
};

export const probedVideo = (facts: VideoFacts, hevc?: "hvc1" | "hev1") => {
  const codecs = videoCodecName(facts, hevc);
  const { width, height, frameRate, averageFrameRate, hasCaptions } = facts;
  const [rate, transfer] = [frameRate ?? averageFrameRate, transfers[facts.colorTransfer ?? ""]];
  return {
    ...{ width, height, ...(rate && { frameRate: toFraction(rate) }), ...(codecs !== undefined && { codecs }) },
    ...{ ...(transfer !== undefined && { transfer }), ...(hasCaptions && { hasCaptions }) },
  };
};

/** Numbers of transfer characteristics that players must know of (ISO/IEC 23091-2, 8.2), by ffprobe's names. */
const transfers: Readonly<Record<string, number>> = { smpte2084: 16, "arib-std-b67": 18 };

const ranges: Readonly<Record<number, "PQ" | "HLG">> = { 16: "PQ", 18: "HLG" };

/** How HLS names the range of a transfer; undefined for SDR. */
export const rangeOf = (transfer: number | undefined): "PQ" | "HLG" | undefined => ranges[transfer ?? 0];

/** Captions within pictures of which the job says nothing: the first channel of CEA-608. */
export const usualCaptions: MasterRecipe["captions"] = [{ index: 1, isDefault: false, isChosen: true }];

export const probedAudio = (facts: AudioFacts) => {
  const codecs = audioCodecName(facts);
  return { sampleRate: facts.sampleRate, channels: facts.channels, ...(codecs !== undefined && { codecs }) };
};

/** Pictures of one codec may take each other's place, and sounds and texts of one choice. */
export const setOf = (kind: DescribedMedia["kind"], codec: string, layer: TrackLayer): string =>
  [kind, kind === "video" ? codec : (layer.id ?? ""), kind === "video" ? (layer.language ?? "") : choiceOf(layer)].join(
    "\n",
  );

/** How a master playlist refers to a rendition. */
export const playlistAddress = ({ layout, playlist, hlsUrl }: DescribedMedia): string | undefined =>
  layout === "playlist" ? hlsUrl : playlist;

/** The recipe with what was seen of its media, and with the addresses of their playlists. */
export const recipeFromProbedMedia = (recipe: MasterRecipe, media: readonly DescribedMedia[]): MasterRecipe => {
  const addressed = <T extends { readonly playlist: string }>(each: T, found: DescribedMedia | undefined): T => ({
    ...each,
    playlist: (found && playlistAddress(found)) ?? each.playlist,
  });
  const mediaOf = (playlist: string) => media.find((each) => each.playlist === playlist);
  return {
    ...recipe,
    variants: recipe.variants.map((variant) => {
      const found = mediaOf(variant.playlist);
      const { width, height, codecs } = found ?? {};
      const rate = parseRational(found?.frameRate);
      return {
        ...addressed(variant, found),
        ...(codecs !== undefined && { codecs: codecs.split(",") }),
        ...(width !== undefined && height !== undefined && { resolution: { width, height } }),
        ...(rate && { frameRate: toNumber(rate) }),
        ...(rangeOf(found?.transfer) && { range: rangeOf(found?.transfer) }),
      };
    }),
    captions: recipe.captions.length === 0 && media.some((each) => each.hasCaptions) ? usualCaptions : recipe.captions,
    renditions: recipe.renditions.map((rendition) => {
      const found = mediaOf(rendition.playlist);
      const { channels, codecs } = found ?? {};
      return {
        ...addressed(rendition, found),
        ...(channels !== undefined && { channels }),
        ...(codecs !== undefined && { codecs: [codecs] }),
      };
    }),
  };
};
