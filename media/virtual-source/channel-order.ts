import type { AudioFacts } from "../../shared/model/asset.ts";
import type { Filter } from "../ffmpeg/filtergraph.ts";
import { channelNamesOf, inLayoutOrder, isLayout, layoutNamed, layoutOf } from "../ffmpeg/layouts.ts";

/** The facts of a sound whose channels are in the order of layouts, and the filters that bring it there without mixing. */
export const inUsualOrder = (
  sound: AudioFacts,
): { readonly facts: AudioFacts; readonly filters: readonly Filter[] } => {
  const { layout = "", channels } = sound;
  const names = layout.includes("+") ? channelNamesOf(layout) : [];
  const isNameless = layout === `${channels}C`;
  // A layout that has a name is listed where versions of ffmpeg disagree about its order.
  const isPlain = inLayoutOrder(names).join("+") === names.join("+") && !isLayout(layoutNamed(names));
  if (!isNameless && (names.length !== channels || isPlain)) return { facts: sound, filters: [] };
  const ordered = isNameless ? channelNamesOf(layoutOf(channels) ?? "") : inLayoutOrder(names);
  if (ordered.length !== channels) return { facts: sound, filters: [] };
  const map = ordered.map((name, at) => (isNameless ? at : names.indexOf(name))).join("|");
  const filter = { name: "channelmap", options: { map, channel_layout: ordered.join("+") } };
  return { facts: { ...sound, layout: layoutNamed(ordered) }, filters: [filter] };
};
