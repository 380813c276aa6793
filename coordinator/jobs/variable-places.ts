import { z } from "zod";
import { elementOf } from "../../media/elements/index.ts";
import { normaliseAliases } from "../../media/jobs/aliases.ts";
import { AppError } from "../../shared/basics/errors.ts";
import { holdsSecrets } from "../../shared/credentials/redact.ts";
import type { ElementSpec, JobSpec } from "../../shared/model/job.ts";
import { isInName, markOf, placesIn, type VariableValue, variableValue } from "../../shared/model/variables.ts";

/** Fills in definitions and presets without validating: a mark may stand in place of a number. */
type Fill = (received: Record<string, unknown>) => Record<string, unknown>;

/**
 * The job's elements, each with the places where it uses definitions that scripts of the job may set. The job is read
 * once more with marks in place of these definitions; a field that then contains a mark uses the definition, however
 * indirectly.
 */
export const withVariablePlaces = (received: Record<string, unknown>, spec: JobSpec, fill: Fill): JobSpec => {
  const names = [...new Set(spec.elements.flatMap(namesSetBy))];
  if (names.length === 0) return spec;
  const definitions = Object(received.definitions) as Record<string, unknown>; // whatever it is, its fields are looked at
  const defaults = Object.fromEntries(names.map((name) => [name, defaultOf(definitions, name)]));
  const marks = Object.fromEntries(names.map((name) => [name, markOf(name)]));
  const marked = filled.safeParse(normaliseAliases(fill({ ...received, definitions: { ...definitions, ...marks } })));
  const elements = spec.elements.map((element, index) =>
    placed(element, marked.data?.payload.elements[index]?.payload, defaults),
  );
  return { ...spec, elements };
};

const filled = z.object({ payload: z.object({ elements: z.array(z.object({ payload: z.unknown() })) }) });

const namesSetBy = ({ kind, payload }: ElementSpec): readonly string[] => {
  const element = elementOf(kind);
  return element?.variables?.(element.payload.parse(payload)) ?? [];
};

const defaultOf = (definitions: Record<string, unknown>, name: string): VariableValue => {
  const found = variableValue.safeParse(Object.hasOwn(definitions, name) ? definitions[name] : undefined);
  if (found.success) return found.data;
  throw refuse(`"${name}" is set by a script: it needs a text, a number or a boolean to begin with`);
};

const placed = (element: ElementSpec, marked: unknown, defaults: Record<string, VariableValue>): ElementSpec => {
  const places = placesIn(marked);
  if (places.length === 0) return element;
  if (places.some(isInName))
    throw refuse(`${element.uid}: the name of a field cannot hold a variable that a script sets`);
  if (holdsSecrets(JSON.stringify(places)) || places.some(({ path }) => holdsSecrets(`{"${path.join('":{"')}":1}`))) {
    throw refuse(`${element.uid}: what opens something cannot hold a variable that a script sets`);
  }
  return { ...element, variables: { defaults, places } };
};

const refuse = (message: string): AppError =>
  new AppError("VALIDATION_FAILED", message, { details: [{ path: "definitions", message }] });
