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

/** Delivers, or throws an error that says why not. Resolves with what the receiver answered. */
export type Deliver = (delivery: Delivery, signal: AbortSignal) => Promise<string>;
