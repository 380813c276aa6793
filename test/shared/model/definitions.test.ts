import { describe, expect, test } from "vitest";
import { AppError } from "../../../shared/basics/errors.ts";
import { resolveDefinitions } from "../../../shared/model/definitions.ts";

/** What becomes of one value under these definitions. */
const filled = (value: unknown, definitions: Record<string, unknown>): unknown =>
  resolveDefinitions({ value, definitions }).value;

const refusal = (value: unknown, definitions: unknown): string => {
  try {
    resolveDefinitions({ value, definitions });
  } catch (problem) {
    expect(problem).toBeInstanceOf(AppError);
    return (problem as AppError).message;
  }
  throw new Error("it was not refused");
};

test("a name in a text is replaced by its value", () => {
  expect(filled("{{root}}/in.mov", { root: "/media" })).toBe("/media/in.mov");
});

test("every occurrence is replaced, in arrays and objects too", () => {
  expect(filled({ a: ["{{x}}-{{x}}"], b: { c: "{{x}}" } }, { x: "1" })).toEqual({ a: ["1-1"], b: { c: "1" } });
});

test("names of fields are filled in like values", () => {
  const definitions = { which: "audio", n: 2, same: "a" };
  expect(filled({ "{{which}}_{{n}}": [{ "{{n}}": "{{which}}" }] }, definitions)).toEqual({ audio_2: [{ 2: "audio" }] });
  expect(refusal({ a: 1, "{{same}}": 2 }, definitions)).toBe(
    '"{{same}}" becomes "a", and the object already has a field of that name',
  );
});

test.each([
  ["an object", { a: 1 }],
  ["null", null],
  ["$inherits", "$inherits"],
  ["__proto__", "__proto__"],
])("%s is no name of a field", (_, value) => {
  expect(refusal({ "{{x}}": 1 }, { x: value })).toMatch(
    /^"\{\{x\}\}" stands for the name of a field, and .* cannot be one$/,
  );
});

test("the innermost of nested names is replaced first", () => {
  expect(filled("{{path_{{where}}}}", { where: "home", path_home: "/home" })).toBe("/home");
});

test("definitions may name each other", () => {
  expect(filled("{{file}}", { file: "{{folder}}/a", folder: "{{root}}/x", root: "" })).toBe("/x/a");
});

test.each([
  ["a number", 7],
  ["a boolean", false],
  ["null", null],
  ["an object", { codec: "h264" }],
  ["a list", [1, 2]],
])("a whole text that is a name becomes %s", (_, value) => {
  expect(filled("{{it}}", { it: value })).toEqual(value);
});

test("a number or an object within a text is written out", () => {
  expect(filled("n={{n}} o={{o}} null={{z}}", { n: 7, o: { a: 1 }, z: null })).toBe('n=7 o={"a":1} null=null');
});

test("the name may be put together from values that are numbers", () => {
  expect(filled("{{v{{n}}}}", { n: 2, v2: { a: 1 } })).toEqual({ a: 1 });
});

describe("$inherits", () => {
  const definitions = { base: { a: 1, b: { deep: true } }, which: "base" };

  test.each(["base", "{{base}}", "{{which}}"])("%s brings the contents of the object", (name) => {
    expect(filled({ $inherits: name }, definitions)).toEqual(definitions.base);
  });

  test("fields that stand beside it win and complement", () => {
    expect(filled({ b: 2, $inherits: "base", c: 3 }, definitions)).toEqual({ a: 1, b: 2, c: 3 });
  });

  test("an inherited object may inherit", () => {
    expect(filled({ $inherits: "child" }, { ...definitions, child: { $inherits: "base", a: 9 } })).toEqual({
      a: 9,
      b: { deep: true },
    });
  });

  test("a name is put together before it is looked up", () => {
    expect(filled({ $inherits: "{{p}}se" }, { p: "ba", base: { a: 1 } })).toEqual({ a: 1 });
  });

  test("what is no object is refused", () => {
    expect(refusal({ $inherits: "which" }, { which: "base" })).toBe(
      '"$inherits" must name an object, and "which" is none',
    );
    expect(refusal({ $inherits: ["base"] }, definitions)).toContain("must name an object");
    expect(refusal({ $inherits: "gone" }, {})).toBe('"{{gone}}" is used, but definitions has no "gone"');
  });
});

test.each([
  ["{single}", "{single}"],
  ["{{ spaced }}", "{{ spaced }}"],
  ["{{a b}}", "{{a b}}"],
  ["{{}}", "{{}}"],
  ["{{{x}}}", "{1}"],
  ["{{x", "{{x"],
  ["%{{x}}", "%1"],
])("other braces are literal: %s", (text, expected) => {
  expect(filled(text, { x: "1" })).toBe(expected);
});

