import type { FarmMount } from "../../shared/protocol.ts";
import type { Db } from "./open.ts";

type Raw = { readonly prefix: string; readonly posix: string | null; readonly win32: string | null };

const read = ({ prefix, posix, win32 }: Raw): FarmMount => ({
  prefix,
  folders: { posix: posix ?? undefined, win32: win32 ?? undefined },
});

export const createMountStore = ({ writer, point }: Db) => {
  const sql = "SELECT prefix, posix, win32 FROM mounts ORDER BY prefix";
  const committed = point.prepare<[], Raw>(sql);
  const current = writer.prepare<[], Raw>(sql);
  const clear = writer.prepare("DELETE FROM mounts");
  const insert = writer.prepare("INSERT INTO mounts (prefix, posix, win32) VALUES (?, ?, ?)");

  return {
    /** Outside of a commit: as they were last committed. */
    readAll: (): FarmMount[] => committed.all().map(read),
    /** Within a commit. */
    all: (): FarmMount[] => current.all().map(read),
    replaceAll: (mounts: readonly FarmMount[]): void => {
      clear.run();
      for (const { prefix, folders } of mounts) insert.run(prefix, folders.posix ?? null, folders.win32 ?? null);
    },
  };
};
