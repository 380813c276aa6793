import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { messageOf } from "../../../shared/basics/errors.ts";
import { type FarmMount, mountAt } from "../../../shared/files/mounts.ts";
import { request } from "../../data/client.ts";
import { mountsQuery } from "../../data/queries.ts";
import { useMay } from "../../data/session.tsx";
import { Button } from "../../ui/controls/button.tsx";
import { Field, useText } from "../../ui/controls/field.tsx";
import { Form } from "../../ui/controls/form.tsx";
import { Dialog } from "../../ui/overlays/dialog.tsx";
import { useSay } from "../../ui/overlays/toast.tsx";
import { Item, ListPanel } from "../../ui/table/list.tsx";
import { Empty, Notice } from "../../ui/text/notice.tsx";
import { Words } from "../../ui/text/words.tsx";

/** Which folder on every node holds files with an address prefix. Running tasks keep the mounts they began with. */
export const Mounts = () => {
  const { data: mounts, error } = useQuery(mountsQuery);
  const mayChange = useMay("owner");
  const say = useSay();
  const change = useChange();
  const [isOpen, setOpen] = useState(false);
  const onError = (problem: Error) => say(messageOf(problem));
  const remove = (mount: FarmMount) => {
    const undo = () => change.mutate({ set: [mount] }, { onError });
    const onSuccess = () => say(t`${mount.prefix} is no longer mounted.`, undo);
    change.mutate({ remove: [mount.prefix] }, { onError, onSuccess });
  };
  return (
    <ListPanel
      title={t`Mounts`}
      entries={mounts}
      error={error}
      aid={
        mayChange && (
          <Button onClick={() => setOpen(true)}>
            <Trans>New mount…</Trans>
          </Button>
        )
      }
      empty={
        <Empty title={t`The farm has no mounts.`}>
          <p>
            <Trans>
              A mount says where nodes find what jobs name by an address: <code>s3://bucket</code> lies in{" "}
              <code>/mnt/bucket</code>. Nodes may have mounts of their own.
            </Trans>
          </p>
        </Empty>
      }
      item={(mount) => (
        <Item
          key={mount.prefix}
          name={<Words text={mount.prefix} />}
          note={
            <>
              {mount.folders.posix && <Words text={mount.folders.posix} wraps />}
              {mount.folders.win32 && <Words text={t`${mount.folders.win32} on Windows`} isOurs wraps />}
            </>
          }
          actions={
            mayChange && (
              <Button aria-label={t`Remove ${mount.prefix}`} onClick={() => remove(mount)}>
                <Trans>Remove</Trans>
              </Button>
            )
          }
        />
      )}
    >
      <Dialog title={t`New mount of the farm`} isOpen={isOpen} onClose={() => setOpen(false)}>
        <MountForm onDone={() => setOpen(false)} />
      </Dialog>
    </ListPanel>
  );
};

type Change = { readonly set?: FarmMount[]; readonly remove?: string[] };

/** Only the named mounts change: somebody else's change of another mount stays. */
const useChange = () => {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (change: Change) => request("changeMounts", change),
    onSuccess: ({ items }) => queries.setQueryData(mountsQuery.queryKey, items),
  });
};

const MountForm = ({ onDone }: { readonly onDone: () => void }) => {
  const prefix = useText();
  const folder = useText();
  const change = useChange();
  const send = () => change.mutate({ set: [mountAt(prefix.text.trim(), folder.text.trim())] }, { onSuccess: onDone });
  return (
    <Form onSend={send}>
      <Field
        label={t`Prefix`}
        hint={t`The beginning of addresses in jobs, such as s3://bucket`}
        required
        {...prefix.input}
      />
      <Field
        label={t`Folder`}
        hint={t`On every node: /mnt/bucket, or Z:\\bucket for those that run Windows. Jobs may read and write it`}
        required
        {...folder.input}
      />
      {change.error && <Notice tone="failed">{messageOf(change.error)}</Notice>}
      <Button look="primary" type="submit" disabled={change.isPending}>
        <Trans>Add</Trans>
      </Button>
    </Form>
  );
};
