import { ExpressionError } from "./expression-error.ts";
import { numberOf, type Value } from "./values.ts";

type Callable = {
  /** The minimum and maximum number of arguments. */
  readonly takes: readonly [number, number];
};

type Function = Callable & {
  readonly apply: (...numbers: readonly number[]) => number;
  /** The ffmpeg form, built from printed arguments. Absent: ffmpeg has a function of the same name. */
  readonly print?: (...args: readonly string[]) => string;
};

const away = (value: number): number => Math.sign(value) * Math.round(Math.abs(value));
const many = 100;

/** Functions of numbers. A new one needs only an entry here. */
const functions: Readonly<Record<string, Function>> = {
  round: {
    takes: [1, 2],
    // Halves are rounded away from zero, as in ffmpeg.
    apply: (value = 0, decimals = 0) => away(value * 10 ** decimals) / 10 ** decimals,
    print: (value = "0", decimals) =>
      decimals === undefined ? `round(${value})` : `(round(${value}*pow(10,${decimals}))/pow(10,${decimals}))`,
  },
  floor: { takes: [1, 1], apply: (value = 0) => Math.floor(value) },
  ceil: { takes: [1, 1], apply: (value = 0) => Math.ceil(value) },
  trunc: { takes: [1, 1], apply: (value = 0) => Math.trunc(value) },
  abs: { takes: [1, 1], apply: (value = 0) => Math.abs(value) },
  sqrt: { takes: [1, 1], apply: (value = 0) => Math.sqrt(value) },
  min: { takes: [1, many], apply: (...values) => Math.min(...values), print: (...args) => nested("min", args) },
  max: { takes: [1, many], apply: (...values) => Math.max(...values), print: (...args) => nested("max", args) },
};

const nested = (name: string, args: readonly string[]): string =>
  args.reduceRight((rest, value) => `${name}(${value},${rest})`);

type Method = Callable & { readonly apply: (of: Value, ...args: readonly Value[]) => Value | undefined };

const ofText = (apply: (text: string, ...args: readonly Value[]) => Value): Method["apply"] => {
  return (of, ...args) => (typeof of === "string" ? apply(of, ...args) : undefined);
};

/** Methods of values: `value.name(…)`. */
const methods: Readonly<Record<string, Method>> = {
  size: { takes: [0, 0], apply: (of) => (typeof of === "string" || Array.isArray(of) ? of.length : undefined) },
  includes: {
    takes: [1, 1],
    apply: (of, part) => {
      if (Array.isArray(of)) return of.includes(part);
      return typeof of === "string" ? of.includes(String(part)) : undefined;
    },
  },
  startsWith: { takes: [1, 1], apply: ofText((text, part) => text.startsWith(String(part))) },
  endsWith: { takes: [1, 1], apply: ofText((text, part) => text.endsWith(String(part))) },
  toLowerCase: { takes: [0, 0], apply: ofText((text) => text.toLowerCase()) },
  toUpperCase: { takes: [0, 0], apply: ofText((text) => text.toUpperCase()) },
};

/** Throws ExpressionError for an unknown function or a wrong number of arguments. */
export const checkFunction = (name: string, count: number, column: number): void =>
  check(functions, "function", name, count, column);

/** The same for `value.name(…)`. */
export const checkMethod = (name: string, count: number, column: number): void =>
  check(methods, "method", name, count, column);

const check = (
  table: Readonly<Record<string, Callable>>,
  what: string,
  name: string,
  count: number,
  column: number,
) => {
  const known = Object.hasOwn(table, name) ? table[name] : undefined;
  if (!known) {
    const names = Object.keys(table).join(", ");
    throw new ExpressionError(`there is no ${what} ${name}; there are ${names}`, column);
  }
  const [least, most] = known.takes;
  if (count >= least && count <= most) return;
  const range = least === most ? `${least}` : most === many ? `at least ${least}` : `${least} to ${most}`;
  throw new ExpressionError(`${name} takes ${range} ${range === "1" ? "argument" : "arguments"}, not ${count}`, column);
};

export const applyFunction = (name: string, args: readonly (Value | undefined)[]): number | undefined => {
  const numbers = args.map(numberOf).filter((each) => each !== undefined);
  return numbers.length === args.length ? functions[name]?.apply(...numbers) : undefined;
};

export const applyMethod = (name: string, of: Value | undefined, args: readonly (Value | undefined)[]) => {
  const given = args.filter((each) => each !== undefined);
  return of === undefined || given.length < args.length ? undefined : methods[name]?.apply(of, ...given);
};

export const printFunction = (name: string, args: readonly string[]): string =>
  functions[name]?.print?.(...args) ?? `${name}(${args.join(",")})`;

/** Names and argument counts of all functions and methods, for the docs. */
export const callables = (): { readonly functions: readonly string[]; readonly methods: readonly string[] } => ({
  functions: Object.keys(functions),
  methods: Object.keys(methods),
});