test("a value is put in as it is, whatever replacement patterns it looks like", () => {
  expect(filled("<{{x}}>", { x: "$& $1 $$" })).toBe("<$& $1 $$>");
});

test("a name that is not defined is refused by its name", () => {
  expect(refusal("{{gone}}", {})).toBe('"{{gone}}" is used, but definitions has no "gone"');
  expect(() => resolveDefinitions({ value: "{{gone}}" })).toThrow(AppError);
});

test("a name that is nearly defined is refused with the one that was probably meant", () => {
  expect(refusal("{{foldr}}", { folder: "/a" })).toBe(
    '"{{foldr}}" is used, but definitions has no "foldr"; did you mean {{folder}}?',
  );
});

test("a cycle is refused with its names", () => {
  expect(refusal("{{a}}", { a: "x{{b}}", b: { c: "{{a}}" } })).toBe("definitions go in a circle: a -> b -> a");
});

test("definitions that nobody uses are not looked at", () => {
  expect(filled("x", { a: "{{gone}}", b: "{{b}}" })).toBe("x");
});

test.each([[null], [[]], ["text"], [7]])("definitions that are %j are refused", (definitions) => {
  expect(refusal("x", definitions)).toBe("definitions must be an object");
});

test("what was received is not changed, and its definitions stay", () => {
  const job = { name: "{{n}}", definitions: { n: "x" } };
  expect(resolveDefinitions(job)).toEqual({ name: "x", definitions: { n: "x" } });
  expect(job).toEqual({ name: "{{n}}", definitions: { n: "x" } });
});

describe("bounds", () => {
  const doubling = (leaf: unknown, pair: (name: string) => unknown) =>
    Object.fromEntries([...Array(60).keys()].map((n) => [`d${n}`, n === 59 ? leaf : pair(`{{d${n + 1}}}`)]));

  test.each([
    ["texts", doubling("x", (name) => name + name)],
    ["objects", doubling(1, (name) => ({ a: name, b: name }))],
    ["lists", doubling([], (name) => [name, name])],
  ])("%s that double at each step are refused at once", (_, definitions) => {
    expect(refusal("{{d0}}", definitions)).toBe("definitions expand to more than 1000000 characters");
  });

  test("a long text is not looked through again and again for names in names", () => {
    const nested = `${"x".repeat(200_000)}${"{{a".repeat(50)}b${"}}".repeat(50)}`;
    expect(refusal(nested, { ab: "b" })).toBe("definitions expand to more than 1000000 characters");
  });

  test("empty texts that double at each step are worked out once each", () => {
    expect(
      filled(
        "{{d0}}",
        doubling("", (name) => name + name),
      ),
    ).toBe("");
  });

  test("a text of very many names is filled in quickly", () => {
    const text = filled("{{x}}".repeat(200_000), { x: "ab" });
    expect(text).toBe("ab".repeat(200_000));
  });

  test("values whose braces build new names come to an end", () => {
    expect(refusal("{{v{{v}}", { v: "}}}}{{v{{v" })).toMatch(/expand to more|levels deep/);
  });

  test("a job that is nested too deep is refused, with and without definitions", () => {
    const nested = (depth: number): unknown => (depth === 0 ? "x" : [nested(depth - 1)]);
    expect(refusal(nested(200), {})).toBe("the job is nested deeper than 100 levels");
    expect(refusal([["{{a}}"]], { a: nested(98) })).toBe("the job is nested deeper than 100 levels");
    expect(filled(nested(98), {})).toEqual(nested(98));
    expect(filled([["{{a}}"]], { a: nested(90) })).toEqual(nested(92));
  });

  test("a long chain of definitions is refused", () => {
    const chain = Object.fromEntries([...Array(5000).keys()].map((n) => [`d${n}`, `{{d${n + 1}}}`]));
    expect(refusal("{{d0}}", chain)).toContain("chain longer than 100");
  });
});

test("the names of every object's own methods are no definitions", () => {
  expect(refusal("{{constructor}}", {})).toBe('"{{constructor}}" is used, but definitions has no "constructor"');
  expect(refusal("{{__proto__}}", {})).toBe('"{{__proto__}}" is used, but definitions has no "__proto__"');
});

test("__proto__ as a field is a field and changes no prototype", () => {
  const result = filled({ $inherits: "base", a: 1 }, JSON.parse('{"base":{"__proto__":{"polluted":true}}}'));
  expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
  expect("polluted" in Object(result)).toBe(false);
  expect("polluted" in {}).toBe(false);
});
