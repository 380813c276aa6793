import { type Ability, abilities } from "../../../shared/files/storage.ts";
import { definitionError } from "../../../shared/model/failure.ts";
import { holds } from "../hidden-names.ts";
import type { FileIdentity, Provider, Storage, StorageNeeds } from "../storage.ts";
import { prefixOf, readAddress } from "./address.ts";
import { type Connected, createClients } from "./client.ts";
import { s3Error } from "./errors.ts";
import { listObjects, readObject, statObject } from "./reading.ts";
import { abortUpload, completeUpload, sendParts, waitsWhole } from "./upload.ts";

const always: readonly Ability[] = [
  ...(["atomicReplace", "showsWhole", "ranges", "continues", "listing", "writing"] as const),
  ...(["attributes", "permissions", "encryption"] as const),
];

/** Amazon's object store and compatible services. A file waits as an upload, which is completed to publish it. */
export const s3: Provider = {
  abilities: abilities("createOnly", ...always),
  open: (needs) => openBuckets(needs),
};

const openBuckets = ({ keys, guard, clock, patience }: StorageNeeds): Storage => {
  const clients = createClients(guard);
  const connect = (uri: string): Promise<Connected> => clients(keys.of(uri, "s3"), uri);
  // An ability that one service of an attempt lacks is declared for none.
  const isConditional = keys.all.every(
    (each) => each.kind !== "s3" || (each.conditional_writes ?? each.endpoint === undefined),
  );
  const isShown = async (uri: string, wanted: FileIdentity): Promise<boolean> => {
    const connected = await connect(uri);
    const stat = (each: string) => statObject(connected, each);
    return holds({ stat, read: (each, range, signal) => readObject(connected, each, range, signal) }, uri, wanted);
  };
  return {
    abilities: abilities(...(isConditional ? (["createOnly"] as const) : []), ...always),
    patience,
    stat: async (uri) => statObject(await connect(uri), uri),
    list: async function* (folder) {
      yield* listObjects(await connect(folder), folder);
    },
    read: async function* (uri, range, signal) {
      yield* readObject(await connect(uri), uri, range, signal);
    },
    refuse: async (folder) => {
      readAddress(folder);
      await connect(folder);
    },
    prepare: async () => undefined, // keys only look like folders
    holds: async (uri, wanted) => {
      if (readAddress(uri).upload !== undefined) return waitsWhole(await connect(uri), uri, wanted.size);
      return isShown(uri, wanted);
    },
    remove: async (uri) => removeObject(await connect(uri), uri),
    removeFolder: async (uri) => removeBelow(await connect(uri), uri),
    stage: async (sending) => sendParts(await connect(sending.move.final), sending, { clock, patience }),
    discard: async (address) => {
      if (readAddress(address).upload !== undefined) await abortUpload(await connect(address), address);
    },
    isOurs: (move) => isShown(move.final, move), // some services still list the parts of a completed upload
    replace: async ({ temp }) => {
      await completeUpload(await connect(temp), temp, false);
    },
    ...(isConditional && {
      create: async (move) => {
        const result = await completeUpload(await connect(move.temp), move.temp, true);
        return result === "taken" && (await isShown(move.final, move)) ? "created" : result;
      },
    }),
  };
};

const removeObject = async ({ client, sdk }: Connected, uri: string): Promise<void> => {
  const { bucket, key } = readAddress(uri);
  try {
    await client.send(new sdk.DeleteObjectCommand({ Bucket: bucket, Key: key }));
  } catch (error) {
    throw s3Error(error, uri);
  }
};

const removeBelow = async (connected: Connected, uri: string): Promise<void> => {
  const { bucket, key } = readAddress(uri);
  const prefix = prefixOf(key);
  if (prefix === "") throw definitionError(`${uri} is a whole bucket: it is not removed`);
  for await (const { name } of listObjects(connected, uri, true))
    await removeObject(connected, `s3://${bucket}/${prefix}${name}`);
  // The folder's own mark, which a listing leaves out.
  await removeObject(connected, `s3://${bucket}/${prefix}`);
};
