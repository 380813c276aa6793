import { ExpressionError } from "./expression-error.ts";

export type Token = {
  readonly kind: "number" | "text" | "name" | "sign" | "end";
  /** The source text; for a string, its value. */
  readonly text: string;
  readonly column: number;
};

/** Longest first. No two alternatives match the same text, so none of them backtracks. */
const patterns = [
  ["space", /\s+/y],
  ["number", /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y],
  ["name", /[A-Za-z_]\w*/y],
  ["text", /"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'/y],
  ["sign", /&&|\|\||[=!<>]=|[-+*/%^<>!?:.,()[\]]/y],
] as const;

/** The tokens of an expression, the last of which is its end. Throws ExpressionError at an invalid one. */
export const tokenize = (text: string): Token[] => {
  const tokens: Token[] = [];
  for (let column = 0; column < text.length; ) {
    const [kind, found] = matchAt(text, column);
    if (kind === "text") tokens.push({ kind, text: unescaped(found.slice(1, -1)), column });
    else if (kind !== "space") tokens.push({ kind, text: found, column });
    column += found.length;
  }
  return [...tokens, { kind: "end", text: "", column: text.length }];
};

const matchAt = (text: string, column: number): readonly [(typeof patterns)[number][0], string] => {
  for (const [kind, pattern] of patterns) {
    pattern.lastIndex = column;
    const found = pattern.exec(text)?.[0];
    if (found !== undefined) return [kind, found];
  }
  throw new ExpressionError(strangerAt(text, column), column);
};

const strangerAt = (text: string, column: number): string => {
  const character = String.fromCodePoint(text.codePointAt(column) ?? 0);
  if (character === '"' || character === "'") return `this text has no closing ${character}`;
  const meant = { "=": "==", "&": "&&", "|": "||" }[character];
  return `there is no operator ${JSON.stringify(character)}${meant ? `; did you mean ${meant}?` : ""}`;
};

const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r" };
const unescaped = (text: string): string =>
  text.replace(/\\([\s\S])/g, (_, character: string) =>
    Object.hasOwn(escapes, character) ? (escapes[character] ?? "") : character,
  );
