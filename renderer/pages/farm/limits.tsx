import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { messageOf } from "../../../shared/basics/errors.ts";
import type { TagLimit, TagLimitNow } from "../../../shared/model/compute-group.ts";
import { request } from "../../data/client.ts";
import { limitsQuery } from "../../data/queries.ts";
import { useMay } from "../../data/session.tsx";
import { Button } from "../../ui/controls/button.tsx";
import { Field, useText } from "../../ui/controls/field.tsx";
import { Form } from "../../ui/controls/form.tsx";
import { Dialog } from "../../ui/overlays/dialog.tsx";
import { useSay } from "../../ui/overlays/toast.tsx";
import { Item, ListPanel } from "../../ui/table/list.tsx";
import { number } from "../../ui/text/format.ts";
import { Empty, Notice } from "../../ui/text/notice.tsx";
import { State } from "../../ui/text/state.tsx";
import { Words } from "../../ui/text/words.tsx";

/** How many tasks with a tag may run at a time on the whole farm, and how many do. */
export const Limits = () => {
  const { data: limits, error } = useQuery(limitsQuery);
  const mayChange = useMay("operator");
  const say = useSay();
  const change = useChange();
  const [open, setOpen] = useState<Partial<TagLimit>>();
  const onError = (problem: Error) => say(messageOf(problem));
  const remove = ({ tag, most }: TagLimit) => {
    const undo = () => change.mutate({ set: [{ tag, most }] }, { onError });
    change.mutate({ remove: [tag] }, { onError, onSuccess: () => say(t`The limit of ${tag} is gone.`, undo) });
  };
  return (
    <ListPanel
      title={t`Limits`}
      entries={limits}
      error={error}
      aid={
        mayChange && (
          <Button onClick={() => setOpen({})}>
            <Trans>New limit…</Trans>
          </Button>
        )
      }
      empty={<NoLimits />}
      item={(limit) => (
        <Item
          key={limit.tag}
          name={<Words text={limit.tag} />}
          note={<Use limit={limit} />}
          actions={
            mayChange && (
              <>
                <Button aria-label={t`Change the limit of ${limit.tag}…`} onClick={() => setOpen(limit)}>
                  <Trans>Change…</Trans>
                </Button>
                <Button aria-label={t`Remove the limit of ${limit.tag}`} onClick={() => remove(limit)}>
                  <Trans>Remove</Trans>
                </Button>
              </>
            )
          }
        />
      )}
    >
      <Dialog
        title={open?.tag === undefined ? t`New limit` : t`Limit of ${open.tag}`}
        isOpen={open !== undefined}
        onClose={() => setOpen(undefined)}
      >
        {open && <LimitForm limit={open} onDone={() => setOpen(undefined)} />}
      </Dialog>
    </ListPanel>
  );
};

const NoLimits = () => (
  <Empty title={t`One task runs in each slot.`}>
    <p>
      <Trans>
        A limit caps how many tasks with a tag run at once: for a licence of five seats, at most 5 with{" "}
        <code>dolby</code>. Jobs carry tags in <code>task_tags</code>.
      </Trans>
    </p>
  </Empty>
);

const Use = ({ limit: { most, running } }: { readonly limit: TagLimitNow }) => {
  const state = running >= most ? "waiting" : running > 0 ? "running" : "idle";
  const word = t`${number(running)} of ${number(most)} run`;
  return <State state={state} word={running >= most ? t`${word}; more must wait` : word} />;
};

type Change = { readonly set?: TagLimit[]; readonly remove?: string[] };

/** Only the named limits change: somebody else's change of another limit stays. */
const useChange = () => {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (change: Change) => request("changeLimits", change),
    onSuccess: ({ items }) => queries.setQueryData(limitsQuery.queryKey, items),
  });
};

const LimitForm = ({ limit, onDone }: { readonly limit: Partial<TagLimit>; readonly onDone: () => void }) => {
  const tag = useText(limit.tag);
  const most = useText(limit.most === undefined ? "" : String(limit.most));
  const change = useChange();
  const send = () => change.mutate({ set: [{ tag: tag.text.trim(), most: Number(most.text) }] }, { onSuccess: onDone });
  return (
    <Form onSend={send}>
      {limit.tag === undefined && <Field label={t`Tag`} required maxLength={100} autoComplete="off" {...tag.input} />}
      <Field
        label={t`At most`}
        hint={t`Maximum number of running tasks with the tag, on the whole farm. Running tasks continue; 0 lets none start`}
        type="number"
        required
        min={0}
        max={1_000_000}
        {...most.input}
      />
      {change.error && <Notice tone="failed">{messageOf(change.error)}</Notice>}
      <Button look="primary" type="submit" disabled={change.isPending}>
        <Trans>Set the limit</Trans>
      </Button>
    </Form>
  );
};
