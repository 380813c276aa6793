import type { Asset } from "../../shared/asset.ts";
import type { Work } from "../../shared/work.ts";

/** Sets how long nodes keep copies of remote files: the source of a file decides, for every task that reads it. */
export const keepCopies = (work: Work, inputs: readonly Asset[]): Work => {
  const kept = new Map(
    inputs.flatMap(({ files, cacheSec }) => (cacheSec ? files.map(({ uri }) => [uri, cacheSec]) : [])),
  );
  if (kept.size === 0) return work;
  const assets = Object.entries(work.assets).map(([id, asset]) => {
    const cacheSec = kept.get(asset.uri);
    return [id, cacheSec === undefined ? asset : { ...asset, cacheSec }];
  });
  return { ...work, assets: Object.fromEntries(assets) };
};
