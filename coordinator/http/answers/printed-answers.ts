import { mapInSlices, type TimeSlice } from "../../kernel/time-slice.ts";

/** Texts of answers that were printed before: to print a large one anew, or at once, would hold up others. */
const texts = new WeakMap<object, string>();

/** From now on this very object is answered with its text. */
export const keepText = <T extends object>(answer: T, text: string): T => {
  texts.set(answer, text);
  return answer;
};

export const printAnswer = (answer: unknown): string =>
  (typeof answer === "object" && answer !== null ? texts.get(answer) : undefined) ?? JSON.stringify(answer);

/** So many characters are printed, or looked at, at once. */
export const atOnce = 200_000;

/** Prints an answer of plain values with long lists, or long texts such as logs, piece by piece, and keeps what was printed. */
export const printInPieces = async <T extends object>(timeSlice: TimeSlice, answer: T): Promise<T> =>
  keepText(answer, await print(timeSlice, answer));

const print = async (timeSlice: TimeSlice, value: unknown): Promise<string> => {
  if (typeof value === "string" && value.length > atOnce) return printText(timeSlice, value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const parts: string[] = [];
  if (Array.isArray(value)) {
    if (value.length > shortList) return `[${(await mapInSlices(timeSlice, value, printItem)).join(",")}]`;
    for (const item of value) parts.push(await print(timeSlice, item ?? null));
    return `[${parts.join(",")}]`;
  }
  for (const [key, part] of Object.entries(value))
    if (part !== undefined) parts.push(`${JSON.stringify(key)}:${await print(timeSlice, part)}`);
  return `{${parts.join(",")}}`;
};

/** Items of longer lists are small. */
const shortList = 50;

const printItem = (item: unknown): string => JSON.stringify(item ?? null);

const printText = async (timeSlice: TimeSlice, text: string): Promise<string> => {
  const pieces: string[] = [];
  for (let from = 0; from < text.length; from += atOnce)
    pieces.push(await timeSlice(() => JSON.stringify(text.slice(from, from + atOnce)).slice(1, -1)));
  return `"${pieces.join("")}"`;
};
