import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { WebhookView } from "../../../shared/api/webhooks.ts";
import { messageOf } from "../../../shared/basics/errors.ts";
import { request } from "../../data/client.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Field, Tick, useText } from "../../ui/controls/field.tsx";
import { Form } from "../../ui/controls/form.tsx";
import { Notice } from "../../ui/text/notice.tsx";
import { ToldFields, useTold } from "./webhook-fields.tsx";
import { webhooksQuery } from "./webhooks-query.ts";

type Props = { readonly webhook: WebhookView; readonly onDone: () => void };

/** Changes a webhook as it was when the editor was opened. Its address is not shown, so that it stays where none is given. */
export const WebhookEditor = ({ webhook, onDone }: Props) => {
  const [before] = useState(webhook);
  const url = useText();
  const fields = useTold(before);
  const [isOn, setOn] = useState(before.is_on);
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: () =>
      request("changeWebhook", {
        name: before.name,
        ...fields.told,
        ...(url.text.trim() !== "" && { url: url.text.trim() }),
        ...(isOn !== before.is_on && { is_on: isOn }),
      }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: webhooksQuery.queryKey });
      onDone();
    },
  });
  return (
    <Form onSend={() => change.mutate()}>
      <Field
        label={t`New address`}
        hint={t`Empty: it stays at ${before.origin}`}
        type="url"
        maxLength={2000}
        autoComplete="off"
        {...url.input}
      />
      <ToldFields {...fields} />
      <Tick label={t`Send its messages`} isOn={isOn} onChange={setOn} />
      {change.error && <Notice tone="failed">{messageOf(change.error)}</Notice>}
      <Button look="primary" type="submit" disabled={change.isPending || fields.told.events.length === 0}>
        <Trans>Save the webhook</Trans>
      </Button>
    </Form>
  );
};
