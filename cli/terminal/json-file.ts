import { readFile } from "node:fs/promises";
import { AppError, messageOf } from "../../shared/basics/errors.ts";
import type { World } from "./world.ts";

/** The JSON object in a file, or, for `-`, on standard input. Throws AppError NOT_FOUND or INVALID_JSON. */
export const readJsonObject = async (file: string, world: World): Promise<object> => {
  const name = file === "-" ? "standard input" : file;
  const text = await readText(file, world).catch((cause: unknown) => {
    throw new AppError("NOT_FOUND", `${name} cannot be read: ${messageOf(cause)}`, { cause });
  });
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, "")); // some editors write a mark first
    JSON.stringify(value); // what is too deep to be sent is read all the same
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  } catch (cause) {
    throw new AppError("INVALID_JSON", `${name} is not JSON: ${messageOf(cause)}`, { cause });
  }
  throw new AppError("INVALID_JSON", `${name} holds no JSON object`);
};

const readText = (file: string, world: World): Promise<string> =>
  file === "-" ? world.stdin() : readFile(file, "utf8");
