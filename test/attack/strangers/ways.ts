import { uiBase } from "../../../shared/api/ui/ui-api.ts";
import { ask } from "./means.ts";
import type { World } from "./world.ts";

/** Somebody's worst: it goes on until its process ends. */
export type Kind = {
  readonly who: "stranger" | "program" | "person";
  readonly does: (world: World) => Promise<unknown>;
  /** The farm speaks TLS. */
  readonly needsTls?: true;
};

export type Kinds = Readonly<Record<string, Kind>>;

export const repeated = (count: number, make: (nr: number) => unknown): unknown[] =>
  Array.from({ length: count }, (_, nr) => make(nr));

export const jobOf = (payload: object, more: object = {}): string =>
  JSON.stringify({ name: "worst", ...more, payload });

export const submit = (world: World, amount: number, body: string) =>
  ask(world, amount, () => ({ method: "POST", path: "/v1/jobs", headers: world.program, body }));

export const read = (world: World, amount: number, path: string) =>
  ask(world, amount, () => ({ path, headers: world.program }));

export const look = (world: World, amount: number, path: string) =>
  ask(world, amount, () => ({ path: uiBase + path, headers: world.person }));

export const json = { "content-type": "application/json" };
