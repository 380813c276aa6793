import { join } from "node:path";
import { configDefaults, defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { inCi } from "./test/helpers/long.ts";
import { compileTexts } from "./vite.macros.ts";

/** Programs that tests start find each other's compiled code: otherwise every start costs half a second of it. */
const env = { NODE_COMPILE_CACHE: join(import.meta.dirname, ".build/compiled") };

/** The short files of real media come last: a long story that begins last would run alone. */
class ShortLast extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isShort = ({ project }: TestSpecification) => Number(project.name === "ffmpeg");
    return (await super.sort(files)).toSorted((one, other) => isShort(one) - isShort(other));
  }
}

/**
 * Three files at a time on two cores: stories wait for a part of their time. Four took as long. An agent's programs
 * give way to whatever else a machine does, so on a busy one a story takes its time.
 */
const stories = {
  env,
  testTimeout: 300_000,
  hookTimeout: 300_000,
  // The usual second is short for a page beside two other stories; only a failure takes so long.
  expect: { poll: { timeout: 120_000 } },
  maxWorkers: 3,
  maxConcurrency: 4,
};

/** Files that have no case small enough for `npm run check`. */
const onlyInCi = ["test/coordinator/http/growth.test.ts", "test/coordinator/jobs/many-batches.test.ts"];

/** Stories that say nothing about files of the coordinator's: what they promise holds on PostgreSQL as well. */
const onEveryStore = [
  "jobs/*",
  "messages/*",
  "storage/{copy-options,folder-enum,storage-troubles,watched-server,watchfolder}",
  "faults/{crash,guessers,lost-grant,node-life}",
  "programs/{cli,clients,docs-api,fetch}",
];

/**
 * unit: pure code and small real parts, within a minute · flows: coordinator and agents as processes over real
 * sockets · postgres: those of the stories whose farms need no file, once each, on a PostgreSQL server · pages: the
 * built pages in Chromium · ffmpeg: real ffmpeg on small sources it makes itself · electron: the built desktop app in a
 * real Electron, and what is shipped in it · timed: stories that compare durations, one at a time after all others. How much each of them tries: `test/helpers/long.ts`.
 */
export default defineConfig({
  test: {
    sequence: { sequencer: ShortLast },
    projects: [
      {
        plugins: [compileTexts],
        test: {
          name: "unit",
          include: [
            "test/{shared,media,coordinator,agent,cli,electron,renderer,bench,contract,stress,samples,simulation,docs}/**/*.test.ts",
            "test/*.test.ts",
          ],
          exclude: [...configDefaults.exclude, ...(inCi ? [] : onlyInCi)],
          env,
          setupFiles: ["test/helpers/secrets/equality.ts"],
          // Loading all modules anew for each of two hundred files takes as long as the tests.
          isolate: false,
          testTimeout: 150_000, // longer than what a test waits for, so that it can say what that was
          hookTimeout: 150_000,
          maxWorkers: 3,
        },
      },
      { test: { name: "flows", include: ["test/flows/**/*.test.ts"], ...stories } },
      {
        test: {
          name: "postgres",
          include: onEveryStore.map((each) => `test/flows/${each}.test.ts`),
          ...stories,
          env: { ...env, MEDIAFARM_STORIES: "postgres", MEDIAFARM_TESTS: "quick" },
        },
      },
      { test: { name: "electron", include: ["test/electron-e2e/**/*.test.ts"], ...stories } },
      { test: { name: "pages", include: ["test/pages/**/*.test.ts"], ...stories } },
      { test: { name: "ffmpeg", include: ["test/ffmpeg/**/*.test.ts"], ...stories } },
      {
        test: {
          name: "timed",
          include: ["test/timed/**/*.test.ts"],
          ...stories,
          maxWorkers: 1,
          testTimeout: 3_600_000,
        },
      },
    ],
  },
});
