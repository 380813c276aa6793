import type { Performer } from "./step.ts";

export const performJavascript: Performer<"javascript"> = async (step, { services, signal, log, keepResult }) => {
  const { id, code, input, timeoutMs, memoryBytes } = step;
  const outcome = await services.runScript({ code, input, timeoutMs, memoryBytes, signal });
  for (const line of outcome.log) log.line(line);
  for (const [name, value] of Object.entries(outcome.variables)) log.line(`${name} = ${JSON.stringify(value)}`);
  keepResult(id, { kind: "script", value: outcome });
  return undefined;
};
