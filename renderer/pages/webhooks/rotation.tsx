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
import { webhooksQuery } from "./webhooks-query.ts";

/** A new secret, which is shown here alone; the one before signs beside it for a while. */
export const Rotation = ({ name, onDone }: { readonly name: string; readonly onDone: () => void }) => {
  const [secret] = useState(makeWebhookSecret);
  const hours = useText("24");
  const queries = useQueryClient();
  const rotate = useMutation({
    mutationFn: () => request("rotateWebhook", { name, secret, keep_hours: Number(hours.text) }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: webhooksQuery.queryKey });
      onDone();
    },
  });
  return (
    <Form onSend={() => rotate.mutate()}>
      <p>
        <Trans>Give this secret to the receiver. Copy it now: the farm never shows it.</Trans>
      </p>
      <Secrets values={[[t`Secret`, secret]]} />
      <Field
        label={t`Hours in which the old secret signs as well`}
        type="number"
        required
        min={0}
        max={168}
        step="any"
        {...hours.input}
      />
      {rotate.error && <Notice tone="failed">{messageOf(rotate.error)}</Notice>}
      <Button look="primary" type="submit" disabled={rotate.isPending}>
        <Trans>Sign with the new secret</Trans>
      </Button>
    </Form>
  );
};
