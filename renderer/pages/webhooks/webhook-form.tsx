import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { messageOf } from "../../../shared/basics/errors.ts";
import { request } from "../../data/client.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Field, useText } from "../../ui/controls/field.tsx";
import { Form } from "../../ui/controls/form.tsx";
import { Secrets } from "../../ui/overlays/secrets.tsx";
import { Notice } from "../../ui/text/notice.tsx";
import { makeWebhookSecret } from "./new-secret.ts";
import { ToldFields, useTold } from "./webhook-fields.tsx";
import { webhooksQuery } from "./webhooks-query.ts";

/** A new webhook. Its secret is made here, and shown here alone. */
export const WebhookForm = ({ onDone }: { readonly onDone: () => void }) => {
  const [name, url] = [useText(), useText()];
  const fields = useTold();
  const [secret] = useState(makeWebhookSecret);
  const queries = useQueryClient();
  const create = useMutation({
    mutationFn: () => request("createWebhook", { name: name.text, url: url.text.trim(), ...fields.told, secret }),
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
      <ToldFields {...fields} />
      <p>
        <Trans>Its receiver checks signatures with this secret. Copy it now: the farm never shows it.</Trans>
      </p>
      <Secrets values={[[t`Secret`, secret]]} />
      {create.error && <Notice tone="failed">{messageOf(create.error)}</Notice>}
      <Button look="primary" type="submit" disabled={create.isPending || fields.told.events.length === 0}>
        <Trans>Add the webhook</Trans>
      </Button>
    </Form>
  );
};
