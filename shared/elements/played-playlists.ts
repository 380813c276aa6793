import type { Asset, AssetFile } from "../asset.ts";
import { nameOf } from "../location.ts";
import type { FactRequest, PlanContext } from "./element.ts";
import { planSource } from "./source/plan.ts";
import { sourcePayload } from "./source/schema.ts";

type Played = { readonly need: readonly FactRequest[] } | { readonly assets: readonly Asset[] };

/** Joined pieces have the name of the playlist that they come from. */
const isPlaylist = ({ uri, pieces }: AssetFile): boolean => pieces === undefined && /\.m3u8$/i.test(nameOf(uri));

/**
 * Inputs as what is to be seen of them: where playlists came in, with their segments, what the master playlist offers
 * stands for all of it.
 */
export const playedPlaylists = (context: PlanContext<unknown>): Played => {
  const { inputs, manifestOf = () => undefined } = context;
  const lists = inputs.flatMap(({ files }) => files.filter(isPlaylist).map(({ uri }) => uri));
  if (lists.length === 0) return { assets: inputs };
  const unread = lists.filter((uri) => !manifestOf(uri));
  if (unread.length > 0) return { need: unread.map((uri) => ({ fact: "manifest", uri })) };
  const masters = lists.filter((uri) => manifestOf(uri)?.isMaster);
  const plans = (masters.length > 0 ? masters : lists).map((url) => {
    const file = { storage_provider: "file", url, options: { resolve_manifest: true } };
    return planSource({ ...context, payload: sourcePayload.parse({ kind: "asset_url", payload: file }) });
  });
  const need = plans.flatMap((plan) => ("need" in plan ? plan.need : []));
  if (need.length > 0) return { need };
  return { assets: plans.flatMap((plan) => ("assets" in plan ? (plan.assets ?? []) : [])) };
};
