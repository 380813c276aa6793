import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { onTestFinished } from "vitest";

/** The disk removes nothing, as one that has become read-only, until the returned function is called. */
export const refuseRemovals = (): (() => void) => {
  const { unlinkSync, rmdirSync, rmSync } = fs;
  const put = (calls: object): void => {
    Object.assign(fs, calls);
    syncBuiltinESMExports();
  };
  const refuse = (): never => {
    throw Object.assign(new Error("EROFS: read-only file system"), { code: "EROFS" });
  };
  put({ unlinkSync: refuse, rmdirSync: refuse, rmSync: refuse });
  const restore = (): void => put({ unlinkSync, rmdirSync, rmSync });
  onTestFinished(restore);
  return restore;
};
