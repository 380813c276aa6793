/** The precedence of each binary operator; a higher number binds tighter. */
export const binaryLevels = {
  "||": 1,
  "&&": 2,
  "==": 3,
  "!=": 3,
  "<": 4,
  "<=": 4,
  ">": 4,
  ">=": 4,
  "+": 5,
  "-": 5,
  "*": 6,
  "/": 6,
  "%": 6,
  // Unary operators bind between these two: -2 ^ 2 is -4.
  "^": 7,
} as const;
export type BinaryOperator = keyof typeof binaryLevels;

export const unaryOperators = ["-", "+", "!"] as const;
export type UnaryOperator = (typeof unaryOperators)[number];

const comparisons: readonly string[] = ["==", "!=", "<", "<=", ">", ">="];

export const isBinary = (text: string): text is BinaryOperator => Object.hasOwn(binaryLevels, text);
export const isComparison = (text: string): boolean => comparisons.includes(text);
export const isUnary = (text: string): text is UnaryOperator => unaryOperators.some((each) => each === text);
