import { nameOf } from "../../../shared/files/location.ts";
import type { Asset, AssetFile } from "../../../shared/model/asset.ts";
import type { FactRequest, PlanContext } from "../element.ts";
import { planSource } from "./plan.ts";
import { sourcePayload } from "./schema.ts";

type Played = { readonly need: readonly FactRequest[] } | { readonly assets: readonly Asset[] };

/** A manifest by its name. Joined pieces have the name of the one that they come from. */
const isManifest = ({ uri, pieces }: AssetFile): boolean => pieces === undefined && /\.(m3u8|mpd)$/i.test(nameOf(uri));
const isText = ({ uri }: AssetFile): boolean => /\.vtt$/i.test(nameOf(uri));

/** Manifests of subtitles alone are no media. */
const isPlayed = ({ files }: Asset): boolean => files.some(isManifest) && !files.some(isText);

/**
 * Inputs as what is to be seen of them. A manifest that came in with its segments is played instead of them. If
 * manifests came in for themselves, as a package makes them, what one of them offers stands for all inputs.
 */
export const playedManifests = (context: PlanContext<unknown>): Played => {
  const { inputs, manifestOf = () => undefined } = context;
  const listed = inputs.filter(isPlayed);
  if (listed.length === 0) return { assets: inputs };
  const unread = urisOf(listed).filter((uri) => !manifestOf(uri));
  if (unread.length > 0) return { need: unread.map((uri) => ({ fact: "manifest", uri })) };
  const whole = wholesOf(listed, context);
  const wanted = whole.length > 0 ? whole : inputs;
  const plans = wanted.map((asset) => (isPlayed(asset) ? planOf(asset, context) : { assets: [asset] }));
  const need = plans.flatMap((plan) => ("need" in plan ? plan.need : []));
  return need.length > 0 ? { need } : { assets: plans.flatMap((plan) => ("assets" in plan ? plan.assets : [])) };
};

const urisOf = (assets: readonly Asset[]): string[] =>
  assets.flatMap(({ files }) => files.filter(isManifest).map(({ uri }) => uri));

/** Of manifests without their media: master playlists, else a manifest of DASH, which needs no other. */
const wholesOf = (listed: readonly Asset[], { manifestOf }: PlanContext<unknown>): Asset[] => {
  const bare = listed.flatMap((asset) =>
    asset.files.every(isManifest) ? asset.files.map((file) => ({ ...asset, files: [file] })) : [],
  );
  const found = (kind: "hls" | "dash") =>
    bare.filter(({ files: [file] }) => {
      const manifest = manifestOf?.(file?.uri ?? "");
      return manifest?.kind === kind && (kind === "dash" || manifest.isMaster);
    });
  const masters = found("hls");
  return masters.length > 0 ? masters : found("dash").slice(0, 1);
};

const planOf = (asset: Asset, context: PlanContext<unknown>): Played => {
  const plans = asset.files.filter(isManifest).map(({ uri: url }) => {
    const file = { storage_provider: "file", url, options: { resolve_manifest: true } };
    return planSource({ ...context, payload: sourcePayload.parse({ kind: "asset_url", payload: file }) });
  });
  const need = plans.flatMap((plan) => ("need" in plan ? plan.need : []));
  if (need.length > 0) return { need };
  const { version, layer } = asset;
  const found = plans.flatMap((plan) => ("assets" in plan ? (plan.assets ?? []) : []));
  return { assets: found.map((each) => ({ ...each, version, ...(layer && { layer }) })) };
};
