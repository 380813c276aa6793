import { withoutSecrets } from "../../shared/credentials/secrets-of-request.ts";
import type { AlertChannel } from "../../shared/outbound/alerts.ts";
import type { Receipt } from "../../shared/outbound/delivery.ts";
import type { Jobs } from "../jobs/jobs.ts";
import { createSender, type SenderNeeds } from "../outbound/sender.ts";
import type { AlertMessageRow, AlertOutcome } from "../store/alerts.ts";
import { type NamedChannel, secretsOf } from "./channels.ts";
import { deliveryOf } from "./delivery.ts";
import { partsOf, titleOf, type Voice } from "./letter.ts";
import { afterFailure, afterSuccess, givenUp } from "./retries.ts";

export type SendingNeeds = Pick<SenderNeeds, "deliver"> & {
  readonly farm: Jobs;
  /** The address of the pages, as messages name it. */
  readonly dashboard: () => string;
};

type Message = Pick<AlertMessageRow, "id" | "made" | "content">;

/** Sends messages, and keeps what came of it. */
export const createSending = ({ farm, deliver, dashboard }: SendingNeeds) => {
  const sender = createSender({ farm, deliver });
  const { now } = farm.clock;

  /** What came of it, without what is secret in the channel. */
  const send = async (message: Message, channel: AlertChannel, voice: Voice): Promise<Receipt> => {
    if (channel.kind === "desktop") return showOnDesktops(farm, message);
    const receipt = await sender.send((rules) =>
      deliveryOf(message, channel, { dashboard: dashboard(), now: now(), rules, voice }),
    );
    return { ...receipt, answer: withoutSecrets(receipt.answer, secretsOf(channel)) };
  };

  const tell = async (row: AlertMessageRow, named: NamedChannel | undefined, voice: Voice): Promise<void> => {
    const outcome = named
      ? outcomeOf(row, await send(row, named.channel, voice), now())
      : givenUp(row.tries, now(), `There is no channel "${row.channel}" any more`);
    if (sender.isEnding()) return; // it is tried again by the next coordinator
    await farm.store.alerts.tried(row.id, outcome);
    farm.log.info({ channel: row.channel, id: row.id, state: outcome.state }, "an alert was tried");
  };

  return { send, tell, end: sender.end };
};

const outcomeOf = (row: AlertMessageRow, { isTaken, answer }: Receipt, now: number): AlertOutcome =>
  isTaken ? afterSuccess(row.tries, now, answer) : afterFailure(row, now, answer);

/** Every open page and app hears it; whoever wants it there is notified by their system. */
const showOnDesktops = ({ events }: Pick<Jobs, "events">, { id, content }: Message): Receipt => {
  const { is_test } = content;
  const said = { title: titleOf(content), parts: partsOf(content), is_test };
  events.publish({ type: "alert.told", alert_id: String(id), ...said });
  return { isTaken: true, status: null, answer: "Shown by every open page that wants it" };
};
