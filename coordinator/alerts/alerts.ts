import type { AlertMessage, AlertsView } from "../../shared/api/alerts.ts";
import { AppError, messageOf } from "../../shared/basics/errors.ts";
import type { AlertChannel, AlertContent, AlertSettings } from "../../shared/outbound/alerts.ts";
import type { Deliver } from "../../shared/outbound/delivery.ts";
import { isoTime } from "../iso-time.ts";
import type { Jobs } from "../jobs/jobs.ts";
import { readNetworkRules } from "../nodes/network-rules.ts";
import type { AlertMessageRow, NewAlertMessage } from "../store/alerts.ts";
import {
  type AlertConfig,
  type NamedChannel,
  noSuchChannel,
  readAlertConfig,
  removeChannel,
  viewOfChannel,
  writeAlertSettings,
  writeChannel,
} from "./channels.ts";
import { decideNotices } from "./decide.ts";
import { deliveryOf } from "./delivery.ts";
import { gather, release } from "./gather.ts";
import { titleOf } from "./letter.ts";
import { afterFailure, afterSuccess, givenUp } from "./retries.ts";
import { type SightingNeeds, sightAll } from "./sightings.ts";
import { type AlertState, alertState, nothingGathered, stateFrom } from "./state.ts";

export type AlertNeeds = Omit<SightingNeeds, "farm"> & {
  readonly farm: Jobs;
  /** Absent: this coordinator reaches nothing outside. */
  readonly deliver: Deliver | undefined;
  /** The address of the pages, as messages name it. */
  readonly dashboard: () => string;
};

export type Alerts = ReturnType<typeof createAlerts>;

const shownMessages = 50;
const sentAtOnce = 20;
const testMs = 300_000;

