import { cut, plain, widthOf } from "./width.ts";

export type Column<Row> = {
  readonly title: string;
  readonly text: (row: Row) => string;
  readonly align?: "right";
  /** It is cut if the terminal is too narrow; the widest such column first. */
  readonly shrinks?: true;
  readonly paint?: (text: string, row: Row) => string;
};

const gap = "  ";
const leastWidth = 6;

/** Rows below titles. Columns are cut so that no line is wider than `width`, if possible. */
export const formatTable = <Row>(columns: readonly Column<Row>[], rows: readonly Row[], width: number): string => {
  const cells = rows.map((row) => columns.map((column) => plain(column.text(row))));
  const natural = columns.map(({ title }, index) =>
    Math.max(widthOf(title), ...cells.map((row) => widthOf(row[index] ?? ""))),
  );
  const widths = shrink(columns, natural, width);
  const line = (texts: readonly string[], row?: Row) =>
    columns
      .map((column, index) => {
        const text = place(texts[index] ?? "", widths[index] ?? 0, column.align, index === columns.length - 1);
        return row !== undefined && column.paint ? column.paint(text, row) : text;
      })
      .join(gap)
      .trimEnd();
  const lines = [line(columns.map(({ title }) => title)), ...rows.map((row, index) => line(cells[index] ?? [], row))];
  return `${lines.join("\n")}\n`;
};

const shrink = (columns: readonly Column<never>[], natural: readonly number[], width: number): number[] => {
  const widths = [...natural];
  const total = () => widths.reduce((sum, each) => sum + each, gap.length * (widths.length - 1));
  while (total() > width) {
    const able = columns.flatMap(({ shrinks }, index) => (shrinks && (widths[index] ?? 0) > leastWidth ? [index] : []));
    const widest = able.sort((a, b) => (widths[b] ?? 0) - (widths[a] ?? 0))[0];
    if (widest === undefined) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
};

const place = (text: string, width: number, align: "right" | undefined, isLast: boolean): string => {
  const short = isFenced(text) ? fence(cut(text.slice(1, -1), width)) : cut(text, width);
  const space = " ".repeat(Math.max(0, width - widthOf(short)));
  if (align === "right") return space + short;
  return isLast ? short : short + space;
};

const isFenced = (text: string): boolean => text.startsWith("\u2068");
const fence = (text: string): string => `\u2068${text}\u2069`;
