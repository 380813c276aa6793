import { fillPattern } from "../../../shared/files/file-pattern.ts";
import { nameOf } from "../../../shared/files/location.ts";
import { placeOf } from "../../../shared/files/place.ts";
import { capabilityError, definitionError } from "../../../shared/model/failure.ts";
import type { StepOf, Work } from "../../../shared/work/work.ts";
import { filesOf } from "../copy/compile.ts";
import type { PlanContext } from "../element.ts";
import type { DockerPayload } from "./docker-schema.ts";

type Context = PlanContext<unknown>;
type Container = StepOf<"container">;

/** Commands in containers as one step. The paths inside the container are decided here, so arguments are plain text. */
export const compileDocker = (payload: DockerPayload, context: Context): Work => {
  const work: Work = { assets: {}, outputs: {}, steps: [] };
  const places = new Map<string, string>();
  const inputs = inputsOf(payload, context, work, places);
  const outputs = outputsOf(payload, context, work, places);
  const commands = payload.commands.map((each, index) => commandOf(each, index, places, context.uid));
  const memoryBytes = Math.round(payload.memory_mb * 1024 * 1024);
  work.steps.push({
    ...{ do: "container", id: "container", commands, inputs, outputs },
    cpus: payload.cpus,
    memoryBytes,
  });
  return work;
};

/** All inputs as `{source_<version>_<component>}`, and the named outputs of other elements as a folder. */
const inputsOf = (payload: DockerPayload, context: Context, work: Work, places: Map<string, string>) => {
  const inputs: Container["inputs"] = [];
  const add = (uri: string, folder: string): string => {
    const id = String(Object.keys(work.assets).length);
    work.assets[id] = { uri };
    const at = `/in/${folder}/${plainName(nameOf(uri), id)}`;
    inputs.push({ asset: id, at });
    return at;
  };
  for (const [version, asset] of context.inputs.entries())
    for (const [component, { uri }] of filesOf(asset).entries())
      places.set(`source_${version}_${component}`, add(uri, `${version}_${component}`));
  for (const { source_reference: uid, placeholder } of payload.sources ?? []) {
    const folder = plainName(placeholder ?? uid, "source");
    for (const { uri } of (context.assetsOf?.(uid) ?? []).flatMap(filesOf)) add(uri, folder);
    places.set(placeholder ?? uid, `/in/${folder}`);
  }
  return inputs;
};

const outputsOf = (payload: DockerPayload, context: Context, work: Work, places: Map<string, string>) => {
  const { uid, inputs, source = [], job } = context;
  const [file] = (source.length > 0 ? source : inputs).flatMap(filesOf);
  const sourceName = file ? nameOf(file.uri) : "";
  return (payload.targets ?? []).map((target, index): Container["outputs"][number] => {
    const what = `${uid}.payload.payload.targets[${index}]`;
    const id = String(index);
    if (target.recursive) {
      const { placeholder = `output${index + 1}`, file_pattern: names = "*" } = target;
      const place = placeOf(target.location, undefined, `${what}.location`);
      const name = plainName(placeholder, id);
      work.outputs[id] = { version: placeholder, ...place, name, isSequence: false, isTree: true, existing: "replace" };
      places.set(placeholder, `/out/${id}`);
      return { out: id, at: `/out/${id}`, names };
    }
    if (target.file_pattern === undefined) throw definitionError(`${what}.file_pattern is missing`);
    const name = fillPattern(target.file_pattern, { sourceName, defaultExtension: "", jobId: job.id });
    const place = placeOf(target.location, undefined, `${what}.location`);
    work.outputs[id] = { version: target.placeholder ?? id, ...place, name, isSequence: false, existing: "replace" };
    const at = `/out/${id}/${plainName(name, id)}`;
    places.set(target.placeholder ?? `output${index + 1}`, at);
    return { out: id, at };
  });
};

type Command = DockerPayload["commands"][number];

const commandOf = (
  command: Command,
  index: number,
  places: Map<string, string>,
  uid: string,
): Container["commands"][number] => {
  const what = `${uid}.payload.payload.commands[${index}]`;
  const { docker_image: image, shell, entrypoint } = command;
  const { kind, access } = image.registry ?? {};
  if (kind === "hybrik") {
    const licence = image.license ? ` under the licence "${image.license}"` : "";
    throw capabilityError(`${what}: ${image.image_urn} is an image of the vendor's own${licence}`);
  }
  if (command.command !== undefined) throw capabilityError(`${what}.command is not supported: use args or shell`);
  const fill = (text: string) =>
    text.replaceAll(/\{([A-Za-z0-9_]+)\}/g, (whole, name: string) => places.get(name) ?? whole);
  const args = shell === undefined ? (command.args ?? []).map(fill) : ["-c", fill(shell)];
  const named = shell === undefined ? entrypoint : "/bin/sh";
  const name = wholeName(image.image_urn);
  const host = name.slice(0, name.indexOf("/"));
  const at = `payload/commands/${index}/docker_image/registry/access`;
  const hasAccess = access?.username !== undefined && access.password !== undefined;
  const inEnv = `payload/commands/${index}/env`;
  return {
    ...{ image: name, args, ignoresExitCode: command.ignore_exit_code ?? false },
    ...{ keepsStdout: command.preserve_stdout ?? false, keepsStderr: command.preserve_stderr ?? false },
    ...{ entrypoint: named, env: secretEnv(command.env, inEnv) },
    ...(hasAccess && {
      registry: { host, username: { secret: `${at}/username` }, password: { secret: `${at}/password` } },
    }),
  };
};

/** Every value may be a secret: the step only names them. */
const secretEnv = (env: Command["env"], at: string): Container["commands"][number]["env"] =>
  env && Object.fromEntries(Object.keys(env).map((name) => [name, { secret: `${at}/${name}` }]));

/** Names without a host belong to Docker Hub, in every engine. */
const wholeName = (image: string): string => {
  const [first = "", ...rest] = image.split("/");
  if (rest.length > 0 && /[.:]|^localhost$/.test(first)) return image;
  return rest.length > 0 ? `docker.io/${image}` : `docker.io/library/${image}`;
};

const plainName = (name: string, instead: string): string => name.replaceAll(/[/\0:\\]/g, "_") || instead;
