import { isObject } from "../../../shared/basics/plain-object.ts";

export type Path = readonly (string | number)[];
export type Plain = string | number | boolean | null;

/** A value of a job that a form can show in one field. */
export type JobField = { readonly path: Path; readonly value: Plain };

/** The fields of one part of a job: its head, one of its elements, or what stands beside them. */
export type FieldGroup = {
  readonly key: string;
  /** The element's name and kind; absent for what belongs to the whole job. */
  readonly element?: { readonly uid: string; readonly kind: string };
  readonly path: Path;
  readonly fields: readonly JobField[];
};

/** More fields make a form that nobody can use: the JSON has them all. */
export const mostFields = 400;

/** A job's plain values, grouped as people think of it: the job, then element by element. */
export const groupFields = (job: Readonly<Record<string, unknown>>): readonly FieldGroup[] => {
  const payload = isObject(job.payload) ? job.payload : undefined;
  const elements = Array.isArray(payload?.elements) ? payload.elements : [];
  const { elements: _elements, connections: _connections, ...others } = payload ?? {};
  const { payload: _payload, ...head } = job;
  const beside = leavesOf(others, ["payload"]);
  const whole = [...leavesOf(head, []), ...beside];
  return [
    { key: "job", path: [], fields: whole },
    ...elements.flatMap((element: unknown, at): FieldGroup[] => {
      if (!isObject(element)) return [];
      const path = ["payload", "elements", at];
      const named = { uid: String(element.uid ?? at), kind: String(element.kind ?? "") };
      return [{ key: `element ${at}`, element: named, path, fields: leavesOf(element, path) }];
    }),
  ];
};

const leavesOf = (value: unknown, path: Path): JobField[] => {
  if (Array.isArray(value)) return value.flatMap((each, at) => leavesOf(each, [...path, at]));
  if (isObject(value)) return Object.entries(value).flatMap(([name, each]) => leavesOf(each, [...path, name]));
  return isPlain(value) ? [{ path, value }] : [];
};

const isPlain = (value: unknown): value is Plain =>
  value === null || typeof value === "string" || typeof value === "number" || typeof value === "boolean";

/** The job with another value at a path; undefined removes the field. */
export const withValue = (job: unknown, [part, ...rest]: Path, value: unknown): unknown => {
  if (part === undefined) return value;
  if (Array.isArray(job)) return job.map((each, at) => (at === part ? withValue(each, rest, value) : each));
  const own = isObject(job) ? job : {};
  if (rest.length > 0 || value !== undefined) return { ...own, [part]: withValue(own[part], rest, value) };
  const { [part]: _gone, ...others } = own;
  return others;
};

/** "payload.elements[0].kind", as faults name places. */
export const pathText = (path: Path): string =>
  path.reduce<string>(
    (text, part) => (typeof part === "number" ? `${text}[${part}]` : text ? `${text}.${part}` : part),
    "",
  );

/** What somebody changed: undefined on the side where there is nothing. */
export type Change = { readonly path: string; readonly before: string | undefined; readonly after: string | undefined };

/** The values in which two jobs differ, in the order of the second one, then what is gone. */
export const changesBetween = (before: unknown, after: unknown, path: Path = []): readonly Change[] => {
  if (before === after) return [];
  if (isObject(before) && isObject(after)) {
    const names = [...new Set([...Object.keys(after), ...Object.keys(before)])];
    return names.flatMap((name) => changesBetween(before[name], after[name], [...path, name]));
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    const length = Math.max(before.length, after.length);
    return Array.from({ length }, (_, at) => changesBetween(before[at], after[at], [...path, at])).flat();
  }
  return [{ path: pathText(path), before: textOf(before), after: textOf(after) }];
};

const textOf = (value: unknown): string | undefined =>
  value === undefined || typeof value === "string" ? value : JSON.stringify(value);

/** What somebody typed as a value of the kind that the field had: a number stays a number where it is one. */
export const typedAs = (text: string, before: Plain): Plain => {
  if (typeof before !== "number" || text.trim() === "") return text;
  const value = Number(text);
  return Number.isFinite(value) ? value : text;
};
