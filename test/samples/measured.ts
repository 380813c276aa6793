import { type Fields, fieldsAt, isFields, listOf, type SampleElement } from "./samples.ts";

/** What an analysis was asked to measure, and which of it the job's result has no value for. */
export const measuredOf = ({ payload }: SampleElement, results: readonly Fields[]) => {
  const deep = fieldsAt(payload, "deep_properties");
  const found = results.map((each) => fieldsAt(each, "deep_properties"));
  const asked = [
    ...enabledIn(fieldsAt(deep, "video")).map((name) => ({ name: `video.${name}`, has: has(found, ["video", name]) })),
    ...audioOf(deep).flatMap((track, index) =>
      enabledIn(track).map((name) => ({
        name: `audio[${index}].${name}`,
        has: has(found, ["audio", String(index), name]),
      })),
    ),
    ...(fieldsAt(payload, "general_properties").enabled === true
      ? [{ name: "general_properties", has: has(results, ["general_properties"]) }]
      : []),
  ];
  const missing = asked.filter((each) => !each.has).map(({ name }) => `${name} was not measured`);
  return { measured: asked.length, missing };
};

const audioOf = (deep: Fields): readonly Fields[] =>
  Array.isArray(deep.audio) ? listOf(deep.audio) : [fieldsAt(deep, "audio")];

const enabledIn = (properties: Fields): string[] =>
  Object.entries(properties).flatMap(([name, value]) => (isFields(value) && value.enabled === true ? [name] : []));

/** Whether one of the results has values at a path. */
const has = (results: readonly Fields[], path: readonly string[]): boolean =>
  results.some((result) => {
    const value = path.reduce<unknown>((at, name) => Reflect.get(Object(at), name), result);
    return isFields(value) && Object.keys(value).length > 0;
  });

/** Everything that says of itself in a result that it is an analysis. */
export const analysesIn = (value: unknown): readonly Fields[] => {
  if (Array.isArray(value)) return value.flatMap(analysesIn);
  if (!isFields(value)) return [];
  if (value.kind === "analysis" && isFields(value.value)) return [value.value];
  return Object.values(value).flatMap(analysesIn);
};
