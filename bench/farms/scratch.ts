import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder that goes when the bench is done. */
export const scratchFolder = (): Disposable & { readonly path: string } => {
  const path = mkdtempSync(join(tmpdir(), "mediafarm-bench-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true, maxRetries: 5 }) };
};