/** Tells people who are not looking: what happened is noticed, gathered and told, and every message is kept. */
export const createAlerts = (needs: AlertNeeds) => {
  const { farm, dashboard } = needs;
  const ending = new AbortController();
  const send = async (row: AlertMessageRow, channel: AlertChannel): Promise<string> => {
    if (channel.kind === "desktop") return showOnDesktops(farm, row);
    if (!needs.deliver) throw new Error("This coordinator sends nothing");
    const rules = await readNetworkRules(farm);
    return needs.deliver(deliveryOf(row, channel, { dashboard: dashboard(), rules }), ending.signal);
  };
  const tell = async (row: AlertMessageRow, named: NamedChannel | undefined): Promise<void> => {
    const { now } = farm.clock;
    const outcome = named
      ? await send(row, named.channel).then(
          (answer) => afterSuccess(row.tries, now(), answer),
          (problem) => afterFailure(row, now(), messageOf(problem)),
        )
      : givenUp(row.tries, now(), `There is no channel "${row.channel}" any more`);
    if (ending.signal.aborted) return; // it is tried again by the next coordinator
    await farm.store.alerts.tried(row.id, outcome);
    farm.log.info({ channel: row.channel, message: row.id, state: outcome.state }, "an alert was tried");
  };
  const view = async (): Promise<AlertsView> => {
    const [{ settings, channels }, messages] = await Promise.all([
      readAlertConfig(farm),
      farm.store.alerts.list(shownMessages),
    ]);
    return { settings, channels: channels.map(viewOfChannel), messages: messages.map(viewOfMessage) };
  };

  return {
    view,
    /** Looks at the farm, and makes messages of what is new. */
    look: async (): Promise<void> => {
      const config = await readAlertConfig(farm);
      const stored = await farm.store.alerts.state();
      if (config.channels.length === 0) {
        if (stored !== undefined) await farm.store.alerts.note(null, []);
        return;
      }
      const before = stored === undefined ? stateFrom(farm.clock.now()) : alertState.parse(JSON.parse(stored));
      const seen = await sightAll(needs, config.settings.rules, before.failed_until);
      const { state, messages } = nextState(before, seen, config, farm.clock.now());
      const text = JSON.stringify(state);
      if (text !== stored) await farm.store.alerts.note(text, messages);
    },
    /** Sends what is due. */
    deliver: async (): Promise<void> => {
      const due = await farm.store.alerts.due(farm.clock.now(), sentAtOnce);
      if (due.length === 0) return;
      const { channels } = await readAlertConfig(farm);
      await Promise.all(
        due.map((row) =>
          tell(
            row,
            channels.find(({ name }) => name === row.channel),
          ),
        ),
      );
    },
    setSettings: async (settings: AlertSettings): Promise<AlertsView> => {
      await writeAlertSettings(farm, settings);
      return view();
    },
    putChannel: async (name: string, channel: AlertChannel): Promise<AlertsView> => {
      await writeChannel(farm, name, channel);
      farm.log.info({ channel: name, kind: channel.kind }, "a channel of alerts was written");
      return view();
    },
    removeChannel: async (name: string): Promise<AlertsView> => {
      await removeChannel(farm, name);
      return view();
    },
    /** Sends a message that says that it is a test, now and once. Throws AppError with what the receiver said against it. */
    test: async (name: string): Promise<AlertsView> => {
      const named = (await readAlertConfig(farm)).channels.find((each) => each.name === name);
      if (!named) throw noSuchChannel(name);
      const made = farm.clock.now();
      const content: AlertContent = { counts: [], notices: [], is_test: true };
      // The duty that sends what is due leaves it alone for that long.
      const nextTry = made + testMs;
      const [id = 0] = await farm.store.alerts.note(undefined, [{ channel: name, made, content, nextTry }]);
      const row: AlertMessageRow = {
        ...{ id, channel: name, made, content, state: "waiting", tries: 0 },
        ...{ nextTry, ended: null, answer: null },
      };
      const outcome = await send(row, named.channel).then(
        (answer) => afterSuccess(0, farm.clock.now(), answer),
        (problem) => givenUp(1, farm.clock.now(), messageOf(problem)),
      );
      await farm.store.alerts.tried(id, outcome);
      if (outcome.state !== "told") throw new AppError("CONFLICT", `The test did not arrive: ${outcome.answer}`);
      return view();
    },
    /** Ends what is under way: it is tried again at the next start. */
    end: (): void => ending.abort(),
  };
};

/** Pure: what is known afterwards, and the messages that go out. */
export const nextState = (
  before: AlertState,
  seen: Awaited<ReturnType<typeof sightAll>>,
  { settings, channels }: AlertConfig,
  now: number,
): { readonly state: AlertState; readonly messages: readonly NewAlertMessage[] } => {
  const { open, notices } = decideNotices(before.open, seen.sightings, settings, now);
  const released = channels.map(({ name }) => {
    const gathered = gather(before.channels[name] ?? nothingGathered, notices, settings, now);
    return { name, ...release(gathered, settings, now) };
  });
  return {
    state: {
      ...{ failed_until: seen.failedUntil, open },
      channels: Object.fromEntries(released.map(({ name, left }) => [name, left])),
    },
    messages: released.flatMap(({ name, content }) =>
      content ? [{ channel: name, made: now, content, nextTry: now }] : [],
    ),
  };
};

/** Every open page and app hears it; whoever wants it there is notified by their system. */
const showOnDesktops = ({ events }: Pick<Jobs, "events">, { id, content }: AlertMessageRow): string => {
  events.publish({ type: "alert.told", alert_id: String(id), title: titleOf(content), is_test: content.is_test });
  return "Shown by every open page that wants it";
};

const viewOfMessage = ({
  id,
  channel,
  made,
  content,
  state,
  tries,
  ended,
  nextTry,
  answer,
}: AlertMessageRow): AlertMessage => ({
  ...{ id: String(id), channel, made: isoTime(made), content, title: titleOf(content), state, tries, answer },
  ended: ended === null ? null : isoTime(ended),
  next_try: nextTry === null ? null : isoTime(nextTry),
});
