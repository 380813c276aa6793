/** A fault in an expression; `column` is its position, counted from 0. */
export class ExpressionError extends Error {
  readonly column: number | undefined;

  constructor(message: string, column?: number) {
    super(message);
    this.name = "ExpressionError";
    this.column = column;
  }
}

/** How much of a long expression is shown on each side of the caret. */
const sight = 40;

/** The message, the expression below it, and a caret under the column of the fault. */
export const withCaret = (text: string, { message, column }: ExpressionError): string => {
  if (column === undefined) return message;
  const plain = text.replace(/\s/g, " ");
  const from = Math.max(0, column - sight);
  const to = Math.min(plain.length, column + sight);
  const before = `${from > 0 ? "…" : ""}${plain.slice(from, column)}`;
  const shown = `${before}${plain.slice(column, to)}${to < plain.length ? "…" : ""}`;
  return `${message}\n  ${shown}\n  ${" ".repeat([...before].length)}^`;
};
