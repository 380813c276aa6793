import type { z } from "zod";

/** What a secret prints as. */
export const dots = "••••••";

/**
 * A text that opens something: a password, a key, a token. Wherever it is printed (templates, JSON, logs, `util.inspect`)
 * it gives dots. `reveal` is the only way to the text; `test/architecture.test.ts` lists the files that may use it.
 * A class, because only a private field is hidden from everything that looks into values.
 */
export class Secret {
  readonly #text: string;
  constructor(text: string) {
    this.#text = text;
  }
  reveal(): string {
    return this.#text;
  }
  toString(): string {
    return dots;
  }
  toJSON(): string {
    return dots;
  }
  [Symbol.toPrimitive](): string {
    return dots;
  }
  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return dots;
  }
}

/** A schema of texts whose output is a secret: whatever passes a door is hidden from there on. */
export const secretOf = <T extends z.ZodType<string>>(text: T) => text.transform((value) => new Secret(value));

/** JSON with the texts of all secrets, for what is sent to whom they are meant for, or sealed at once. */
export const toRevealedJson = (value: unknown): string => {
  const shown = JSON.stringify(value);
  return shown.includes(dots) ? JSON.stringify(value, revealPart) : shown;
};

function revealPart(this: Readonly<Record<string, unknown>>, key: string, part: unknown): unknown {
  const own = this[key];
  return own instanceof Secret ? own.reveal() : part;
}
