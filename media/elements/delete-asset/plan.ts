import { folderUri, nameOf, toUri } from "../../../shared/files/location.ts";
import { capabilityError, definitionError } from "../../../shared/model/failure.ts";
import type { StepOf, Work } from "../../../shared/work/work.ts";
import { filesOf, filesToDelete } from "../copy/compile.ts";
import type { Plan, PlanContext } from "../element.ts";
import { versionsOf } from "../source/components.ts";
import type { DeleteAssetPayload } from "./schema.ts";

type Context = PlanContext<DeleteAssetPayload>;

/** One task deletes everything that is named. */
export const planDelete = (context: Context): Plan<null> => {
  const { files, folders = [] } = deletesOf(context);
  if (files.length + folders.length === 0) {
    throw definitionError(`${context.uid} has nothing to delete: no element feeds it a file`);
  }
  return { tasks: [{ uid: context.uid, name: context.uid, requires: [], weight: "light", detail: null }] };
};

export const compileDelete = (context: Context): Work => ({
  assets: {},
  outputs: {},
  steps: [{ do: "delete", id: "delete", ...deletesOf(context) }],
});

type Deletes = Pick<StepOf<"delete">, "files" | "folders">;

const deletesOf = (context: Context): Deletes => {
  const { payload, inputs } = context;
  const isNamed = payload.asset !== undefined || payload.location !== undefined;
  const selector = payload.asset_selector ?? (isNamed ? "config" : "workflow_document");
  if (selector === "workflow_document") return { files: filesToDelete(inputs.flatMap(filesOf)) };
  return namedDeletes(context);
};

const namedDeletes = ({ uid, payload: { asset, location, delete_folder_acknowledgement: word } }: Context): Deletes => {
  const path = `${uid}.payload`;
  if (asset) return { files: namedFiles(asset, uid) };
  if (location?.url !== undefined) return { files: [{ uri: toUri(location.url, `${path}.location.url`) }] };
  if (!location) throw definitionError(`${path} names neither an asset nor a location`);
  const folder = folderUri(location, undefined, `${path}.location`);
  const name = nameOf(folder);
  if (word === name && name !== "") return { files: [], folders: [folder] };
  const what = `${path}.delete_folder_acknowledgement`;
  throw definitionError(`${what} must be the folder's own name, "${name}": its contents are deleted permanently`);
};

const namedFiles = (asset: NonNullable<DeleteAssetPayload["asset"]>, uid: string): Deletes["files"] => {
  const components = versionsOf(asset, uid).versions.flatMap((version) => version.components);
  const images = components.find((component) => component.images);
  if (images) throw capabilityError(`${images.path}: image sequences are not deleted one by one`);
  return components.flatMap(({ uri }) => (uri === undefined ? [] : [{ uri }]));
};
