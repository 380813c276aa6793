import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useState } from "react";
import type { WebhookView } from "../../../shared/api/webhooks.ts";
import { type WebhookEvent, webhookEventNames } from "../../../shared/outbound/webhooks.ts";
import { Field, Tick, useText } from "../../ui/controls/field.tsx";
import { eventWords } from "./event-words.ts";
import css from "./webhooks.module.css";

const usual: readonly WebhookEvent[] = ["job.completed", "job.failed", "job.stopped"];
const wordsOf = (text: string): string[] => text.split(/[,;\s]+/).filter(Boolean);
const namesOf = (text: string): string[] =>
  text
    .split(/[,;]/)
    .map((name) => name.trim())
    .filter(Boolean);

type Told = Pick<WebhookView, "events" | "tags" | "users">;

/** What a webhook is told of, as a form holds it; at first what it is told of now. */
export const useTold = (now: Told = { events: [...usual], tags: [], users: [] }) => {
  const [tags, users] = [useText(now.tags.join(", ")), useText(now.users.join(", "))];
  const [events, setEvents] = useState<readonly WebhookEvent[]>(now.events);
  // A tag with a blank in it, which a program gave, stays whole where nobody edits it.
  const isAsNow = (text: string, before: readonly string[]) => text === before.join(", ");
  const told: Told = {
    events: [...events],
    tags: isAsNow(tags.text, now.tags) ? now.tags : wordsOf(tags.text),
    users: isAsNow(users.text, now.users) ? now.users : namesOf(users.text),
  };
  return { told, tags, users, setEvents };
};

/** Its events, and whose of them. */
export const ToldFields = ({ told, tags, users, setEvents }: ReturnType<typeof useTold>) => (
  <>
    <Events chosen={told.events} onChange={setEvents} />
    <Field
      label={t`Only with these tags`}
      hint={t`User tags of jobs, or tags of nodes, separated by commas; empty: all`}
      maxLength={2000}
      autoComplete="off"
      {...tags.input}
    />
    <Field
      label={t`Only jobs of these users`}
      hint={t`Names of people and API users, separated by commas; empty: everybody's`}
      maxLength={2000}
      autoComplete="off"
      {...users.input}
    />
  </>
);

type EventsProps = {
  readonly chosen: readonly WebhookEvent[];
  readonly onChange: (chosen: readonly WebhookEvent[]) => void;
};

const Events = ({ chosen, onChange }: EventsProps) => (
  <fieldset className={css.events}>
    <legend>
      <Trans>Events</Trans>
    </legend>
    {webhookEventNames.map((event) => (
      <Tick
        key={event}
        label={eventWords[event]}
        isOn={chosen.includes(event)}
        onChange={(isOn) =>
          onChange(webhookEventNames.filter((each) => (each === event ? isOn : chosen.includes(each))))
        }
      />
    ))}
  </fieldset>
);
