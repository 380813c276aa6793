import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe } from "vitest";
import { arePagesBuilt, chromiumPath, openBrowser, whySkipped } from "./browser.ts";
import { startCannedFarm } from "./canned-farm.ts";

const arePagesReady = chromiumPath !== undefined && arePagesBuilt;

/** Tests of the built pages, skipped aloud where they cannot run. `isReady`: what these tests need besides is there. */
export const describePages = (what: string, tests: () => void, isReady = true): void => {
  const runs = arePagesReady && isReady;
  describe.skipIf(!runs)(runs ? what : `${what} (skipped: ${whySkipped})`, tests);
};

/** One browser for the tests of a file. */
export const useBrowser = (): (() => Browser) => useOpened(openBrowser);

/** One canned farm for the tests of a file. */
export const useCannedFarm = () => useOpened(startCannedFarm);

const useOpened = <T extends { readonly close: () => Promise<unknown> }>(open: () => Promise<T>): (() => T) => {
  let opened: T | undefined;
  beforeAll(async () => {
    if (arePagesReady) opened = await open();
  });
  afterAll(async () => {
    await opened?.close();
  });
  return () => {
    if (opened) return opened;
    throw new Error("it is open only while tests run");
  };
};
