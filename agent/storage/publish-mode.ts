import type { ObjectOptions } from "../../shared/files/object-options.ts";
import type { Abilities, Weakness } from "../../shared/files/storage.ts";
import { capabilityError, definitionError } from "../../shared/model/failure.ts";
import type { ExistingFiles } from "../../shared/work/work.ts";

/**
 * How a file is published. create: only if its name is free · check_and_replace: the same, in two steps · replace:
 * any file of that name · set_aside_and_replace: renames the existing file first.
 */
export type PublishAction = "create" | "check_and_replace" | "replace" | "set_aside_and_replace";

export type PublishMode = { readonly act: PublishAction; readonly weaker: readonly Weakness[] };

/** Policies that never replace a file: the name must be free. */
export const needsFreeName: ReadonlySet<ExistingFiles> = new Set(["fail", "rename_new"]);

/** How a storage with these abilities publishes a file under a policy. Throws TaskError if it cannot. */
export const choosePublishMode = (existing: ExistingFiles, abilities: Abilities): PublishMode => {
  const half = abilities.showsWhole ? [] : (["half_visible"] as const);
  if (needsFreeName.has(existing)) {
    if (abilities.createOnly) return { act: "create", weaker: half };
    return { act: "check_and_replace", weaker: ["may_overwrite", ...half] };
  }
  const weaker = [...(abilities.atomicReplace ? [] : (["gap"] as const)), ...half];
  if (existing !== "rename_org") return { act: "replace", weaker };
  if (abilities.rename) return { act: "set_aside_and_replace", weaker };
  throw definitionError("existing_files is rename_org, but the storage of the target cannot rename files");
};

/**
 * What a storage drops of the options a job sets on its files. Throws TaskError for permissions and encryption that it
 * does not support.
 */
export const lostOptions = (object: ObjectOptions | undefined, abilities: Abilities, where: string): Weakness[] => {
  const { attributes = [], acl, encryption } = object ?? {};
  const refuse = (field: string): never => {
    throw capabilityError(`${where}: the job sets ${field}, which this kind of storage does not support`);
  };
  if (acl !== undefined && !abilities.permissions) refuse("permissions");
  if (encryption && !abilities.encryption) refuse("encryption");
  return attributes.length > 0 && !abilities.attributes ? ["no_attributes"] : [];
};
