import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { compileTexts } from "./vite.macros.ts";

/** Programs that tests start find each other's compiled code: otherwise every start costs half a second of it. */
const env = { NODE_COMPILE_CACHE: join(import.meta.dirname, ".build/compiled") };

/** The short files of real media come last: a long story that begins last would run alone. */
class ShortLast extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isShort = ({ project }: TestSpecification) => Number(project.name === "media");
    return (await super.sort(files)).toSorted((one, other) => isShort(one) - isShort(other));
  }
}

/**
 * Three files at a time on two cores: stories wait for a part of their time. Four took as long. An agent's programs
 * give way to whatever else a machine does, so on a busy one a story takes its time.
 */
const stories = { env, testTimeout: 300_000, hookTimeout: 300_000, maxWorkers: 3, maxConcurrency: 4 };

/**
 * unit: pure code and small real parts, about two minutes · flows: coordinator and agents as processes over real
 * sockets · pages: the built pages in Chromium · media: real ffmpeg on small sources it makes itself · electron: the
 * built desktop app in a real Electron. `npm run long` runs all of them with more cases, which takes minutes and hours.
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
            "test/{shared,elements,coordinator,agent,cli,electron,renderer,bench,contract,stress,samples}/**/*.test.ts",
            "test/*.test.ts",
          ],
          env,
          // Loading all modules anew for each of two hundred files takes as long as the tests.
          isolate: false,
          testTimeout: 20_000,
          hookTimeout: 60_000,
          maxWorkers: 3,
        },
      },
      { test: { name: "flows", include: ["test/flows/**/*.test.ts"], ...stories } },
      { test: { name: "electron", include: ["test/electron-e2e/**/*.test.ts"], ...stories } },
      { test: { name: "pages", include: ["test/pages/**/*.test.ts"], ...stories } },
      { test: { name: "media", include: ["test/media/**/*.test.ts"], ...stories } },
    ],
  },
});
