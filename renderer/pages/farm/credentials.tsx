import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { messageOf } from "../../../shared/errors.ts";
import type { VaultHead } from "../../../shared/vault.ts";
import { request } from "../../data/client.ts";
import { useNow } from "../../data/link.ts";
import { credentialsQuery } from "../../data/queries.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm, Dialog } from "../../ui/dialog.tsx";
import { shortTime } from "../../ui/format.ts";
import { Item, ListPanel } from "../../ui/list.tsx";
import { Empty } from "../../ui/notice.tsx";
import { useSay } from "../../ui/toast.tsx";
import { Words } from "../../ui/words.tsx";
import { CredentialEntry } from "./credential-entry.tsx";
import { credentialForms } from "./credential-kinds.ts";
import { Trial } from "./credential-trial.tsx";

/** Credentials for storage, by name. Secrets are never shown again. */
export const Credentials = () => {
  const { data, error } = useQuery(credentialsQuery);
  const [open, setOpen] = useState<VaultHead | "new">();
  const [leaving, setLeaving] = useState<VaultHead>();
  const now = useNow();
  const remove = useRemove();
  return (
    <ListPanel
      title="Credentials"
      entries={data}
      error={error}
      aid={<Button onClick={() => setOpen("new")}>New credential…</Button>}
      empty={
        <Empty title="The vault is empty.">
          <p>
            A credential opens storage: every address below its prefix, or where a job names it as{" "}
            <code>credentials_key</code>. Its secrets are never shown again.
          </p>
        </Empty>
      }
      item={(entry) => (
        <Item
          key={entry.name}
          name={<Words text={entry.name} />}
          below={entry.kind in credentialForms ? credentialForms[entry.kind as "s3"].word : entry.kind}
          note={
            <>
              {entry.prefix !== undefined && <Words text={`opens ${entry.prefix}`} wraps />}
              {entry.prefix === undefined && "only where a job names it"}
              {(entry.nodes ?? entry.groups) !== undefined && ", on some nodes alone"}, changed{" "}
              {shortTime(new Date(entry.changed).toISOString(), now)}
            </>
          }
          actions={
            <>
              <Button aria-label={`Replace ${entry.name}…`} onClick={() => setOpen(entry)}>
                Replace…
              </Button>
              <Button aria-label={`Delete ${entry.name}…`} onClick={() => setLeaving(entry)}>
                Delete…
              </Button>
            </>
          }
        >
          {entry.prefix !== undefined && <Trial what={() => ({ name: entry.name })} label={`Test ${entry.name}`} />}
        </Item>
      )}
    >
      <Dialog
        title={open === "new" || !open ? "New credential" : `Replace ${open.name}`}
        isOpen={open !== undefined}
        onClose={() => setOpen(undefined)}
      >
        {open !== undefined && (
          <CredentialEntry earlier={open === "new" ? undefined : open} onDone={() => setOpen(undefined)} />
        )}
      </Dialog>
      <Confirm
        title={`Delete ${leaving?.name ?? ""}?`}
        text="Jobs that name it fail, and addresses below its prefix open no more. Its secrets are gone for good."
        keep="Keep it"
        go="Delete it"
        isOpen={leaving !== undefined}
        onClose={() => setLeaving(undefined)}
        onGo={() => leaving && remove.mutate(leaving.name)}
      />
    </ListPanel>
  );
};

const useRemove = () => {
  const queries = useQueryClient();
  const say = useSay();
  return useMutation({
    mutationFn: (name: string) => request("deleteCredential", { name }),
    onSuccess: (_done, name) => {
      say(`${name} is deleted.`);
      return queries.invalidateQueries({ queryKey: credentialsQuery.queryKey });
    },
    onError: (problem) => say(messageOf(problem)),
  });
};
