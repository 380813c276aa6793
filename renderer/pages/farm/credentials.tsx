import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { messageOf } from "../../../shared/basics/errors.ts";
import type { VaultHead } from "../../../shared/credentials/vault.ts";
import { request } from "../../data/client.ts";
import { useNow } from "../../data/link.ts";
import { credentialsQuery } from "../../data/queries.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Confirm, Dialog } from "../../ui/overlays/dialog.tsx";
import { useSay } from "../../ui/overlays/toast.tsx";
import { Item, ListPanel } from "../../ui/table/list.tsx";
import { shortTime } from "../../ui/text/format.ts";
import { Empty } from "../../ui/text/notice.tsx";
import { Words } from "../../ui/text/words.tsx";
import { CredentialEntry } from "./credential-entry.tsx";
import { credentialForms } from "./credential-kinds.ts";
import { Trial } from "./credential-trial.tsx";

/** Credentials for storage, by name. Secrets are never shown again. */
export const Credentials = () => {
  const { data, error } = useQuery(credentialsQuery);
  const [open, setOpen] = useState<VaultHead | "new">();
  const [leaving, setLeaving] = useState<VaultHead>();
  const remove = useRemove();
  return (
    <ListPanel
      title={t`Credentials`}
      entries={data}
      error={error}
      aid={
        <Button onClick={() => setOpen("new")}>
          <Trans>New credential…</Trans>
        </Button>
      }
      empty={
        <Empty title={t`The vault is empty.`}>
          <p>
            <Trans>
              A credential opens storage: every address below its prefix, or where a job names it as{" "}
              <code>credentials_key</code>. Its secrets are never shown again.
            </Trans>
          </p>
        </Empty>
      }
      item={(entry) => <Credential key={entry.name} entry={entry} onChange={setOpen} onDelete={setLeaving} />}
    >
      <Dialog
        title={open === "new" || !open ? t`New credential` : t`Change ${open.name}`}
        isOpen={open !== undefined}
        onClose={() => setOpen(undefined)}
      >
        {open !== undefined && (
          <CredentialEntry earlier={open === "new" ? undefined : open} onDone={() => setOpen(undefined)} />
        )}
      </Dialog>
      <Confirm
        title={t`Delete ${leaving?.name ?? ""}?`}
        text={t`Jobs that name it fail, and addresses below its prefix can no longer be opened. Its secrets are gone for good.`}
        keep={t`Keep it`}
        go={t`Delete it`}
        isOpen={leaving !== undefined}
        onClose={() => setLeaving(undefined)}
        onGo={() => leaving && remove.mutate(leaving.name)}
      />
    </ListPanel>
  );
};

type CredentialProps = {
  readonly entry: VaultHead;
  readonly onChange: (entry: VaultHead) => void;
  readonly onDelete: (entry: VaultHead) => void;
};

const Credential = ({ entry, onChange, onDelete }: CredentialProps) => (
  <Item
    name={<Words text={entry.name} />}
    below={entry.kind in credentialForms ? credentialForms[entry.kind as "s3"].word : entry.kind}
    note={<Words text={noteOf(entry, useNow())} isOurs wraps />}
    actions={
      <>
        <Button aria-label={t`Change ${entry.name}…`} onClick={() => onChange(entry)}>
          <Trans>Change…</Trans>
        </Button>
        <Button aria-label={t`Delete ${entry.name}…`} onClick={() => onDelete(entry)}>
          <Trans>Delete…</Trans>
        </Button>
      </>
    }
  >
    {entry.prefix !== undefined && <Trial what={() => ({ name: entry.name })} label={t`Test ${entry.name}`} />}
  </Item>
);

const noteOf = ({ prefix, nodes, groups, changed }: VaultHead, now: number): string =>
  [
    prefix === undefined ? t`only where a job names it` : t`opens ${prefix}`,
    ...((nodes ?? groups) === undefined ? [] : [t`on some nodes alone`]),
    t`changed ${shortTime(new Date(changed).toISOString(), now)}`,
  ].join(", ");

const useRemove = () => {
  const queries = useQueryClient();
  const say = useSay();
  return useMutation({
    mutationFn: (name: string) => request("deleteCredential", { name }),
    onSuccess: (_done, name) => {
      say(t`${name} is deleted.`);
      return queries.invalidateQueries({ queryKey: credentialsQuery.queryKey });
    },
    onError: (problem) => say(messageOf(problem)),
  });
};
