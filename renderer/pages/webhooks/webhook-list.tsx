import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { WebhookView } from "../../../shared/api/webhooks.ts";
import { messageOf } from "../../../shared/basics/errors.ts";
import { request } from "../../data/client.ts";
import { useNow } from "../../data/link.ts";
import { useMay } from "../../data/session.tsx";
import { Button } from "../../ui/controls/button.tsx";
import { Confirm, Dialog } from "../../ui/overlays/dialog.tsx";
import { useSay } from "../../ui/overlays/toast.tsx";
import { Item, ListPanel } from "../../ui/table/list.tsx";
import { shortTime } from "../../ui/text/format.ts";
import { Empty, Notice } from "../../ui/text/notice.tsx";
import { Words } from "../../ui/text/words.tsx";
import { eventWords, offWords } from "./event-words.ts";
import { Rotation } from "./rotation.tsx";
import { WebhookEditor } from "./webhook-editor.tsx";
import { WebhookForm } from "./webhook-form.tsx";
import { webhooksQuery } from "./webhooks-query.ts";

/** Where events go, and whether they arrive. */
export const WebhookList = ({ webhooks }: { readonly webhooks: readonly WebhookView[] }) => {
  const isOwner = useMay("owner");
  const [isOpen, setOpen] = useState(false);
  const [editing, setEditing] = useState<WebhookView>();
  const [rotating, setRotating] = useState<string>();
  const [leaving, setLeaving] = useState<string>();
  const queries = useQueryClient();
  const say = useSay();
  const remove = useMutation({
    mutationFn: (name: string) => request("deleteWebhook", { name }),
    onError: (problem) => say(messageOf(problem)),
    onSettled: () => queries.invalidateQueries({ queryKey: webhooksQuery.queryKey }),
  });
  const add = (
    <Button onClick={() => setOpen(true)}>
      <Trans>New webhook…</Trans>
    </Button>
  );
  return (
    <ListPanel
      title={t`Webhooks`}
      entries={webhooks}
      error={null}
      aid={isOwner && add}
      empty={
        <Empty title={t`No program is told of anything yet.`}>
          <p>
            <Trans>A webhook sends what happens to jobs and nodes to an address, signed, until it arrives.</Trans>
          </p>
        </Empty>
      }
      item={(webhook) => (
        <Webhook
          key={webhook.name}
          webhook={webhook}
          onEdit={() => setEditing(webhook)}
          onRotate={() => setRotating(webhook.name)}
          onRemove={() => setLeaving(webhook.name)}
        />
      )}
    >
      <Dialog title={t`New webhook`} isOpen={isOpen} onClose={() => setOpen(false)}>
        <WebhookForm onDone={() => setOpen(false)} />
      </Dialog>
      <Dialog
        title={t`Change ${editing?.name ?? ""}`}
        isOpen={editing !== undefined}
        onClose={() => setEditing(undefined)}
      >
        {editing && <WebhookEditor key={editing.name} webhook={editing} onDone={() => setEditing(undefined)} />}
      </Dialog>
      <Dialog
        title={t`New secret of ${rotating ?? ""}`}
        isOpen={rotating !== undefined}
        onClose={() => setRotating(undefined)}
      >
        {rotating !== undefined && <Rotation name={rotating} onDone={() => setRotating(undefined)} />}
      </Dialog>
      <Confirm
        title={t`Delete the webhook ${leaving ?? ""}?`}
        text={t`What waits for it is not sent, and its messages are deleted.`}
        keep={t`Keep it`}
        go={t`Delete`}
        isOpen={leaving !== undefined}
        onClose={() => setLeaving(undefined)}
        onGo={() => leaving !== undefined && remove.mutate(leaving)}
      />
    </ListPanel>
  );
};

type WebhookProps = {
  readonly webhook: WebhookView;
  readonly onEdit: () => void;
  readonly onRotate: () => void;
  readonly onRemove: () => void;
};

const Webhook = (props: WebhookProps) => {
  const { webhook } = props;
  const { name, origin, events, tags, users, rotates_until } = webhook;
  const now = useNow();
  const filters = [...tags, ...users].join(", ");
  const trouble = troubleOf(webhook, now);
  return (
    <Item
      name={<Words text={name} />}
      below={<Words text={origin} />}
      note={countsOf(webhook)}
      actions={<Actions {...props} />}
    >
      <p>{events.map((event) => eventWords[event]).join(" · ")}</p>
      {filters !== "" && (
        <p>
          <Trans>Only of:</Trans> <Words text={filters} wraps />
        </p>
      )}
      {rotates_until !== null && (
        <p>
          <Trans>The old secret signs as well until {shortTime(rotates_until, now)}.</Trans>
        </p>
      )}
      {trouble && <Notice tone="late">{trouble}</Notice>}
    </Item>
  );
};

const countsOf = ({ counts: { waiting, delivered, given_up: lost } }: WebhookView): string =>
  [
    plural(delivered, { one: "# delivered", other: "# delivered" }),
    ...(waiting > 0 ? [plural(waiting, { one: "# waits", other: "# wait" })] : []),
    ...(lost > 0 ? [plural(lost, { one: "# given up", other: "# given up" })] : []),
  ].join(", ");

/** That it is off, or since when its receiver takes nothing. */
const troubleOf = ({ off, failing_since }: WebhookView, now: number): string | undefined =>
  [
    ...(off === null ? [] : [offWords[off]]),
    ...(failing_since === null ? [] : [t`Its receiver has taken nothing since ${shortTime(failing_since, now)}.`]),
  ].join(" ") || undefined;

const Actions = ({ webhook: { name, is_on: isOn }, onEdit, onRotate, onRemove }: WebhookProps) => {
  const isOwner = useMay("owner");
  const queries = useQueryClient();
  const say = useSay();
  const onError = (problem: Error) => say(messageOf(problem));
  const onSettled = () => queries.invalidateQueries({ queryKey: webhooksQuery.queryKey });
  const turn = useMutation({
    mutationFn: () => request("changeWebhook", { name, is_on: !isOn }),
    ...{ onError, onSettled },
  });
  const tryIt = useMutation({
    mutationFn: () => request("testWebhook", { name }),
    onSuccess: ({ state, answer }) =>
      say(state === "delivered" ? t`The test reached ${name}.` : t`The test did not reach ${name}: ${answer ?? ""}`),
    ...{ onError, onSettled },
  });
  return (
    <>
      <Button aria-label={t`Send a test to ${name}`} disabled={tryIt.isPending} onClick={() => tryIt.mutate()}>
        <Trans>Test</Trans>
      </Button>
      {isOwner && (
        <>
          <Button
            aria-label={isOn ? t`Switch off: ${name}` : t`Switch on: ${name}`}
            disabled={turn.isPending}
            onClick={() => turn.mutate()}
          >
            {isOn ? <Trans>Switch off</Trans> : <Trans>Switch on</Trans>}
          </Button>
          <Button aria-label={t`Change ${name}…`} onClick={onEdit}>
            <Trans>Change…</Trans>
          </Button>
          <Button aria-label={t`New secret of ${name}…`} onClick={onRotate}>
            <Trans>New secret…</Trans>
          </Button>
          <Button aria-label={t`Delete ${name}…`} onClick={onRemove}>
            <Trans>Delete…</Trans>
          </Button>
        </>
      )}
    </>
  );
};
