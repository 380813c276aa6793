import type { Work } from "../../../shared/work/work.ts";
import { defineElement, type Plan, type PlanContext } from "../element.ts";
import { compileDocker } from "./docker.ts";
import type { DockerPayload } from "./docker-schema.ts";
import type { JavascriptPayload } from "./javascript-schema.ts";
import { modificationsOf, uidsIn } from "./modifiers.ts";
import { type ScriptPayload, scriptPayload } from "./schema.ts";
import { scriptInput } from "./script-input.ts";

export const script = defineElement({
  kind: "script",
  title: "Script",
  effort: 1,
  payload: scriptPayload,
  /** A container without outputs only examines its inputs. */
  passesInputs: ({ kind, payload }) => kind !== "docker" || (payload.targets ?? []).length === 0,
  modifies: modificationsOf,
  uidsIn,
  variables: ({ kind, payload }) => (kind === "javascript" ? payload.variables : []),
  plan: (context) => planScript(context),
  compile: (_task, context) => compileScript(context),
});

const planScript = ({ uid, payload, inputs }: PlanContext<ScriptPayload>): Plan<null> => {
  // Its targets' plans read the changes from its payload, so there is nothing to run.
  if (payload.kind === "job_modifier") return { tasks: [], assets: inputs };
  if (payload.kind === "docker") {
    const { cpus: cores, memory_mb } = payload.payload;
    const demand = { cores, memory: memory_mb * 1024 * 1024 };
    return {
      tasks: [{ uid, name: uid, requires: dockerNeeds(payload.payload), weight: "full", demand, detail: null }],
    };
  }
  const memory = payload.payload.memory_mb * 1024 * 1024;
  return { tasks: [{ uid, name: uid, requires: ["javascript"], weight: "light", demand: { memory }, detail: null }] };
};

/** Only agents that declare the others know secrets in the environment, and outputs that are folders. */
const dockerNeeds = ({ commands, targets = [] }: DockerPayload): string[] => {
  const hasEnv = commands.some(({ env = {} }) => Object.keys(env).length > 0);
  const hasFolders = targets.some(({ recursive }) => recursive);
  return ["container", ...(hasEnv ? ["container:secret-env"] : []), ...(hasFolders ? ["container:folders"] : [])];
};

const compileScript = (context: PlanContext<ScriptPayload>): Work => {
  const { payload } = context;
  if (payload.kind === "docker") return compileDocker(payload.payload, context);
  if (payload.kind !== "javascript") throw new Error(`a script of kind ${payload.kind} plans no tasks`);
  return { assets: {}, outputs: {}, steps: [javascriptStep(payload.payload, context)] };
};

const javascriptStep = (payload: JavascriptPayload, context: PlanContext<unknown>): Work["steps"][number] => ({
  ...{ do: "javascript", id: "script", code: payload.code, input: scriptInput(context) },
  variables: payload.variables,
  timeoutMs: Math.round(payload.timeout_sec * 1000),
  memoryBytes: Math.round(payload.memory_mb * 1024 * 1024),
});
