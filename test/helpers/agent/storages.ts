import { existsSync, linkSync, mkdirSync, renameSync, rmSync, statSync } from "node:fs";
import { copyFile, mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readIdentity } from "../../../agent/storage/file/identity.ts";
import { file } from "../../../agent/storage/file/index.ts";
import type { ByteRange, FileIdentity, Move, Provider, Storage } from "../../../agent/storage/storage.ts";
import { pathToUri } from "../../../shared/files/location.ts";
import { type Abilities, abilities } from "../../../shared/files/storage.ts";

/**
 * Kinds of storage for tests, each lacking other abilities. What they hold lies in a folder, a flat name for each address,
 * and so outlives the agent that put it there, as on a server.
 */
export type TestStorage = {
  /** Of its addresses. */
  readonly scheme: string;
  readonly provider: Provider;
  /** The address of the folder that targets go to. */
  readonly folder: string;
  /** What people see: name below the folder -> text. */
  seen(): Promise<Record<string, string>>;
  /** What waits or was left behind unseen. */
  hidden(): Promise<string[]>;
  /** Somebody takes away what waits under an address. */
  lose(address: string): Promise<void>;
  /** Somebody else's file. */
  put(name: string, text: string): Promise<void>;
};

const base = (scheme: string): string => `${scheme}://bucket/out`;
/** As S3 names uploads: intents may name no others. */
const uploadMark = "#upload=";

/** A server's disk: what is seen by its address, uploads by number. */
const aServer = (path: string) => {
  const [objects, uploads] = [join(path, "objects"), join(path, "uploads")];
  for (const each of [objects, uploads]) mkdirSync(each, { recursive: true });
  const at = (address: string): string => {
    const [, id] = address.split(uploadMark);
    return id === undefined ? join(objects, encodeURIComponent(address)) : join(uploads, id);
  };
  return { objects, uploads, at };
};
type Server = ReturnType<typeof aServer>;

/** What all of them do alike. */
const plainly = (has: Abilities, { objects, at }: Server) => ({
  abilities: has,
  refuse: async () => undefined,
  prepare: async () => undefined,
  stat: async (uri: string) => {
    const found = existsSync(at(uri)) ? await stat(at(uri)) : undefined;
    return found && { isFile: true, size: found.size, modified: Math.floor(found.mtimeMs) };
  },
  holds: async (uri: string, { size, identity }: FileIdentity) => {
    const found = await readIdentity(at(uri));
    return found?.size === size && found.identity === identity;
  },
  list: async function* (folder: string) {
    const names = (await readdir(objects)).map(decodeURIComponent);
    const inside = names.filter((name) => name.startsWith(`${folder}/`)).map((name) => name.slice(folder.length + 1));
    for (const name of inside) yield { name, isFile: true };
  },
  read: async function* (uri: string, { from, length = Number.POSITIVE_INFINITY }: ByteRange) {
    yield (await readFile(at(uri))).subarray(from, from + length);
  },
  removeFolder: async (uri: string) => discardAll(objects, at, uri),
  remove: async (uri: string) => rm(at(uri), { force: true }),
  discard: async (address: string) => discardAll(objects, at, address),
  isOurs: async (_: Move) => false,
});

/** What waits below the address too: of an output of many files only the folder's is known. */
const discardAll = async (objects: string, at: Server["at"], address: string): Promise<void> => {
  await rm(at(address), { force: true });
  for (const name of (await readdir(objects)).filter((each) => decodeURIComponent(each).startsWith(`${address}/`))) {
    await rm(join(objects, name));
  }
};

/** Bytes go to a hidden name at once. */
const toHiddenName = ({ at }: Server) => ({
  stage: async ({ path, move }: Parameters<Storage["stage"]>[0]) => {
    await copyFile(path, at(move.temp));
    return move.temp;
  },
});

/** Bytes go up in parts, which nobody sees before the upload is completed; its number is the server's choice. */
const asUpload = ({ uploads, at }: Server) => ({
  stage: async ({ path, move, opened }: Parameters<Storage["stage"]>[0]) => {
    const address = `${move.final}${uploadMark}${(await readdir(uploads)).length + 1}-${encodeURIComponent(move.temp)}`;
    await opened(address);
    await copyFile(path, at(address));
    return address;
  },
});

/** Renames, but not over another file, and looks first instead of refusing: like FTP. */
const moving: Opened = (server) => {
  const { at } = server;
  const has = abilities("showsWhole", "rename", "listing", "writing");
  return {
    abilities: has,
    open: ({ checkpoint }) => ({
      ...plainly(has, server),
      ...toHiddenName(server),
      replace: async ({ temp, final }) => {
        statSync(at(temp)); // who shows the same may have been faster: what is seen by now stays
        rmSync(at(final), { force: true });
        await checkpoint("linked");
        renameSync(at(temp), at(final));
      },
      setAside: async (uri, to) => {
        if (existsSync(at(to))) return false;
        await rename(at(uri), at(to));
        return true;
      },
    }),
  };
};

