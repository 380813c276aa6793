import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Log } from "../log.ts";
import type { Run, RunResult } from "../process/run.ts";

/** A container engine that works here. */
export type Engine = {
  readonly name: "podman" | "docker";
  /** The label of all containers of this agent. */
  readonly label: string;
  run(words: readonly string[], options?: Partial<Omit<Parameters<Run>[0], "command" | "args">>): Promise<RunResult>;
};

type Needs = { readonly run: Run; readonly searchPath: readonly string[]; readonly folder: string; readonly log: Log };

/** What is tried, in this order. crun refuses some hosts that runc takes, such as those with both versions of cgroups. */
const candidates = [
  { name: "podman", first: [] },
  { name: "podman", first: ["--runtime", "runc"] },
  { name: "docker", first: [] },
] as const;
const checkImage = "localhost/mediafarm-check:1";
/** The exit codes with which both engines report that the container was set up but its command does not exist. */
const commandMissing = 127;

/**
 * The first engine that can really start containers here: each is tried with an empty image and a command that is not
 * in it. An installed engine that cannot run containers exits with 125 or 126.
 */
export const findEngine = async ({ run, searchPath, folder, log }: Needs): Promise<Engine | undefined> => {
  const empty = join(folder, "empty-image.tar");
  for (const { name, first } of candidates) {
    const path = searchPath.map((each) => join(each, name)).find((each) => existsSync(each));
    if (path === undefined) continue;
    const engine: Engine = {
      name,
      label: `mediafarm=${folder}`,
      run: (args, options) => run({ command: path, args: [...first, ...args], limitMs: 60_000, ...options }),
    };
    await writeFile(empty, Buffer.alloc(1024));
    const problem = await problemOf(engine, empty);
    if (problem === undefined) {
      await removeLeftOver(engine);
      return engine;
    }
    log.warn("containers cannot be run", { engine: [name, ...first].join(" "), said: problem.slice(-500) });
  }
  return undefined;
};

/** What an engine says that cannot run containers. */
const problemOf = async (engine: Engine, image: string): Promise<string | undefined> => {
  const made = await engine.run(["import", image, checkImage]);
  if (made.exitCode !== 0) return made.stderrTail;
  const tried = await engine.run(["run", "--rm", ...isolation, checkImage, "/nothing"]);
  return tried.exitCode === commandMissing ? undefined : tried.stderrTail;
};

/** Containers outlive an agent that was killed. */
const removeLeftOver = async ({ run, label }: Engine): Promise<void> => {
  const { stdout } = await run(["ps", "--all", "--quiet", "--filter", `label=${label}`]);
  const ids = stdout.split(/\s+/).filter((word) => /^[0-9a-f]{6,64}$/.test(word));
  if (ids.length > 0) await run(["rm", "-f", ...ids]);
};

/** Restrictions of every container. Without a limit for processes, podman asks for more than some hosts may give. */
export const isolation: readonly string[] = [
  ...["--network", "none", "--cap-drop", "ALL", "--security-opt", "no-new-privileges"],
  ...["--pids-limit", "512", "--ulimit", "nofile=4096:4096", "--ulimit", "nproc=4096:4096"],
];
