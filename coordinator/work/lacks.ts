import { containerOf } from "../../shared/elements/transcode/containers/index.ts";
import { videoCodecOf } from "../../shared/elements/transcode/video/index.ts";
import type { JobSpec } from "../../shared/job.ts";
import { storageKindOf } from "../../shared/storage.ts";
import type { Farm } from "./farm.ts";

type Needed = { readonly capability: string; readonly where: string };

/**
 * Encoders, muxers and kinds of storage that the job needs and that no node provides now. Empty while there is no node,
 * because the first one may provide everything.
 */
export const lacksOf = async ({ registry, store }: Farm, { elements }: JobSpec): Promise<string[]> => {
  const rows = registry.rows();
  if (rows.length === 0) return [];
  const provided = new Set(rows.flatMap(({ profile }) => profile.tools.capabilities));
  const mounts = [...(await store.mounts.all()), ...rows.flatMap(({ profile }) => profile.mounts)];
  const isMounted = (scheme: string) => mounts.some(({ prefix }) => prefix.toLowerCase().startsWith(`${scheme}:`));
  const needed = elements.flatMap(({ payload }, index) =>
    neededBy(payload, `payload.elements[${index}].payload`, isMounted),
  );
  return needed
    .filter(({ capability }) => !provided.has(capability))
    .slice(0, mostTold)
    .map(({ capability, where }) => `${where}: no node of the farm provides ${capability} now`);
};

const mostTold = 20;

const neededBy = (value: unknown, where: string, isMounted: (scheme: string) => boolean): Needed[] => {
  if (Array.isArray(value)) return value.flatMap((each, at) => neededBy(each, `${where}[${at}]`, isMounted));
  if (typeof value !== "object" || value === null) return [];
  const part = value as Readonly<Record<string, unknown>>; // an object has any field or none
  const inside = Object.entries(part).flatMap(([name, each]) => neededBy(each, `${where}.${name}`, isMounted));
  return [...ownNeeds(part, where, isMounted), ...inside];
};

const ownNeeds = (
  { codec, kind, storage_provider: provider }: Readonly<Record<string, unknown>>,
  where: string,
  isMounted: (scheme: string) => boolean,
): Needed[] => {
  if (typeof provider === "string") {
    const storage = storageKindOf(`${provider}://`);
    if (storage === undefined || storage === "file" || isMounted(provider.toLowerCase())) return [];
    return [{ capability: `storage:${storage}`, where: `${where}.storage_provider` }];
  }
  if (typeof codec === "string" && where.endsWith(".video")) {
    const encoder = videoCodecOf(codec)?.encoder;
    return encoder && encoder !== "copy" ? [{ capability: `encoder:${encoder}`, where: `${where}.codec` }] : [];
  }
  if (typeof kind === "string" && where.endsWith(".container")) {
    const { muxer, text } = containerOf(kind) ?? {};
    return muxer && text === undefined ? [{ capability: `muxer:${muxer}`, where: `${where}.kind` }] : [];
  }
  return [];
};
