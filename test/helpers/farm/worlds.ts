import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { aFolder, removeFolder } from "./farm.ts";

type Life<T> = {
  readonly open: (folder: string) => Promise<T>;
  readonly close: (world: T) => Promise<unknown>;
};

/** A world in a folder of its own for each test of a file; the answer is the one of the test that runs. */
export const aWorldPerTest = <T>(life: Life<T>): (() => T) => lived(life, beforeEach, afterEach);

/** One world that all tests of a file share. */
export const aWorldPerFile = <T>(life: Life<T>): (() => T) => lived(life, beforeAll, afterAll);

type Hook = (act: () => Promise<void>) => void;

const lived = <T>({ open, close }: Life<T>, before: Hook, after: Hook): (() => T) => {
  let lives: { readonly folder: string; readonly world: T } | undefined;
  before(async () => {
    const folder = aFolder();
    lives = { folder, world: await open(folder) };
  });
  after(async () => {
    if (!lives) return; // it did not open, and says so itself
    const { folder, world } = lives;
    lives = undefined;
    try {
      await close(world);
    } finally {
      removeFolder(folder);
    }
  });
  return () => {
    if (!lives) throw new Error("no test runs yet");
    return lives.world;
  };
};
