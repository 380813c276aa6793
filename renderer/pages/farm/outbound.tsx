import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { messageOf } from "../../../shared/basics/errors.ts";
import { request } from "../../data/client.ts";
import { outboundQuery } from "../../data/queries.ts";
import { useMay } from "../../data/session.tsx";
import { Button } from "../../ui/controls/button.tsx";
import { Field, useText } from "../../ui/controls/field.tsx";
import { Form } from "../../ui/controls/form.tsx";
import { Dialog } from "../../ui/overlays/dialog.tsx";
import { useSay } from "../../ui/overlays/toast.tsx";
import { Item, ListPanel } from "../../ui/table/list.tsx";
import { Empty, Notice } from "../../ui/text/notice.tsx";
import { Words } from "../../ui/text/words.tsx";

/** Which places jobs may reach over the network from every node: receivers of notifications, web sources, storage. */
export const Outbound = () => {
  const { data: rules, error } = useQuery(outboundQuery);
  const mayChange = useMay("owner");
  const say = useSay();
  const change = useChange();
  const [isOpen, setOpen] = useState(false);
  const onError = (problem: Error) => say(messageOf(problem));
  const remove = (rule: string) => {
    const undo = () => change.mutate({ add: [rule] }, { onError });
    change.mutate({ remove: [rule] }, { onError, onSuccess: () => say(t`${rule} is no longer allowed.`, undo) });
  };
  return (
    <ListPanel
      title={t`Network of jobs`}
      entries={rules}
      error={error}
      aid={
        mayChange && (
          <Button onClick={() => setOpen(true)}>
            <Trans>New rule…</Trans>
          </Button>
        )
      }
      empty={
        <Empty title={t`Jobs can reach public addresses, and whatever each node allows.`}>
          <p>
            <Trans>
              A rule opens a place in your own network for the jobs on every node: a web hook, a media server. Each
              node's <code>--allow-outbound</code> also applies. Mail is sent by nodes that were started with{" "}
              <code>--smtp-url</code>.
            </Trans>
          </p>
        </Empty>
      }
      item={(rule) => (
        <Item
          key={rule}
          name={<Words text={rule} />}
          note={t`from every node`}
          actions={
            mayChange && (
              <Button aria-label={t`Remove ${rule}`} onClick={() => remove(rule)}>
                <Trans>Remove</Trans>
              </Button>
            )
          }
        />
      )}
    >
      <Dialog title={t`New rule for the network`} isOpen={isOpen} onClose={() => setOpen(false)}>
        <RuleForm onDone={() => setOpen(false)} />
      </Dialog>
    </ListPanel>
  );
};

type Change = { readonly add?: string[]; readonly remove?: string[] };

/** Only what is named changes: somebody else's rule stays. */
const useChange = () => {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (change: Change) => request("changeOutbound", change),
    onSuccess: ({ items }) => queries.setQueryData(outboundQuery.queryKey, items),
  });
};

const RuleForm = ({ onDone }: { readonly onDone: () => void }) => {
  const rule = useText();
  const change = useChange();
  return (
    <Form onSend={() => change.mutate({ add: [rule.text.trim()] }, { onSuccess: onDone })}>
      <Field
        label={t`What jobs may reach`}
        hint={t`A host (hooks.studio.lan), *.a-domain, an address or a network (10.2.0.0/16), each with a :port if wanted; public: every public address`}
        required
        maxLength={300}
        autoComplete="off"
        {...rule.input}
      />
      {change.error && <Notice tone="failed">{messageOf(change.error)}</Notice>}
      <Button look="primary" type="submit" disabled={change.isPending}>
        <Trans>Allow</Trans>
      </Button>
    </Form>
  );
};
