import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { definitionError } from "../../shared/model/failure.ts";
import type { RunResult } from "../process/run.ts";
import { type Engine, isolation } from "./engine.ts";

type Folder = { readonly from: string; readonly at: string; readonly isReadOnly: boolean };

export type ContainerCommand = {
  /** The container's name, unique on this machine. */
  readonly name: string;
  readonly image: string;
  readonly entrypoint?: string | undefined;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly registry?: { readonly host: string; readonly username: string; readonly password: string } | undefined;
  readonly folders: readonly Folder[];
  readonly cpus: number;
  readonly memoryBytes: number;
  /** A folder of the attempt: secrets are there only while the engine reads them, and never in arguments. */
  readonly scratch: string;
  readonly signal: AbortSignal;
  readonly onOutput: (text: string) => void;
};

/** Runs one container to its end and always removes it. */
export const runContainer = async (engine: Engine, command: ContainerCommand): Promise<RunResult> => {
  const { name } = command;
  const [envFile, keys] = [join(command.scratch, `${name}.env`), join(command.scratch, `${name}-keys`)];
  try {
    await writeFile(envFile, envText(command.env), { mode: 0o600 });
    const authority = await writeKeys(engine, command, keys);
    const words = [...authority.before, "run", ...authority.after, ...wordsOf(engine, command, name, envFile)];
    const limitMs = 2 ** 31 - 1; // the attempt has its own limit
    const { signal, onOutput } = command;
    return await engine.run(words, { signal, limitMs, graceMs: 2000, onStderr: onOutput });
  } finally {
    await engine.run(["rm", "-f", name]); // the engine's client may exit before its container
    for (const path of [envFile, keys]) await rm(path, { recursive: true, force: true });
  }
};

const wordsOf = (engine: Engine, command: ContainerCommand, name: string, envFile: string): string[] => {
  const { image, entrypoint, args, folders, cpus, memoryBytes } = command;
  const memory = String(memoryBytes);
  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  return [
    ...["--rm", "--name", name, "--label", engine.label, "--read-only", "--tmpfs", "/tmp", ...isolation],
    ...["--cpus", String(cpus), "--memory", memory, "--memory-swap", memory, "--env-file", envFile],
    ...["--user", `${uid}:${gid}`, ...(engine.name === "podman" && uid !== 0 ? ["--userns", "keep-id"] : [])],
    ...folders.flatMap((each) => ["--volume", `${each.from}:${each.at}:${each.isReadOnly ? "ro" : "rw"}`]),
    ...(entrypoint === undefined ? [] : ["--entrypoint", entrypoint]),
    ...["--", image, ...args],
  ];
};

const envText = (env: Readonly<Record<string, string>>): string =>
  Object.entries(env)
    .map(([name, value]) => {
      if (/[\r\n\0]/.test(value)) throw definitionError(`The variable ${name} must be one line`);
      return `${name}=${value}\n`;
    })
    .join("");

/** Both engines read a registry's password from a file of the same format, but with different flags. */
const writeKeys = async (engine: Engine, { registry }: ContainerCommand, keys: string) => {
  if (!registry) return { before: [], after: [] };
  const auth = Buffer.from(`${registry.username}:${registry.password}`).toString("base64");
  await mkdir(keys, { mode: 0o700 });
  await writeFile(join(keys, "config.json"), JSON.stringify({ auths: { [registry.host]: { auth } } }), { mode: 0o600 });
  return engine.name === "docker"
    ? { before: ["--config", keys], after: [] }
    : { before: [], after: ["--authfile", join(keys, "config.json")] };
};
