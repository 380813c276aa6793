import { definitionError } from "../../../shared/model/failure.ts";
import type { Performer } from "../step.ts";

export const performJavascript: Performer<"javascript"> = async (step, { services, signal, log, keepResult }) => {
  const { id, code, input, timeoutMs, memoryBytes } = step;
  const outcome = await services.runScript({ code, input, timeoutMs, memoryBytes, signal });
  const stranger = Object.keys(outcome.variables).find((name) => !step.variables.includes(name));
  if (stranger !== undefined) {
    throw definitionError(`The script sets "${stranger}", which is not in its variables`);
  }
  for (const line of outcome.log) log.line(line);
  for (const [name, value] of Object.entries(outcome.variables)) log.line(`${name} = ${JSON.stringify(value)}`);
  keepResult(id, { kind: "script", value: outcome });
};
