import type { TrackLayer } from "../../../../shared/model/layer.ts";
import type { Finishing } from "../../../../shared/work/media-steps/finish-manifest.ts";
import { type Said, saidInDash } from "../../../packaging/dash-names.ts";
import { choiceOf } from "../../../packaging/roles.ts";
import { trackLayerOf } from "../../source/layer.ts";
import type { AudioPlan } from "../audio/plan.ts";
import type { Container } from "../containers/container.ts";
import type { Target } from "../target-schema.ts";

type Sound = { readonly kind: "audio"; readonly stem: string; readonly layer: TrackLayer };

/** The sounds of a target, in the order of its tracks, as players choose between them. */
const soundsOf = ({ audio = [] }: Target, plans: readonly AudioPlan[]): Sound[] => {
  const tracks = audio.filter(({ enabled }) => enabled);
  return plans.map(({ recipe }, at) => {
    const { language } = recipe.metadata;
    return {
      kind: "audio",
      stem: `audio_${at}`,
      layer: { ...trackLayerOf(tracks[at] ?? {}), ...(language && { language }) },
    };
  });
};

/** Which tracks of a DASH target are sets of their own: `id=1,streams=1`. */
export const adaptationSets = (target: Target, plans: readonly AudioPlan[], hasPicture: boolean): string => {
  const first = hasPicture ? 1 : 0;
  const sets = Map.groupBy(
    soundsOf(target, plans).map(({ layer }, at) => ({ layer, stream: first + at })),
    ({ layer }) => choiceOf(layer),
  );
  const streams = [...sets.values()].map((members) => members.map(({ stream }) => stream).join(","));
  return [...(hasPicture ? ["v"] : []), ...streams].map((each, id) => `id=${id},streams=${each}`).join(" ");
};

/** What is written into a manifest of ffmpeg afterwards, and the roles that the muxer writes itself. */
export const finishingOf = (target: Target, plans: readonly AudioPlan[], { muxer }: Container) => {
  if (muxer !== "dash") return { roles: [] };
  const { container, video } = target;
  const pictures = video?.enabled ? [{ kind: "video" as const, stem: "video_0", layer: trackLayerOf(video) }] : [];
  const all = [...pictures, ...soundsOf(target, plans)];
  const said = saidInDash<(typeof all)[number]>(all);
  const found = all.map((each) => said.get(each));
  const isSaid = all.some(({ layer }) => layer.name !== undefined);
  const finishing: Omit<Finishing, "isIndexed"> = {
    tracks: isSaid ? found.flatMap((each, number) => (each ? [{ number, id: each.id, ...labelled(each) }] : [])) : [],
    addresses: (container?.attributes ?? []).map(({ name, value }) => ({ name, value })),
  };
  return {
    roles: found.slice(pictures.length).map((each) => each?.roles[0]),
    finishing: { ...finishing, ...(container?.kind === "dash-vod" && { isIndexed: true as const }) },
  };
};

const labelled = ({ label }: Said) => (label === undefined ? {} : { label });
