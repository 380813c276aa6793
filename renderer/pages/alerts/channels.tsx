import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { AlertChannelView } from "../../../shared/api/alerts.ts";
import { messageOf } from "../../../shared/basics/errors.ts";
import { request } from "../../data/client.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Confirm, Dialog } from "../../ui/overlays/dialog.tsx";
import { useSay } from "../../ui/overlays/toast.tsx";
import { Item, ListPanel } from "../../ui/table/list.tsx";
import { Empty } from "../../ui/text/notice.tsx";
import { Words } from "../../ui/text/words.tsx";
import { alertsQuery } from "./alerts-query.ts";
import { ChannelForm } from "./channel-form.tsx";

/** Where messages go: each can be tried. */
export const Channels = ({ channels }: { readonly channels: readonly AlertChannelView[] }) => {
  const [isOpen, setOpen] = useState(false);
  const [leaving, setLeaving] = useState<string>();
  const queries = useQueryClient();
  const say = useSay();
  const remove = useMutation({
    mutationFn: (name: string) => request("deleteAlertChannel", { name }),
    onSuccess: (view) => queries.setQueryData(alertsQuery.queryKey, view),
    onError: (problem) => say(messageOf(problem)),
  });
  return (
    <ListPanel
      title={t`Channels`}
      entries={channels}
      error={null}
      aid={
        <Button onClick={() => setOpen(true)}>
          <Trans>New channel…</Trans>
        </Button>
      }
      empty={
        <Empty title={t`Nobody is told yet.`}>
          <p>
            <Trans>A channel sends to e-mail, to a chat or program by webhook, or to the desktops of open pages.</Trans>
          </p>
        </Empty>
      }
      item={(channel) => <Channel key={channel.name} channel={channel} onRemove={() => setLeaving(channel.name)} />}
    >
      <Dialog title={t`New channel`} isOpen={isOpen} onClose={() => setOpen(false)}>
        <ChannelForm onDone={() => setOpen(false)} />
      </Dialog>
      <Confirm
        title={t`Remove the channel ${leaving ?? ""}?`}
        text={t`What it waits to tell is not told.`}
        keep={t`Keep it`}
        go={t`Remove`}
        isOpen={leaving !== undefined}
        onClose={() => setLeaving(undefined)}
        onGo={() => remove.mutate(leaving ?? "")}
      />
    </ListPanel>
  );
};

type ChannelProps = { readonly channel: AlertChannelView; readonly onRemove: () => void };

const Channel = ({ channel: { name, kind, target }, onRemove }: ChannelProps) => {
  const queries = useQueryClient();
  const say = useSay();
  const tryIt = useMutation({
    mutationFn: () => request("testAlertChannel", { name }),
    onSuccess: () => say(t`The test was sent to ${name}.`),
    onError: (problem) => say(messageOf(problem)),
    onSettled: () => queries.invalidateQueries({ queryKey: alertsQuery.queryKey }),
  });
  return (
    <Item
      name={<Words text={name} />}
      below={kindWords[kind]}
      note={<Words text={target} />}
      actions={
        <>
          <Button aria-label={t`Send a test to ${name}`} disabled={tryIt.isPending} onClick={() => tryIt.mutate()}>
            <Trans>Test</Trans>
          </Button>
          <Button aria-label={t`Remove ${name}…`} onClick={onRemove}>
            <Trans>Remove…</Trans>
          </Button>
        </>
      }
    />
  );
};

const kindWords: Readonly<Record<AlertChannelView["kind"], string>> = {
  email: t`E-mail`,
  webhook: t`Webhook`,
  desktop: t`Desktops`,
};
