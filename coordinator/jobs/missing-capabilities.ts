import { storageKindOf } from "../../shared/files/storage.ts";
import type { JobSpec } from "../../shared/model/job.ts";
import { unknownTags } from "../../shared/model/unknown-tags.ts";
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
  const lacking = [...storages.filter(({ provider }) => !mounted.has(provider)), ...job.needs]
    .filter(({ capability }) => !provided.has(capability))
    .map(({ capability, field }) => `${field}: no node of the farm provides ${capability} now`);
  return [...unknownTagsOf(farm, job), ...lacking].slice(0, mostTold);
};

/** Tags of the job and of its elements that no node, and no group of nodes, provides. */
const unknownTagsOf = ({ registry }: Pick<Nodes, "registry">, { tags, elements }: JobSpec): string[] => {
  const provided = new Set(registry.candidates().flatMap(({ offer }) => [...offer.node.tags]));
  const wanted = [
    { field: "task_tags", tags },
    ...elements.map((element, at) => ({ field: `payload.elements[${at}].task.tags`, tags: element.tags ?? [] })),
  ];
  return wanted.flatMap(({ field, tags: own }) =>
    unknownTags(own, provided).map(({ tag, like }) => {
      const hint = like === undefined ? "" : `: did you mean "${like}"?`;
      return `${field}: no node of the farm provides the tag "${tag}"${hint}`;
    }),
  );
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
