import type { TrackLayer } from "../../shared/model/layer.ts";
import type { MasterRecipe } from "../../shared/work/steps/place.ts";
import { isOnlyAsked, roleWord } from "./roles.ts";

/** One stream as players choose it: its playlist, and what the master playlist says of it. */
export type Offered = {
  readonly kind: "video" | "audio" | "text";
  /** Uid of the target that made it. */
  readonly version: string;
  /** Its name if it has no other. */
  readonly stem: string;
  readonly layer: TrackLayer;
  readonly playlist: string;
  /** Of its media; of a picture that carries its own sound, of both. */
  readonly codecs?: readonly string[];
  readonly resolution?: { readonly width: number; readonly height: number };
  readonly frameRate?: number;
  /** Of pictures that are not SDR. */
  readonly range?: MasterRecipe["variants"][number]["range"];
  readonly channels?: number;
  /** Its playlist of key frames. */
  readonly iframes?: string;
};

type Wishes = Pick<MasterRecipe, "captions" | "iframesFirst" | "title" | "version"> & {
  /** Layer or target that players start with. */
  readonly primary?: string | undefined;
};

/** What the master playlist offers: pictures with the groups of sound that they may be played with. */
export const buildMasterRecipe = (offered: readonly Offered[], { primary, ...said }: Wishes): MasterRecipe => {
  const ofKind = (kind: Offered["kind"]) => offered.filter((each) => each.kind === kind);
  const [videos, sounds, texts] = [ofKind("video"), ofKind("audio"), ofKind("text")];
  const isPrimary = ({ layer, version }: Offered) => primary !== undefined && [layer.id, version].includes(primary);
  const ordered = [...videos].sort((a, b) => Number(isPrimary(b)) - Number(isPrimary(a)));
  const groups = groupsOf(sounds);
  const withPictures = {
    variants: ordered.map((video) => variantOf(video, groups)),
    renditions: [...groups.flatMap(audioRenditions), ...texts.map(textRendition)],
  };
  // A package of sound alone offers each of its renditions as a variant.
  const alone = {
    variants: sounds.map(({ playlist, codecs = [] }) => ({ playlist, codecs: [...codecs], audio: [] })),
    renditions: texts.map(textRendition),
  };
  const iframes = ordered.flatMap(({ iframes: playlist }, variant) => (playlist ? [{ playlist, variant }] : []));
  return { ...(videos.length > 0 ? withPictures : alone), iframes, ...said };
};

const variantOf = (video: Offered, groups: readonly Group[]): MasterRecipe["variants"][number] => {
  const { playlist, codecs = [], resolution, frameRate, range, layer } = video;
  const wanted = groups.filter(({ affinity }) => !layer.affinities || layer.affinities.includes(affinity));
  return {
    ...{ playlist, codecs: [...codecs], resolution, frameRate, range },
    audio: (wanted.length > 0 ? wanted : groups).map(({ id }) => id),
  };
};

const audioRenditions = ({ id, sounds }: Group): MasterRecipe["renditions"] => {
  const preferred =
    sounds.find(({ layer }) => layer.isDefault) ?? sounds.find(({ layer }) => !isOnlyAsked(layer)) ?? sounds[0];
  // Of one language, players take one sound by themselves: they cannot tell the others from it.
  const taken = new Set([preferred?.layer.language]);
  const isAsked = (sound: Offered): boolean => {
    if (sound === preferred) return false;
    if (isOnlyAsked(sound.layer) || taken.has(sound.layer.language)) return true;
    taken.add(sound.layer.language);
    return false;
  };
  return sounds.map((sound) => ({
    ...{ type: "AUDIO", group: id, name: nameOf(sound), language: sound.layer.language, channels: sound.channels },
    ...{ codecs: sound.codecs && [...sound.codecs], isDefault: sound === preferred, playlist: sound.playlist },
    ...(isAsked(sound) && { isAsked: true as const }),
  }));
};

const textRendition = (text: Offered): MasterRecipe["renditions"][number] => ({
  ...{ type: "SUBTITLES", group: "subtitles", name: nameOf(text), language: text.layer.language },
  isDefault: text.layer.isDefault ?? false,
  playlist: text.playlist,
});

const nameOf = ({ layer, stem }: Offered): string => ownName(layer) || stem;

/** Empty where nothing is known of a track. */
const ownName = (layer: TrackLayer): string =>
  layer.name ?? [layer.language, roleWord(layer)].filter((each) => each !== undefined).join(" ");

/** Sound that players choose from; videos name it by the layer. */
type Group = { readonly id: string; readonly affinity: string; readonly sounds: readonly Offered[] };

/**
 * Renditions of one layer make a group. What has no layer is grouped so that no name stands twice in a group: players
 * would take the two for the same.
 */
const groupsOf = (sounds: readonly Offered[]): Group[] => {
  const groups: { id: string; affinity: string; sounds: Offered[] }[] = [];
  for (const sound of sounds) {
    const affinity = sound.layer.id ?? sound.layer.group ?? "audio";
    const isTaken = (group: (typeof groups)[number]) =>
      group.sounds.some(({ layer }) => ownName(layer) === ownName(sound.layer));
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