/** Completes an upload only if the name is free, if it is asked to; cannot rename: like an object store of today. */
const conditional: Opened = (server) => {
  const { at } = server;
  const has = abilities("createOnly", "atomicReplace", "showsWhole", "listing", "writing");
  return {
    abilities: has,
    open: ({ checkpoint }) => ({
      ...plainly(has, server),
      ...asUpload(server),
      replace: async ({ temp, final }) => {
        renameSync(at(temp), at(final));
        await checkpoint("linked"); // the answer is lost, but not what was done
      },
      create: async ({ temp, final }) => {
        if (existsSync(at(final))) return "taken";
        linkSync(at(temp), at(final));
        rmSync(at(temp));
        await checkpoint("linked");
        return "created";
      },
    }),
  };
};

/** Completes uploads whatever is there: like an object store without conditions. */
const overwriting: Opened = (server) => {
  const { at } = server;
  const has = abilities("atomicReplace", "showsWhole", "listing", "writing");
  return {
    abilities: has,
    open: ({ checkpoint }) => ({
      ...plainly(has, server),
      ...asUpload(server),
      replace: async ({ temp, final }) => {
        renameSync(at(temp), at(final));
        await checkpoint("linked");
      },
    }),
  };
};

/** Can only copy, in place and in sight; a mark beside the file tells whose half it is: like a plain web server. */
const copying: Opened = (server) => {
  const { at } = server;
  const has = abilities("listing", "writing");
  const markOf = ({ temp }: Move): string => at(`${temp}.mark`);
  return {
    abilities: has,
    open: ({ checkpoint }) => ({
      ...plainly(has, server),
      ...toHiddenName(server),
      isOurs: async (move) => existsSync(markOf(move)),
      discard: async (address) => {
        await discardAll(server.objects, at, address);
        await rm(at(`${address}.mark`), { force: true });
      },
      replace: async (move) => {
        const bytes = await readFile(at(move.temp));
        await writeFile(markOf(move), move.identity);
        await writeFile(at(move.final), bytes.subarray(0, bytes.length / 2));
        await checkpoint("linked");
        await writeFile(at(move.final), bytes);
        await rm(at(move.temp));
        await rm(markOf(move));
      },
    }),
  };
};

type Opened = (server: Server) => Provider;

const onServer =
  (scheme: string, open: Opened) =>
  async (path: string): Promise<TestStorage> => {
    const server = aServer(join(path, scheme));
    const { objects, uploads } = server;
    const start = `${base(scheme)}/`;
    const names = async () => (await readdir(objects)).map(decodeURIComponent).map((each) => each.slice(start.length));
    const isHidden = (name: string) => name.startsWith(".");
    return {
      provider: open(server),
      scheme,
      folder: base(scheme),
      seen: async () => {
        const shown = (await names()).filter((name) => !isHidden(name)).sort();
        const texts = shown.map(async (name) => [name, await readFile(server.at(start + name), "utf8")] as const);
        return Object.fromEntries(await Promise.all(texts));
      },
      hidden: async () => [...(await names()).filter(isHidden), ...(await readdir(uploads))],
      lose: (address) => rm(server.at(address)),
      put: (name, text) => writeFile(server.at(start + name), text),
    };
  };

/** The node's own folders: the real provider. */
const inFolder = async (path: string): Promise<TestStorage> => {
  const folder = join(path, "root", "out");
  await mkdir(folder, { recursive: true });
  const names = async () => {
    const all = await readdir(folder, { recursive: true, withFileTypes: true });
    return all.filter((each) => each.isFile()).map((each) => join(each.parentPath, each.name).slice(folder.length + 1));
  };
  return {
    scheme: "file",
    provider: file,
    folder: pathToUri(folder, "posix"),
    seen: async () => {
      const shown = (await names()).filter((name) => !name.startsWith(".")).sort();
      const texts = shown.map(async (name) => [name, await readFile(join(folder, name), "utf8")] as const);
      return Object.fromEntries(await Promise.all(texts));
    },
    hidden: async () => (await readdir(folder)).filter((name) => name.startsWith(".")),
    lose: (address) => rm(fileURLToPath(address)),
    put: (name, text) => writeFile(join(folder, name), text),
  };
};

export const testStorages = {
  file: inFolder,
  moving: onServer("moving", moving),
  conditional: onServer("s3", conditional),
  overwriting: onServer("s3", overwriting),
  copying: onServer("copying", copying),
} as const;
export type TestStorageKind = keyof typeof testStorages;
export const testStorageKinds = Object.keys(testStorages) as TestStorageKind[]; // Object.keys forgets the names
