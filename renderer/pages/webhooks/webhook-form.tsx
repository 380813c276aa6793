import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { messageOf } from "../../../shared/basics/errors.ts";
import { type WebhookEvent, webhookEventNames } from "../../../shared/outbound/webhooks.ts";
import { request } from "../../data/client.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Field, Tick, useText } from "../../ui/controls/field.tsx";
import { Form } from "../../ui/controls/form.tsx";
import { Secrets } from "../../ui/overlays/secrets.tsx";
import { Notice } from "../../ui/text/notice.tsx";
import { eventWords } from "./event-words.ts";
import { makeWebhookSecret } from "./new-secret.ts";
import css from "./webhooks.module.css";
import { webhooksQuery } from "./webhooks-query.ts";

const usual: readonly WebhookEvent[] = ["job.completed", "job.failed", "job.stopped"];
const listOf = (text: string): string[] => text.split(/[,;\s]+/).filter(Boolean);
const namesOf = (text: string): string[] =>
  text
    .split(/[,;]/)
    .map((name) => name.trim())
    .filter(Boolean);

/** A new webhook. Its secret is made here, and shown here alone. */
export const WebhookForm = ({ onDone }: { readonly onDone: () => void }) => {
  const [name, url, tags, users] = [useText(), useText(), useText(), useText()];
  const [events, setEvents] = useState(usual);
  const [secret] = useState(makeWebhookSecret);
  const queries = useQueryClient();
  const create = useMutation({
    mutationFn: () => {
      const filters = { tags: listOf(tags.text), users: namesOf(users.text) };
      return request("createWebhook", {
        name: name.text,
        url: url.text.trim(),
        events: [...events],
        ...filters,
        secret,
      });
    },
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: webhooksQuery.queryKey });
      onDone();
    },
  });
  return (
    <Form onSend={() => create.mutate()}>
      <Field
        label={t`Name`}
        hint={t`Letters, digits, dots and dashes`}
        required
        maxLength={60}
        autoComplete="off"
        {...name.input}
      />
      <Field
        label={t`Address`}
        hint={t`It gets a POST with JSON. An address in your own network needs a rule on the page Farm`}
        type="url"
        required
        maxLength={2000}
        autoComplete="off"
        {...url.input}
      />
      <Events chosen={events} onChange={setEvents} />
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
      <p>
        <Trans>Its receiver checks signatures with this secret. Copy it now: the farm never shows it.</Trans>
      </p>
      <Secrets values={[[t`Secret`, secret]]} />
      {create.error && <Notice tone="failed">{messageOf(create.error)}</Notice>}
      <Button look="primary" type="submit" disabled={create.isPending || events.length === 0}>
        <Trans>Add the webhook</Trans>
      </Button>
    </Form>
  );
};

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
