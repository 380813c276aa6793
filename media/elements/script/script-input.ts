import { nameOf } from "../../../shared/files/location.ts";
import type { Asset, MediaFacts } from "../../../shared/model/asset.ts";
import { TaskError } from "../../../shared/model/failure.ts";
import type { PlanContext } from "../element.ts";
import { sourceVariables } from "../source-variables.ts";

const mostCharacters = 1_000_000;

/** A script's whole input, as JSON. docs/jobs/scripts.md and docs/jobs/script.d.ts describe it. */
export const scriptInput = (context: PlanContext<unknown>): string => {
  const { uid, job, inputs, source = [], analyses = [], failures = [] } = context;
  const files = filesFor(context);
  const input = {
    element: uid,
    job: { id: job.id, name: job.name, user_tag: job.userTag ?? null },
    source: source.flatMap(files),
    inputs: inputs.flatMap(files),
    results: analyses.map(({ uid: element, kind, results }) => ({
      element,
      kind,
      values: Object.fromEntries(Object.entries(results).map(([id, { value }]) => [id, value])),
    })),
    failures: failures.map(({ uid: element, kind, failure }) => ({
      ...{ element, kind, cause: failure?.cause ?? null, message: failure?.message ?? "" },
    })),
  };
  const text = JSON.stringify(input);
  if (text.length <= mostCharacters) return text;
  throw new TaskError(
    "resources",
    `${uid}: a script's input may have at most ${mostCharacters} characters, not ${text.length}`,
  );
};

const filesFor =
  ({ factsOf }: PlanContext<unknown>) =>
  ({ version, files }: Asset) =>
    files.map(({ uri, size, facts = factsOf(uri)?.facts }) => ({
      ...{ url: uri, name: nameOf(uri), version, size: size ?? facts?.size ?? null },
      media: facts ? mediaOf(facts) : null,
    }));

/** The names used in expressions, but `video` is a plain list, because JSON has no list with fields. */
const mediaOf = (facts: MediaFacts) => {
  const variables = sourceVariables(facts);
  return { ...variables, video: [...(variables.video as readonly unknown[])] }; // it is a list with fields
};
