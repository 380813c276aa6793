import type { UiAnswer, UiArgs, UiName } from "../../shared/api/ui/ui-client.ts";
import type { Clock } from "../../shared/basics/clock.ts";
import type { Environment } from "../terminal/world.ts";
import type { Finding } from "./finding.ts";

/** Asks the farm as its owner. */
export type Ask = <N extends UiName>(
  name: N,
  args: UiArgs<N>,
  more?: { readonly signal?: AbortSignal },
) => Promise<UiAnswer<N>>;

/** A farm that runs from the data folder. */
export type RunningFarm = {
  readonly ask: Ask;
  /** The address of its pages; ends in a slash. */
  readonly url: string;
  /** The authority of its TLS certificate, PEM. */
  readonly authority: string | undefined;
};

/** What the doctor looks at, and what with. */
export type Patient = {
  /** The farm's data folder, with `coordinator` and `agent` in it. */
  readonly dataDir: string;
  /** Undefined if no farm runs from there. */
  readonly farm: RunningFarm | undefined;
  /** The address at which it was reached last; undefined if it never ran for this user. */
  readonly lastUrl: string | undefined;
  /** This program's version. */
  readonly version: string;
  readonly env: Environment;
  readonly clock: Clock;
  /** An empty folder, deleted afterwards. */
  readonly scratch: string;
};

/** One area of what is looked at. It changes nothing. */
export type Area = {
  readonly name: string;
  readonly limitMs: number;
  readonly look: (patient: Patient, signal: AbortSignal) => Promise<readonly Finding[]>;
};

/** An area that only a running farm can tell about. */
export type FarmArea = {
  readonly name: string;
  readonly limitMs: number;
  readonly ask: (patient: Patient & { readonly farm: RunningFarm }, signal: AbortSignal) => Promise<readonly Finding[]>;
};
