import { storageKindOf } from "../../shared/files/storage.ts";
import type { JobSpec } from "../../shared/model/job.ts";
import { readMounts } from "../nodes/mounts.ts";
import type { Nodes } from "../nodes/nodes.ts";

const mostTold = 20;

/**
 * Capabilities and kinds of storage that the job asks for and that no node provides now. Empty while there is no node,
 * because the first one may provide everything.
 */
export const findMissingCapabilities = async (
  farm: Pick<Nodes, "store" | "registry">,
  job: JobSpec,
): Promise<string[]> => {
  const profiles = farm.registry.rows().map(({ profile }) => profile);
  if (profiles.length === 0) return [];
  const provided = new Set(profiles.flatMap(({ tools }) => tools.capabilities));
  const mounts = [...(await readMounts(farm)), ...profiles.flatMap(({ mounts }) => mounts)];
  const mounted = new Set(mounts.map(({ prefix }) => prefix.replace(/:.*/s, "").toLowerCase()));
  const storages = storagesIn(
    job.elements.map(({ payload }) => ({ payload })),
    "payload.elements",
  );
  return [...storages.filter(({ provider }) => !mounted.has(provider)), ...job.needs]
    .filter(({ capability }) => !provided.has(capability))
    .slice(0, mostTold)
    .map(({ capability, field }) => `${field}: no node of the farm provides ${capability} now`);
};

type Storage = JobSpec["needs"][number] & { readonly provider: string };

/** Remote storage that is named anywhere in a value. */
const storagesIn = (value: unknown, field: string): Storage[] => {
  if (Array.isArray(value)) return value.flatMap((each, at) => storagesIn(each, `${field}[${at}]`));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => {
    const at = `${field}.${name}`;
    if (name !== "storage_provider" || typeof each !== "string") return storagesIn(each, at);
    const kind = storageKindOf(`${each}://`);
    return kind && kind !== "file" ? [{ field: at, capability: `storage:${kind}`, provider: each.toLowerCase() }] : [];
  });
};
