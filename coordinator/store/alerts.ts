import type { AlertContent, AlertMessageState } from "../../shared/outbound/alerts.ts";

/** A message to one channel. Times are Unix milliseconds. */
export type AlertMessageRow = {
  readonly id: number;
  readonly channel: string;
  readonly made: number;
  readonly content: AlertContent;
  readonly state: AlertMessageState;
  readonly tries: number;
  /** When to try next; null once it was told or given up. */
  readonly nextTry: number | null;
  readonly ended: number | null;
  readonly answer: string | null;
};

export type NewAlertMessage = Pick<AlertMessageRow, "channel" | "made" | "content"> & { readonly nextTry: number };
export type AlertOutcome = Pick<AlertMessageRow, "state" | "tries" | "nextTry" | "ended" | "answer">;

/** The number of messages kept; older ones that ended are deleted. */
export const mostAlertMessages = 1000;

/** What was noticed, and what is or was told of it. */
export type AlertStore = {
  /** What was noticed until now, as a text that the caller knows; undefined: nothing yet. */
  readonly state: () => Promise<string | undefined>;
  /** Both, or neither: what is noticed now (null: nothing; undefined: it stays), and the messages of it. Gives their ids. */
  readonly note: (state: string | null | undefined, messages: readonly NewAlertMessage[]) => Promise<number[]>;
  /** Messages whose next try is due, the oldest first. */
  readonly due: (now: number, most: number) => Promise<AlertMessageRow[]>;
  /** What came of a try. One that was deleted meanwhile stays deleted. */
  readonly tried: (id: number, outcome: AlertOutcome) => Promise<void>;
  /** The newest first. */
  readonly list: (take: number) => Promise<AlertMessageRow[]>;
};
