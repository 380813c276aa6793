import type { MailServer } from "./mail-server.ts";

/** A message of the farm itself, and how it goes out. `key` is the same for every try. */
export type Delivery = {
  readonly key: string;
  readonly way:
    | {
        readonly by: "mail";
        readonly server: MailServer;
        readonly from: string;
        readonly recipients: readonly string[];
        readonly subject: string;
        readonly body: string;
      }
    | {
        readonly by: "request";
        readonly url: string;
        readonly headers: Readonly<Record<string, string>>;
        readonly body: string;
        /** The farm's outbound rules; public addresses are always allowed. */
        readonly rules: readonly string[];
      };
};

/** What came of one try. */
export type Receipt = {
  readonly isTaken: boolean;
  /** Of the receiver's response; null: there was none, or it is a mail server. */
  readonly status: number | null;
  /** What the receiver answered, or why it did not. */
  readonly answer: string;
  /** How long the receiver asks to wait (`Retry-After` with 429 or 503), in milliseconds; absent: it did not ask. */
  readonly retryAfterMs?: number;
};

/** Tries once. It may also reject, which says why nothing was delivered. Redirects are not followed. */
export type Deliver = (delivery: Delivery, signal: AbortSignal) => Promise<Receipt>;
