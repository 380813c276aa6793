import type { AlertMessage, AlertsView } from "../../shared/api/alerts.ts";
import { AppError } from "../../shared/basics/errors.ts";
import type { AlertChannel, AlertContent, AlertSettings } from "../../shared/outbound/alerts.ts";
import { isoTime } from "../iso-time.ts";
import type { Jobs } from "../jobs/jobs.ts";
import type { AlertMessageRow, NewAlertMessage } from "../store/alerts.ts";
import {
  type AlertConfig,
  noSuchChannel,
  readAlertConfig,
  removeChannel,
  viewOfChannel,
  writeAlertSettings,
  writeChannel,
} from "./channels.ts";
import { decideNotices } from "./decide.ts";
import { gather, release } from "./gather.ts";
import { titleOf } from "./letter.ts";
import { afterSuccess, givenUp } from "./retries.ts";
import { createSending, type SendingNeeds } from "./sending.ts";
import { type SightingNeeds, sightAll } from "./sightings.ts";
import { type AlertState, alertState, nothingGathered, stateFrom } from "./state.ts";

export type AlertNeeds = Omit<SightingNeeds, "farm"> & SendingNeeds;

export type Alerts = ReturnType<typeof createAlerts>;

const shownMessages = 50;
const sentAtOnce = 20;
const testMs = 300_000;

/** Tells people who are not looking: what happened is noticed, gathered and told, and every message is kept. */
export const createAlerts = (needs: AlertNeeds) => {
  const { farm } = needs;
  const { send, tell, end } = createSending(needs);
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
      const { channels, settings } = await readAlertConfig(farm);
      await Promise.all(
        due.map((row) =>
          tell(
            row,
            channels.find(({ name }) => name === row.channel),
            settings,
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
      await tryChannel({ farm, send }, name);
      return view();
    },
    /** Ends what is under way: it is tried again at the next start. */
    end,
  };
};

const tryChannel = async (
  { farm, send }: { readonly farm: Jobs } & Pick<ReturnType<typeof createSending>, "send">,
  name: string,
): Promise<void> => {
  const { channels, settings } = await readAlertConfig(farm);
  const named = channels.find((each) => each.name === name);
  if (!named) throw noSuchChannel(name);
  const made = farm.clock.now();
  const content: AlertContent = { counts: [], notices: [], is_test: true };
  // The duty that sends what is due leaves it alone for that long.
  const nextTry = made + testMs;
  const [id = 0] = await farm.store.alerts.note(undefined, [{ channel: name, made, content, nextTry }]);
  const row = { id, channel: name, made, content };
  const { isTaken, answer } = await send(row, named.channel, settings);
  const outcome = isTaken ? afterSuccess(0, farm.clock.now(), answer) : givenUp(1, farm.clock.now(), answer);
  await farm.store.alerts.tried(id, outcome);
  if (outcome.state !== "told") throw new AppError("CONFLICT", `The test did not arrive: ${outcome.answer}`);
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
