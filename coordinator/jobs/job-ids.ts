import { AppError } from "../../shared/basics/errors.ts";

/** The ids among these texts: ids are decimal numbers. */
export const idsIn = (texts: readonly string[]): number[] =>
  texts.filter((text) => /^\d{1,15}$/.test(text)).map(Number);

/** A job's id is a decimal number as a string; anything else is unknown. */
export const idOf = (text: string): number => {
  const [id] = idsIn([text]);
  if (id === undefined) throw new AppError("NOT_FOUND", `"${text.slice(0, 40)}" is no id: ids are decimal numbers`);
  return id;
};
