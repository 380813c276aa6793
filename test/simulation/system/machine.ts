import { here, type Life, type Owner } from "../engine/life.ts";
import type { Random } from "../engine/random.ts";
import type { Files } from "./files.ts";
import type { Program } from "./programs.ts";
import type { Door } from "./servers.ts";

/** What the replaced modules of Node find of the machine on which their caller runs. */
export type System = Owner & {
  readonly files: Files;
  readonly random: Random;
  /** Programs that can be started, by their path or name. */
  readonly programs: ReadonlyMap<string, Program>;
  /** Programs that run, by their process number. */
  readonly running: Map<number, Running>;
  /** How probably a program that makes something goes wrong, and how many times as long it takes as usual. */
  readonly programTrouble: { failures: number; pace: number };
  readonly newPid: () => number;
  /** Called when its program starts another one. */
  readonly started: (program: string, args: readonly string[]) => void;
  /** Databases on its disk, by their path. */
  readonly databases: Map<string, unknown>;
  /** How long a call about this path takes. */
  readonly callMs: (path: string | undefined, isFlush: boolean) => number;
  readonly note: (kind: string, what?: string) => void;
  /** What its program answers HTTP with; see servers.ts. */
  door?: Door | undefined;
};

export type Running = { readonly life: Life; readonly signal: (signal: string) => void; readonly began: number };

export const system = (): System => here().owner as System; // every life of the product belongs to a machine
