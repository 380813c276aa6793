import { messageOf } from "../../shared/basics/errors.ts";
import type { AlertChannel } from "../../shared/outbound/alerts.ts";
import type { Deliver } from "../../shared/outbound/delivery.ts";
import type { Jobs } from "../jobs/jobs.ts";
import { readNetworkRules } from "../nodes/network-rules.ts";
import type { AlertMessageRow } from "../store/alerts.ts";
import { type NamedChannel, withoutSecrets } from "./channels.ts";
import { deliveryOf } from "./delivery.ts";
import { titleOf } from "./letter.ts";
import { afterFailure, afterSuccess, givenUp } from "./retries.ts";

export type SendingNeeds = {
  readonly farm: Jobs;
  /** Absent: this coordinator reaches nothing outside. */
  readonly deliver: Deliver | undefined;
  /** The address of the pages, as messages name it. */
  readonly dashboard: () => string;
};

type Message = Pick<AlertMessageRow, "id" | "made" | "content">;

/** Sends messages, and keeps what came of it. */
export const createSending = ({ farm, deliver, dashboard }: SendingNeeds) => {
  const ending = new AbortController();
  const { now } = farm.clock;

  /** What the receiver answered. Throws an error that says why it was not told. */
  const send = async (message: Message, channel: AlertChannel): Promise<string> => {
    if (channel.kind === "desktop") return showOnDesktops(farm, message);
    if (!deliver) throw new Error("This coordinator sends nothing");
    const rules = await readNetworkRules(farm);
    return deliver(deliveryOf(message, channel, { dashboard: dashboard(), rules }), ending.signal);
  };

  const tell = async (row: AlertMessageRow, named: NamedChannel | undefined): Promise<void> => {
    const outcome = named
      ? await send(row, named.channel).then(
          (answer) => afterSuccess(row.tries, now(), withoutSecrets(named.channel, answer)),
          (problem) => afterFailure(row, now(), withoutSecrets(named.channel, messageOf(problem))),
        )
      : givenUp(row.tries, now(), `There is no channel "${row.channel}" any more`);
    if (ending.signal.aborted) return; // it is tried again by the next coordinator
    await farm.store.alerts.tried(row.id, outcome);
    farm.log.info({ channel: row.channel, message: row.id, state: outcome.state }, "an alert was tried");
  };

  return {
    send,
    tell,
    end: (): void => ending.abort(),
  };
};

/** Every open page and app hears it; whoever wants it there is notified by their system. */
const showOnDesktops = ({ events }: Pick<Jobs, "events">, { id, content }: Message): string => {
  events.publish({ type: "alert.told", alert_id: String(id), title: titleOf(content), is_test: content.is_test });
  return "Shown by every open page that wants it";
};
