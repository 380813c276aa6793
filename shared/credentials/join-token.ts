import { z } from "zod";
import { AppError } from "../basics/errors.ts";
import { pins } from "./pin.ts";

/** What a new agent needs to find and join its farm: one line of text that people copy. */
const contents = z.strictObject({
  u: z
    .string()
    .regex(/^wss?:\/\//)
    .max(2000),
  f: z.string().min(1).max(200),
  s: z.string().min(1).max(500),
  p: pins.min(1).optional(),
  o: z
    .array(
      z
        .string()
        .regex(/^wss?:\/\//)
        .max(2000),
    )
    .min(1)
    .max(20)
    .optional(),
});

export type JoinToken = {
  /** Where the coordinator accepts agents: `ws://host:port/v1/agent`. */
  readonly url: string;
  readonly farmId: string;
  readonly secret: string;
  /** How the farm's TLS authority is known. Without pins, an encrypted connection is checked as by a browser. */
  readonly pins?: readonly string[] | undefined;
  /** Where the farm's other coordinators accept agents. */
  readonly others?: readonly string[] | undefined;
};

const prefix = "mfj1_";

export const encodeJoinToken = ({ url, farmId, secret, pins: known = [], others = [] }: JoinToken): string =>
  prefix +
  toBase64Url(
    JSON.stringify({
      ...{ u: url, f: farmId, s: secret },
      ...(known.length > 0 && { p: known }),
      ...(others.length > 0 && { o: others }),
    }),
  );

/**
 * Throws AppError for anything that is not a complete join token; the text itself is a secret and is never repeated.
 */
export const decodeJoinToken = (text: string): JoinToken => {
  const trimmed = text.trim();
  if (!trimmed.startsWith(prefix)) throw unusable(`it does not start with ${prefix}`);
  const parsed = contents.safeParse(readJson(trimmed.slice(prefix.length)));
  if (!parsed.success) throw unusable("it is damaged or cut short");
  const { u, f, s, p, o } = parsed.data;
  return { url: u, farmId: f, secret: s, ...(p && { pins: p }), ...(o && { others: o }) };
};

const unusable = (why: string): AppError =>
  new AppError("VALIDATION_FAILED", `The join token cannot be used: ${why}. Copy the whole token that the farm shows.`);

const readJson = (encoded: string): unknown => {
  try {
    return JSON.parse(fromBase64Url(encoded));
  } catch {
    return undefined; // the schema refuses undefined like any other invalid value
  }
};

const toBase64Url = (text: string): string =>
  btoa(String.fromCharCode(...new TextEncoder().encode(text)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");

const fromBase64Url = (text: string): string => {
  const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0));
  return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
};
