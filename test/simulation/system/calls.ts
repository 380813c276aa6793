import { here } from "../engine/life.ts";
import type { Files } from "./files.ts";
import { system } from "./machine.ts";
import { failure } from "./names.ts";

/** Files that are the program's own, and not on any simulated disk. */
const ownRoot = new URL("../../../", import.meta.url).pathname;

export const isOwn = (path: string | URL): boolean => path instanceof URL || path.startsWith(ownRoot);

/** Calls that change something are events of the journal. */
const changing = new Set(["unlink", "rename", "link", "symlink", "mkdir", "rmdir", "fsync", "close-written"]);

/** A call that takes its time on the disk of this path. */
export const wait = <T>(call: string, path: string | undefined, act: (files: Files) => T): Promise<T> => {
  const { files, callMs, note } = system();
  return here().call(call, callMs(path, call === "fsync"), () => {
    if (changing.has(call)) note(call, path);
    return act(files);
  });
};

export const now = <T>(call: string, path: string | undefined, act: (files: Files) => T): T => {
  const { files, note } = system();
  return here().callNow(call, () => {
    if (changing.has(call)) note(call, path);
    return act(files);
  });
};

const numbered = /^\/proc\/(self|\d+)\/(stat|limits|status)$/;

/** A file that the kernel makes up; undefined for every other path. */
export const madeUp = (path: string): string | undefined => {
  const [, who, what] = numbered.exec(path) ?? [];
  if (who === undefined) return undefined;
  if (what === "limits") return "Max open files            1024                 1024                 files\n";
  if (who === "self") return "1 (node) R 1 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 1 0 0 0";
  const running = system().running.get(Number(who));
  if (!running || what !== "stat") throw failure("ENOENT", "open", path);
  return `${who} (program) R ${[1, 1, 1, 0, -1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 20, 0, 1, 0].join(" ")} ${running.began} 0 0`;
};
