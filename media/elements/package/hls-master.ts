import { toNumber } from "../../../shared/basics/rational.ts";
import type { MasterRecipe } from "../../../shared/work/steps/place.ts";
import { audioCodecName, videoCodecName } from "../../packaging/codec-names.ts";
import { buildMasterRecipe, type Offered } from "../../packaging/master-recipe.ts";
import { probedVideo, rangeOf, usualCaptions } from "../../packaging/probed-media.ts";
import type { Shape } from "./modes.ts";
import type { PackagingContext, PackagingSteps } from "./packaging.ts";
import { hasCaptions, type Rendition } from "./renditions.ts";
import type { PackagePayload } from "./schema.ts";

/** The master playlist over all renditions that have a playlist of their own. */
export const buildHlsMaster = (
  { renditions, context, names, shape }: PackagingContext,
  made: PackagingSteps,
): MasterRecipe => {
  const { payload } = context;
  const mixed = new Set(renditions.flatMap((each) => (each.kind === "video" ? (made.withPicture(each) ?? []) : [])));
  const apart = renditions.filter((each) => each.kind !== "audio" || !mixed.has(each));
  const offered = apart.map((each): Offered => {
    const { kind, version, stem, layer } = each;
    const { playlist, iframes } = names(each);
    return {
      ...{ kind, version, stem, layer, playlist },
      ...(made.hasIframes(each) && { iframes }),
      ...factsOf(each, payload, made),
    };
  });
  return buildMasterRecipe(offered, {
    ...{ primary: payload.hls?.primary_layer_uid, captions: captionsOf(payload, renditions), title: payload.title },
    ...(payload.hls?.master_manifest_iframe_references_location === "before_media" && { iframesFirst: true }),
    version: Math.max(payload.hls?.version ?? 0, neededVersion(shape)),
  });
};

const factsOf = (rendition: Rendition, { hls }: PackagePayload, { withPicture }: PackagingSteps): Partial<Offered> => {
  if (rendition.kind === "text") return {};
  if (rendition.kind === "audio") {
    const { facts } = rendition;
    return { codecs: named(audioCodecName(facts)), channels: facts.channels };
  }
  const { width, height, frameRate, averageFrameRate } = rendition.facts;
  const [rate, sound] = [frameRate ?? averageFrameRate, withPicture(rendition)];
  const range = rangeOf(probedVideo(rendition.facts).transfer);
  return {
    codecs: [
      ...named(videoCodecName(rendition.facts, hls?.hevc_codec_id_prefix)),
      ...named(sound && audioCodecName(sound.facts)),
    ],
    ...{ resolution: { width, height }, frameRate: rate && toNumber(rate), range },
  };
};

/**
 * What the job says of captions, else that there are some if the pictures hold them. A default rendition is chosen without
 * being asked for, so it may not forbid that (RFC 8216, 4.3.4.1).
 */
const captionsOf = (
  { closed_captions: said = [] }: PackagePayload,
  renditions: readonly Rendition[],
): MasterRecipe["captions"] => {
  if (said.length === 0) return renditions.some(hasCaptions) ? usualCaptions : [];
  return said.map(({ cc_index = 1, language, is_default = false, is_autoselect = true }) => ({
    ...{ index: cc_index, language, isDefault: is_default, isChosen: is_default || is_autoselect },
  }));
};

/** The lowest version whose players know what the playlists use: fragments, byte ranges (RFC 8216, 7). */
const neededVersion = ({ isTransport, isSegmented }: Shape): number => {
  if (!isTransport) return 6;
  return isSegmented ? 3 : 4;
};

const named = (name: string | undefined): string[] => (name === undefined ? [] : [name]);
