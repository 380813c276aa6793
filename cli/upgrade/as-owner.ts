import { statSync } from "node:fs";
import type { Perform } from "./perform.ts";

/**
 * Runs programs as the user to whom `dataDir` belongs: what an administrator's program wrote into a farm's folder, the farm could
 * not open any more.
 */
export const performAsOwner = (perform: Perform, dataDir: string): Perform => {
  const { uid, gid } = statSync(dataDir);
  if (process.getuid?.() !== 0 || uid === 0) return perform;
  const become = ["setpriv", `--reuid=${uid}`, `--regid=${gid}`, "--clear-groups", "--"];
  return (command, order = {}) =>
    perform([...become, ...command], { ...order, cwd: dataDir, env: { ...order.env, HOME: dataDir } });
};
