import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { performContainer } from "../../../../agent/steps/scripts/container.ts";
import type { StepContext } from "../../../../agent/steps/step.ts";
import type { StepOf } from "../../../../shared/work/work.ts";
import { noServices } from "../../../helpers/agent/services.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** Performs a step whose container makes files in its folder, and returns what was taken out. */
const taken = async (make: (folder: string) => void, names = "*"): Promise<string[]> => {
  const scratch = mkdtempSync(join(tmpdir(), "mediafarm-container-folder-"));
  folders.push(scratch);
  const made = join(scratch, "made");
  mkdirSync(made);
  const engine = {
    ...{ name: "podman", label: "test" },
    run: (args: readonly string[]) => {
      const volume = args.find((each) => each.includes(":/out/0"));
      if (volume) make(volume.slice(0, volume.indexOf(":/out/0")));
      return Promise.resolve({ exitCode: 0, stdout: "", stderrTail: "" });
    },
  };
  const context = {
    services: { ...noServices, engine, every: () => () => undefined },
    ...{ scratch, log: { line: () => undefined, append: () => undefined }, signal: new AbortController().signal },
    paths: { inputs: new Map(), outputs: new Map([["0", { made }]]) },
    ...{ keepResult: () => undefined, onProgress: () => undefined },
  } as unknown as StepContext; // what the performer uses of it
  const step: StepOf<"container"> = {
    ...{ do: "container", id: "container", inputs: [], cpus: 1, memoryBytes: 1e8 },
    outputs: [{ out: "0", at: "/out/0", names }],
    commands: [{ image: "a/b", args: [], ignoresExitCode: false, keepsStdout: false, keepsStderr: false }],
  };
  await performContainer(step, context);
  return readdirSync(made, { recursive: true }).map(String).sort();
};

const write = (...path: string[]): void => {
  mkdirSync(dirname(join(...path)), { recursive: true });
  writeFileSync(join(...path), "x");
};

test("all files below the folder are taken out, with their folders", async () => {
  const make = (folder: string) => {
    write(folder, "a.txt");
    write(folder, "deep", "er", "b.png");
    mkdirSync(join(folder, "empty"));
  };
  expect(await taken(make)).toEqual(["a.txt", "deep", "deep/er", "deep/er/b.png"]);
  expect(await taken(make, "*.png")).toEqual(["deep", "deep/er", "deep/er/b.png"]);
  expect(await taken(make, "deep/*")).toEqual(["deep", "deep/er", "deep/er/b.png"]);
});

test("a container that makes nothing that was asked for has failed", async () => {
  await expect(taken(() => undefined)).rejects.toThrow("created no file in /out/0");
  await expect(taken((folder) => write(folder, "a.txt"), "*.png")).rejects.toThrow("that is called *.png");
});

test("links are not followed, neither to files nor to folders", async () => {
  await expect(taken((folder) => symlinkSync("/etc/hostname", join(folder, "a")))).rejects.toThrow("is a link");
  await expect(taken((folder) => symlinkSync("/etc", join(folder, "a")))).rejects.toThrow("is a link");
});
