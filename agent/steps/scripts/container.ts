import { mkdir, readdir } from "node:fs/promises";
import { basename, dirname, join, posix, relative, sep } from "node:path";
import type { CommandOutcome } from "../../../media/results/commands.ts";
import { hiding } from "../../../shared/credentials/redact.ts";
import { matchesWildcard } from "../../../shared/files/file-selection.ts";
import { capabilityError, sourceError, TaskError } from "../../../shared/model/failure.ts";
import { shellCommand } from "../../../shared/texts/shell.ts";
import type { StepOf } from "../../../shared/work/work.ts";
import { runContainer } from "../../containers/run.ts";
import { copyBytes } from "../../disk/copy-bytes.ts";
import { refuseExchanged } from "../../paths/resolve-file.ts";
import type { ResolvedFile } from "../../paths/resolved-paths.ts";
import { pathOfDescriptor } from "../../roots/checked-file.ts";
import { openMade } from "../../roots/open-made.ts";
import { inputNamed, outputNamed } from "../named-files.ts";
import type { Performer, StepContext } from "../step.ts";

const keptCharacters = 32_000;
const heartbeatMs = 5000;
/** Values of the environment are also plain words, such as `true` or `1080`, which results must keep. */
const shortestHidden = 8;

/** An argument may be a password: itself, or what stands behind its `=`. Files and folders that the farm gave are none. */
const secretParts = (argument: string): string[] =>
  [argument, argument.slice(argument.indexOf("=") + 1)].filter((part) => !/^\/(?:in|out)\//.test(part));

export const performContainer: Performer<"container"> = async (step, context) => {
  const { services, log, signal, keepResult, onProgress, scratch, secret } = context;
  const { engine } = services;
  if (!engine) throw capabilityError("This node runs no containers: its operator has not allowed any");
  const folders = [...inputFolders(step, context), ...(await outputFolders(step, scratch))];
  const outcomes: CommandOutcome[] = [];
  // A container does not report progress: until its time limit, all we know is that it runs.
  let beats = 0;
  const stop = services.every(heartbeatMs, () => onProgress({ position: ++beats * (heartbeatMs / 1000) }));
  try {
    for (const [index, { image, entrypoint, args, env: words = {}, registry, ...keeps }] of step.commands.entries()) {
      const env = Object.fromEntries(Object.entries(words).map(([name, word]) => [name, secret(word)]));
      const hide = hiding([...Object.values(env), ...args.flatMap(secretParts)], shortestHidden);
      log.line(hide(`$ ${engine.name} run ${shellCommand([image, ...args])}`));
      const ended = await runContainer(engine, {
        name: `mediafarm-${basename(dirname(scratch))}-${index}`,
        ...{ image, entrypoint, args, env, folders, cpus: step.cpus, memoryBytes: step.memoryBytes, scratch, signal },
        ...(registry && {
          registry: { ...registry, username: secret(registry.username), password: secret(registry.password) },
        }),
        onOutput: (text) => log.append(hide(text)),
      });
      signal.throwIfAborted();
      const exitCode = ended.exitCode ?? -1;
      outcomes.push({
        ...{ image, exitCode },
        ...(keeps.keepsStdout && { stdout: hide(ended.stdout).slice(-keptCharacters) }),
        ...(keeps.keepsStderr && { stderr: hide(ended.stderrTail).slice(-keptCharacters) }),
      });
      if (exitCode !== 0 && !keeps.ignoresExitCode) throw failed(image, exitCode, hide(ended.stderrTail));
    }
  } finally {
    stop();
  }
  await refuseExchanged(readByName(step, context));
  for (const output of step.outputs)
    await (output.names === undefined ? takeFile : takeFolder)({ names: "*", ...output }, context);
  keepResult(step.id, { kind: "commands", value: outcomes });
};

const inputFolders = ({ inputs }: StepOf<"container">, context: StepContext) =>
  inputs.map(({ asset, at }) => {
    const input = inputNamed(asset, context);
    // An engine opens it as another user, who cannot follow links to what this process keeps open.
    const path = input.files[0]?.name ?? input.path;
    if (/[:\0]/.test(path)) throw sourceError(`${path} cannot be given to a container: it has a colon`);
    return { from: path, at, isReadOnly: true };
  });

const readByName = ({ inputs }: StepOf<"container">, { paths }: StepContext): ResolvedFile[] =>
  inputs
    .flatMap(({ asset }) => paths.inputs.get(asset)?.files ?? [])
    .flatMap(({ name, ...file }) => (name === undefined ? [] : [{ ...file, path: name, isByName: true }]));

/** Each output has its own folder in the attempt's folder: a container can write nowhere else. */
const outputFolders = ({ outputs }: StepOf<"container">, scratch: string) =>
  Promise.all(
    outputs.map(async ({ out, at, names }) => {
      const from = hostFolder(scratch, out);
      await mkdir(from, { recursive: true, mode: 0o700 });
      return { from, at: names === undefined ? posix.dirname(at) : at, isReadOnly: false };
    }),
  );

const hostFolder = (scratch: string, out: string): string => join(scratch, `container_${out}`);

type Taken = Required<StepOf<"container">["outputs"][number]>;

const takeFile = async ({ out, at }: Taken, context: StepContext) => {
  const { made } = outputNamed(out, context);
  const isThere = await copyMade(hostFolder(context.scratch, out), posix.basename(at), made, context.signal);
  if (!isThere) throw new TaskError("media", `The container did not create the file ${at}`);
};

/** Everything below the folder that the wildcard selects, in the same folders. */
const takeFolder = async ({ out, at, names }: Taken, context: StepContext) => {
  const { made } = outputNamed(out, context);
  const root = hostFolder(context.scratch, out);
  const isByPath = names.includes("/");
  let taken = 0;
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory()) continue;
    const below = relative(root, join(entry.parentPath, entry.name));
    if (!matchesWildcard(isByPath ? below.replaceAll(sep, "/") : entry.name, names)) continue;
    taken += 1;
    if (taken > mostFiles) throw new TaskError("resources", `The container made more than ${mostFiles} files in ${at}`);
    await mkdir(join(made, dirname(below)), { recursive: true });
    await copyMade(join(root, dirname(below)), entry.name, join(made, below), context.signal);
  }
  if (taken === 0) throw new TaskError("media", `The container created no file in ${at} that is called ${names}`);
};

/** More would make the report of an attempt too long. */
const mostFiles = 10_000;

/** False if there is none. Throws TaskError for what is no plain file of this folder. */
const copyMade = async (folder: string, name: string, to: string, signal: AbortSignal): Promise<boolean> => {
  await using file = await openMade(folder, name);
  if (!file) return false;
  const from = pathOfDescriptor(file, join(folder, name));
  await copyBytes({ from, to, signal, onPosition: () => undefined });
  return true;
};

/** How engines report that they cannot start a container. */
const ofEngine: Readonly<Record<number, string>> = { 125: "the engine could not run it", 126: "it cannot be started" };

const failed = (image: string, exitCode: number, stderr: string): TaskError => {
  const words = ofEngine[exitCode] ?? `its command ended with ${exitCode}`;
  const cause = exitCode in ofEngine ? "machine" : "media";
  return new TaskError(cause, `The container ${image}: ${words}`, { exitCode, stderr: stderr.slice(-16_000) });
};
