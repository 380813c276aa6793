import { rmSync, symlinkSync, unlinkSync } from "node:fs";
import { type FileHandle, open, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { makeOwnFolder } from "../disk/own-files.ts";
import type { Run } from "../process/run.ts";
import { createOpenedFolders, type OpenedFolders } from "./opened-folders.ts";

/** The files and folders that one attempt keeps open, and the paths by which programs open them. */
export type OpenFiles = OpenedFolders & {
  /**
   * A path that leads to what the handle has open, whatever takes its name meanwhile; the handle is closed with the
   * others. Undefined: this node cannot hold it, and the handle stays the caller's.
   */
  keep(handle: Descriptor, name: string): string | undefined;
  /** The text with those paths replaced by the names that people know. */
  named(text: string): string;
};

type Descriptor = Pick<FileHandle, "fd" | "close">;

/** Gives every attempt its own holds. */
export type OpenFilesFactory = { begin(): OpenFiles };

/** Where programs cannot open what the agent has open: everything is used by its name. */
export const noOpenFiles: OpenFilesFactory = {
  begin: () => ({
    keep: () => undefined,
    folder: (_path, open) => open(),
    named: (text) => text,
    release: async () => undefined,
  }),
};

export type OpenFilesNeeds = {
  /** Holds nothing but links of this module. */
  readonly folder: string;
  readonly pid: number;
  readonly run: Run;
};

/** On Linux, the links lead to this process's descriptors. Whether programs can follow them is tried once. */
export const createOpenFilesFactory = async ({ folder, pid, run }: OpenFilesNeeds): Promise<OpenFilesFactory> => {
  rmSync(folder, { recursive: true, force: true }); // links of an earlier agent lead nowhere
  if (process.platform !== "linux") return noOpenFiles;
  makeOwnFolder(folder);
  const holder = createHolder(folder, pid, Math.floor((await mostOpen()) / 2));
  return (await canBeFollowed(holder, folder, run)) ? holder : noOpenFiles;
};

const createHolder = (folder: string, pid: number, most: number): OpenFilesFactory => {
  let count = 0;
  let last = 0;
  const begin = (): OpenFiles => {
    const held = new Map<string, { readonly handle: Descriptor; readonly name: string }>();
    const named = (text: string): string => {
      const [first = "", ...rest] = text.split(`${folder}/`);
      return first + rest.map(nameOfBeginning).join("");
    };
    const nameOfBeginning = (text: string): string => {
      const link = /^\d+(?:\.[A-Za-z0-9]{1,10})?/.exec(text)?.[0] ?? "";
      const name = held.get(link)?.name;
      return name === undefined ? `${folder}/${text}` : name + text.slice(link.length);
    };
    const folders = createOpenedFolders();
    return {
      named,
      folder: folders.folder,
      keep: (handle, name) => {
        if (count >= most) return undefined;
        count += 1;
        last += 1;
        const link = `${last}${endingOf(name)}`;
        symlinkSync(`/proc/${pid}/fd/${handle.fd}`, join(folder, link));
        held.set(link, { handle, name: named(name) });
        return join(folder, link);
      },
      release: async () => {
        const all = [...held];
        held.clear();
        count -= all.length;
        for (const [link] of all) removeLink(join(folder, link));
        await Promise.all([folders.release(), ...all.map(([, { handle }]) => handle.close())]);
      },
    };
  };
  return { begin };
};

/** A disk that refuses it must not end the agent, nor keep the file open: the next agent removes all links. */
const removeLink = (path: string): void => {
  try {
    unlinkSync(path);
  } catch {
    return;
  }
};

/** Demuxers are chosen by the ending too. */
const endingOf = (name: string): string => /^\.[A-Za-z0-9]{1,10}$/.exec(extname(name))?.[0] ?? "";

/** How many files this process may open. */
const mostOpen = async (): Promise<number> => {
  const limits = await readFile("/proc/self/limits", "utf8").catch(() => "");
  return Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? 0);
};

const canBeFollowed = async (holder: OpenFilesFactory, folder: string, run: Run): Promise<boolean> => {
  const holds = holder.begin();
  const handle = await open(folder, "r");
  const path = holds.keep(handle, folder);
  try {
    if (path === undefined) return false;
    return (await run({ command: "test", args: ["-r", path], limitMs: 20_000 })).exitCode === 0;
  } catch {
    return false; // no such program: nothing is known, so nothing is relied on
  } finally {
    if (path === undefined) await handle.close();
    await holds.release();
  }
};
