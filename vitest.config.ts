import { defineConfig } from "vitest/config";

/**
 * unit: pure code and small real parts, about a minute · flows: coordinator and agents as processes over real sockets ·
 * pages: the built pages in Chromium · media: real ffmpeg on small sources it makes itself · electron: the built desktop
 * app in a real Electron. `npm run long` runs all of them with more cases, which takes minutes and hours.
 */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: [
            "test/{shared,elements,coordinator,agent,cli,electron,renderer,bench,contract,stress}/**/*.test.ts",
            "test/*.test.ts",
          ],
          testTimeout: 20_000,
          maxWorkers: 2,
        },
      },
      { test: { name: "flows", include: ["test/flows/**/*.test.ts"], testTimeout: 120_000, fileParallelism: false } },
      {
        test: {
          name: "electron",
          include: ["test/electron-e2e/**/*.test.ts"],
          testTimeout: 120_000,
          fileParallelism: false,
        },
      },
      { test: { name: "pages", include: ["test/pages/**/*.test.ts"], testTimeout: 120_000, fileParallelism: false } },
      { test: { name: "media", include: ["test/media/**/*.test.ts"], testTimeout: 120_000, fileParallelism: false } },
    ],
  },
});
