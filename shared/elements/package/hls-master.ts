import { audioCodecName, videoCodecName } from "../../packaging/codec-names.ts";
import { toNumber } from "../../rational.ts";
import type { MasterRecipe } from "../../steps/place.ts";
import type { Shape } from "./modes.ts";
import type { Made, Making } from "./plan.ts";
import type { Rendition } from "./renditions.ts";
import type { PackagePayload } from "./schema.ts";

type Audio = Extract<Rendition, { kind: "audio" }>;
type Video = Extract<Rendition, { kind: "video" }>;

/** What the master playlist offers: pictures with the groups of sound that they may be played with. */
export const masterOf = (
  { renditions, context, names, shape }: Making,
  { hasIframes, withPicture }: Made,
): MasterRecipe => {
  const { payload } = context;
  const playlistOf = (rendition: Rendition) => names(rendition).playlist;
  const videos = renditions.filter((each) => each.kind === "video");
  const multiplexed = new Set(videos.flatMap((video) => withPicture(video) ?? []));
  const sounds = renditions.filter((each) => each.kind === "audio").filter((each) => !multiplexed.has(each));
  const texts = renditions.filter((each) => each.kind === "text");
  const groups = groupsOf(sounds);
  const main = payload.hls?.primary_layer_uid;
  const isMain = ({ layer, version }: Video) => main !== undefined && [layer.id, version].includes(main);
  const ordered = [...videos].sort((a, b) => Number(isMain(b)) - Number(isMain(a)));
  // A package of sound alone offers each of its renditions as a variant.
  const variants = videos.length > 0 ? ordered.map((video) => variantOf(video, groups)) : [];
  const alone =
    videos.length > 0
      ? []
      : sounds.map((sound) => ({ playlist: playlistOf(sound), codecs: named(audioCodecName(sound.facts)), audio: [] }));
  const iframes = ordered.flatMap((video, variant) => {
    return hasIframes(video) ? [{ playlist: names(video).iframes, variant }] : [];
  });
  return {
    variants: [...variants, ...alone],
    renditions:
      videos.length > 0 ? [...groups.flatMap(audioRenditions), ...textRenditions(texts)] : textRenditions(texts),
    captions: captionsOf(payload),
    iframes,
    ...(payload.hls?.master_manifest_iframe_references_location === "before_media" && { iframesFirst: true }),
    ...(payload.title !== undefined && { title: payload.title }),
    version: Math.max(payload.hls?.version ?? 0, neededVersion(shape)),
  };

  function variantOf(video: Video, known: readonly Group[]): MasterRecipe["variants"][number] {
    const { facts, layer } = video;
    const mixed = withPicture(video);
    const rate = facts.frameRate ?? facts.averageFrameRate;
    const wanted = known.filter(({ affinity }) => !layer.affinities || layer.affinities.includes(affinity));
    return {
      playlist: playlistOf(video),
      codecs: [
        ...named(videoCodecName(facts, payload.hls?.hevc_codec_id_prefix)),
        ...named(mixed && audioCodecName(mixed.facts)),
      ],
      resolution: { width: facts.width, height: facts.height },
      ...(rate && { frameRate: toNumber(rate) }),
      audio: (wanted.length > 0 ? wanted : known).map(({ id }) => id),
    };
  }

  function audioRenditions({ id, sounds: members }: Group): MasterRecipe["renditions"] {
    const preferred = members.find(({ layer }) => layer.isDefault) ?? members[0];
    return members.map((sound) => ({
      type: "AUDIO",
      group: id,
      name: sound.layer.name ?? sound.layer.language ?? sound.stem,
      ...(sound.layer.language && { language: sound.layer.language }),
      channels: sound.facts.channels,
      codecs: named(audioCodecName(sound.facts)),
      isDefault: sound === preferred,
      playlist: playlistOf(sound),
    }));
  }

  function textRenditions(all: readonly Rendition[]): MasterRecipe["renditions"] {
    return all.map((text) => ({
      type: "SUBTITLES",
      group: "subtitles",
      name: text.layer.name ?? text.layer.language ?? text.stem,
      ...(text.layer.language && { language: text.layer.language }),
      isDefault: text.layer.isDefault ?? false,
      playlist: playlistOf(text),
    }));
  }
};

/** A default rendition is chosen without being asked for, so it may not forbid that (RFC 8216, 4.3.4.1). */
const captionsOf = ({ closed_captions = [] }: PackagePayload): MasterRecipe["captions"] =>
  closed_captions.map(({ cc_index = 1, language, is_default = false, is_autoselect = true }) => ({
    index: cc_index,
    ...(language !== undefined && { language }),
    isDefault: is_default,
    isChosen: is_default || is_autoselect,
  }));

/** The lowest version whose players know what the playlists use: fragments, byte ranges (RFC 8216, 7). */
const neededVersion = ({ isTransport, isSegmented }: Shape): number => {
  if (!isTransport) return 6;
  return isSegmented ? 3 : 4;
};

const named = (name: string | undefined): string[] => (name === undefined ? [] : [name]);

/** Sound that players choose from; videos name it by the layer. */
type Group = { readonly id: string; readonly affinity: string; readonly sounds: readonly Audio[] };

/**
 * Renditions of one layer make a group. What has no layer is grouped so that no language stands twice in a group: players
 * would take the two for the same.
 */
const groupsOf = (sounds: readonly Audio[]): Group[] => {
  const groups: { id: string; affinity: string; sounds: Audio[] }[] = [];
  for (const sound of sounds) {
    const affinity = sound.layer.id ?? sound.layer.group ?? "audio";
    const isTaken = (group: (typeof groups)[number]) =>
      group.sounds.some(({ layer }) => (layer.name ?? layer.language) === (sound.layer.name ?? sound.layer.language));
    const free = groups.find((group) => group.affinity === affinity && !isTaken(group));
    if (free) {
      free.sounds.push(sound);
      continue;
    }
    const alike = groups.filter((group) => group.affinity === affinity).length;
    groups.push({ id: alike === 0 ? affinity : `${affinity}_${alike + 1}`, affinity, sounds: [sound] });
  }
  return groups;
};
