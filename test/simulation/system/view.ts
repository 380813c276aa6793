import type { Change, FileNode, FolderNode, Node } from "./volume.ts";

/**
 * What one machine knows of a share. Usually all of it; while its view is late, names and sizes are those of before others
 * changed them, as with a client that keeps what its server said for some seconds. What it changes or creates itself is
 * looked up at the server.
 */
export type View = {
  /** Keeps what it knows from now on. */
  readonly keep: () => void;
  /** Asks the server again. */
  readonly refresh: () => void;
  /** Others changed names, or the bytes of a file: called before that. */
  readonly changing: (change: Change, by: string) => void;
  readonly writing: (file: FileNode, by: string) => void;
  /** `isFresh`: the server is asked, and its answer is known from now on. */
  readonly lookUp: (folder: FolderNode, name: string, isFresh: boolean) => Node | undefined;
  readonly namesIn: (folder: FolderNode) => ReadonlyMap<string, Node>;
  readonly stateOf: (file: FileNode) => Pick<FileNode, "bytes" | "modified">;
};

export const createView = (owner: string): View => {
  let isLate = false;
  const names = new Map<FolderNode, Map<string, Node | undefined>>();
  const states = new Map<FileNode, Pick<FileNode, "bytes" | "modified">>();
  const oldIn = (folder: FolderNode): Map<string, Node | undefined> => {
    const known = names.get(folder) ?? new Map<string, Node | undefined>();
    names.set(folder, known);
    return known;
  };
  return {
    keep: () => {
      isLate = true;
    },
    refresh: () => {
      isLate = false;
      names.clear();
      states.clear();
    },
    changing: (change, by) => {
      for (const { folder, name } of change) {
        if (by === owner) names.get(folder)?.delete(name);
        else if (isLate && !names.get(folder)?.has(name)) oldIn(folder).set(name, folder.names.get(name));
      }
    },
    writing: (file, by) => {
      if (by === owner) states.delete(file);
      else if (isLate && !states.has(file)) states.set(file, { bytes: file.bytes, modified: file.modified });
    },
    lookUp: (folder, name, isFresh) => {
      const [known, node] = [names.get(folder), folder.names.get(name)];
      if (isFresh) known?.delete(name);
      if (isFresh && node?.kind === "file") states.delete(node);
      return known?.has(name) ? known.get(name) : node;
    },
    namesIn: (folder) => {
      const known = names.get(folder);
      if (!known || known.size === 0) return folder.names;
      const all = new Map(folder.names);
      for (const [name, node] of known) {
        if (node) all.set(name, node);
        else all.delete(name);
      }
      return all;
    },
    stateOf: (file) => states.get(file) ?? file,
  };
};
