import fs from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { expect, onTestFinished } from "vitest";

/** The system's next answer to this call is a refusal; who asks again is served. A test that never asks fails. */
export const refuseOnce = (call: "link" | "readFile", code: string): void => {
  const real = fs[call];
  let wasAsked = false;
  const put = (act: unknown): void => {
    Object.assign(fs, { [call]: act });
    syncBuiltinESMExports();
  };
  put(async () => {
    wasAsked = true;
    put(real);
    throw Object.assign(new Error(`${code}: ${call}`), { code });
  });
  onTestFinished(() => {
    put(real);
    expect(wasAsked, `${call} was never called`).toBe(true);
  });
};
