import { z } from "zod";
import { looseInteger } from "../basics/loose-values.ts";

/**
 * A route as data: server, typed client and documentation are generated from it. Arguments come from the query string
 * and the body (the body wins) and are one `input`; `{name}` in a path is one of `params`.
 */
export type Route<
  Path extends string = string,
  Input extends z.ZodType = z.ZodType,
  Output extends z.ZodType = z.ZodType,
> = {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Below /v1 for the API, below / for `open` routes. */
  readonly path: Path;
  /** An undocumented alternative path that some clients use. */
  readonly alias?: string;
  readonly summary: string;
  /**
   * open: no authentication · oapi: layer one only · api: both layers and the compliance header · farm: both layers ·
   * person: a person's session, which is valid only for the routes of /ui/v1.
   */
  readonly access: "open" | "oapi" | "api" | "farm" | "person";
  readonly input: Input;
  /** Its arguments contain secrets: none of them may be part of an address. */
  readonly isBodyOnly?: true;
  /** Its handler parses the arguments as sent, because the schema here is not all that it requires of them. */
  readonly readsItself?: true;
  /** Clients of this route compare `success` with the texts "true" and "false". */
  readonly saysSuccessAsText?: true;
  /** Its own headers by lower-case name, in addition to those that `access` needs. */
  readonly headers: z.ZodType<Readonly<Record<string, string | undefined>>>;
  readonly returns: Output;
};

type Extras = "alias" | "isBodyOnly" | "headers" | "readsItself" | "saysSuccessAsText";

/** A route of a table. By default it takes no arguments. Who may call it: `shared/rights/`. */
export const route = <Path extends string, Output extends z.ZodType, Input extends z.ZodType = typeof none>(
  access: Route["access"],
  method: Route["method"],
  path: Path,
  summary: string,
  { input, ...shape }: { input?: Input; returns: Output } & Partial<Pick<Route, Extras>>,
): Route<Path, Input, Output> => ({
  access,
  method,
  path,
  summary,
  headers: noHeaders,
  ...shape,
  // Where a route gives no input, Input is its default: the type of `none`.
  input: input ?? (none as z.ZodType as Input),
});

const noHeaders: Route["headers"] = z.object({});

/** The input of a route without arguments of its own. */
const none = z.looseObject({});

/** A response without content. */
export const empty = z.strictObject({});

/** A response that is a list. */
export const items = <T extends z.ZodType>(item: T) => z.strictObject({ items: z.array(item) });

/** `skip` and `take` of a page; a larger page than `most` is cut to it. */
export const paging = (usual: number, most: number) => ({
  skip: looseInteger(0).default(0),
  take: looseInteger(0)
    .default(usual)
    .transform((take) => Math.min(take, most)),
});

/** The names of a path's parameters: `{job_id}` gives "job_id". */
export type ParamsOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [K in Name]: string } & ParamsOf<Rest>
  : unknown;
