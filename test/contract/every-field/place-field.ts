import { real, type Step, smallest } from "./schema-fields.ts";

type Json = Record<string, unknown>;
type Holder = { readonly holder: Json; readonly key: string } | { readonly holder: unknown[]; readonly key: number };

/** What stands in an object so that its fields mean something, by the end of its name. Several: each is tried. */
export type Starters = readonly (readonly [end: RegExp, objects: readonly Json[]])[];

export type Placed = { readonly payload: Json; readonly path: string };

/**
 * The payload with the value at the field, and the field's path as messages name it; undefined where the payload has
 * another variant in its place. What must stand around it is added: of several starters of its object, the one of this
 * number.
 */
export const placeField = (
  payload: object,
  steps: readonly Step[],
  value: unknown,
  { starters, choice }: { readonly starters: Starters; readonly choice: number },
): Placed | undefined => {
  const root = { payload: structuredClone(payload) as Json }; // a payload is an object
  let at: At = { holder: root, key: "payload", path: "", name: "" };
  const chosen = nearestChoice(steps, starters);
  for (const [index, step] of steps.entries()) {
    const number = index === chosen?.index ? choice : 0;
    const name = `${at.name}${partOf(step)}`;
    const starter = { objects: startersOf(starters, name)[number] ?? {}, wins: number > 0 };
    const next = entered({ ...at, name }, { step, next: steps[index + 1], starter });
    if (!next) return undefined;
    at = next;
  }
  if (value === undefined) Reflect.deleteProperty(at.holder, at.key);
  else set(at, value);
  return { payload: root.payload, path: at.path.slice(1) };
};

type At = Holder & { readonly path: string; readonly name: string };
type Starter = { readonly objects: Json; readonly wins: boolean };
type Entry = { readonly step: Step; readonly next: Step | undefined; readonly starter: Starter };

/** The place that a step leads to, with what must stand there. */
const entered = (at: At, { step, next, starter }: Entry): At | undefined => {
  const inside = contentOf(at, step);
  if (step.to === "variant") {
    if (!isObject(inside) || (inside[step.by] !== undefined && inside[step.by] !== step.value)) return undefined;
    begin(inside, step, starter);
    inside[step.by] = step.value;
    return at;
  }
  if (step.to === "item") return Array.isArray(inside) ? enteredItem(at, inside, { step, next, starter }) : undefined;
  if (!isObject(inside)) return undefined;
  if (next?.to === "key") {
    const held = inside[step.key];
    if (!isObject(Array.isArray(held) ? held[0] : held)) inside[step.key] = {};
    begin(inside[step.key], step, starter);
  }
  return { holder: inside, key: step.key, path: `${at.path}.${step.key}`, name: at.name };
};

const enteredItem = ({ path, name }: At, items: unknown[], { step, next, starter }: Entry): At => {
  const key = next?.to === "variant" ? placeOf(items, next) : 0;
  if (!isObject(items[key]) && next !== undefined && next.to !== "item") items[key] = {};
  if (next?.to !== "variant") begin(items[key], step, starter);
  return { holder: items, key, path: `${path}[${key}]`, name };
};

const partOf = (step: Step): string =>
  step.to === "item" ? "[]" : step.to === "variant" ? `(${step.value})` : `.${step.key}`;

/** How many starters there are to choose from around the field. */
export const choicesFor = (steps: readonly Step[], starters: Starters): number =>
  nearestChoice(steps, starters)?.choices ?? 1;

/** The innermost object around the field that has several starters. */
const nearestChoice = (steps: readonly Step[], starters: Starters) => {
  let name = "";
  const all = steps.slice(0, -1).map((step, index) => {
    name += partOf(step);
    return { index, choices: startersOf(starters, name).length };
  });
  return all.findLast(({ choices }) => choices > 1);
};

const placeOf = (items: readonly unknown[], { by, value }: Extract<Step, { to: "variant" }>): number => {
  const found = items.findIndex((each) => isObject(each) && each[by] === value);
  return found === -1 ? items.length : found;
};

const startersOf = (starters: Starters, name: string): readonly Json[] =>
  starters.find(([end]) => end.test(name))?.[1] ?? [];

/** What the schema needs, what the starter says, and what is there already, which usually wins. */
const begin = (holder: unknown, { schema }: Step, { objects, wins }: Starter): void => {
  const one = Array.isArray(holder) ? holder[0] : holder;
  if (!isObject(one)) return;
  const needed = real(schema).def.type === "object" ? (smallest(schema) as Json) : {}; // of an object's schema
  const first = structuredClone(objects);
  Object.assign(one, wins ? { ...needed, ...one, ...first } : { ...needed, ...first, ...one });
};

/** What stands at a place, made where there is nothing or something of another form. */
const contentOf = (at: Holder, step: Step): unknown => {
  const found = get(at);
  if (step.to === "item") {
    if (Array.isArray(found)) return found;
    set(at, isObject(found) ? [found] : []);
  } else if (Array.isArray(found)) {
    return found[0];
  } else if (!isObject(found)) {
    set(at, {});
  }
  return get(at);
};

const get = ({ holder, key }: Holder): unknown => Reflect.get(holder, key);
const set = ({ holder, key }: Holder, value: unknown): void => void Reflect.set(holder, key, value);

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);
