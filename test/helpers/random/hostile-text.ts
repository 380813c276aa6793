import fc from "fast-check";

const strange = fc.oneof(
  fc.constantFrom(
    "",
    "\0",
    "\uFEFF",
    "\uD800",
    "-1",
    "0",
    "0/0",
    "1e999",
    "NaN",
    "-0",
    "9".repeat(400),
    "../..",
    "%zz",
  ),
  fc.constantFrom(
    "<!DOCTYPE a [<!ENTITY b 'c'>]>",
    "&b;",
    "<![CDATA[",
    "-->",
    '"',
    "\\",
    "\r",
    "#EXT-X-KEY",
    "$Number%09999999d$",
  ),
  fc.string({ unit: "binary", maxLength: 30 }),
  fc.string({ maxLength: 30 }),
);

type Edit = { readonly at: number; readonly take: number; readonly put: string; readonly times: number };
const edit: fc.Arbitrary<Edit> = fc.record({
  at: fc.nat(1_000_000),
  take: fc.oneof(fc.nat(3), fc.nat(60), fc.nat(1_000_000)),
  put: strange,
  times: fc.oneof({ weight: 9, arbitrary: fc.constant(1) }, { weight: 1, arbitrary: fc.nat(200) }),
});

/** A good text in which some places were cut out, doubled or filled with something else. */
export const damaged = (...good: readonly string[]): fc.Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom(...good), fc.array(edit, { minLength: 1, maxLength: 4 }))
    .map(([text, edits]) => edits.reduce(apply, text));

const apply = (text: string, { at, take, put, times }: Edit): string => {
  const from = text.length === 0 ? 0 : at % text.length;
  return text.slice(0, from) + put.repeat(times) + text.slice(from + take);
};
