import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { messageOf } from "../../../shared/basics/errors.ts";
import { tagsIn } from "../../../shared/basics/tags.ts";
import type { ComputeGroup } from "../../../shared/model/compute-group.ts";
import type { Node } from "../../../shared/model/node.ts";
import { request } from "../../data/client.ts";
import { computeGroupsQuery, nodesQuery } from "../../data/queries.ts";
import { useMay } from "../../data/session.tsx";
import { Button } from "../../ui/controls/button.tsx";
import { Field, useText } from "../../ui/controls/field.tsx";
import { Form } from "../../ui/controls/form.tsx";
import { Confirm, Dialog } from "../../ui/overlays/dialog.tsx";
import { useSay } from "../../ui/overlays/toast.tsx";
import { Item, ListPanel } from "../../ui/table/list.tsx";
import { allOf, oneOf } from "../../ui/text/format.ts";
import { Empty, Notice } from "../../ui/text/notice.tsx";
import { Words } from "../../ui/text/words.tsx";

/** Nodes that belong together: what they provide, and what a task must carry to run there. */
export const ComputeGroups = () => {
  const { data: groups, error } = useQuery(computeGroupsQuery);
  const { data: nodes = [] } = useQuery(nodesQuery);
  const mayChange = useMay("operator");
  const remove = useRemove();
  const [open, setOpen] = useState<Partial<ComputeGroup>>();
  const [leaving, setLeaving] = useState<ComputeGroup>();
  return (
    <ListPanel
      title={t`Compute groups`}
      entries={groups}
      error={error}
      aid={
        mayChange && (
          <Button onClick={() => setOpen({})}>
            <Trans>New group…</Trans>
          </Button>
        )
      }
      empty={<NoGroups />}
      item={(group) => (
        <Group
          key={group.name}
          group={group}
          members={membersOf(group, nodes)}
          actions={
            mayChange && (
              <>
                <Button aria-label={t`Change ${group.name}…`} onClick={() => setOpen(group)}>
                  <Trans>Change…</Trans>
                </Button>
                <Button aria-label={t`Delete ${group.name}…`} onClick={() => setLeaving(group)}>
                  <Trans>Delete…</Trans>
                </Button>
              </>
            )
          }
        />
      )}
    >
      <Dialog
        title={open?.name === undefined ? t`New compute group` : t`Group ${open.name}`}
        isOpen={open !== undefined}
        onClose={() => setOpen(undefined)}
      >
        {open && <GroupForm group={open} taken={groups?.map(({ name }) => name)} onDone={() => setOpen(undefined)} />}
      </Dialog>
      <Confirm
        title={t`Delete ${leaving?.name ?? ""}?`}
        text={leaving ? lossOf(leaving, membersOf(leaving, nodes).length) : ""}
        keep={t`Keep it`}
        go={t`Delete`}
        isOpen={leaving !== undefined}
        onClose={() => setLeaving(undefined)}
        onGo={() => leaving && remove.mutate(leaving.name)}
      />
    </ListPanel>
  );
};

const useRemove = () => {
  const say = useSay();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (name: string) => request("deleteComputeGroup", { name }),
    onError: (problem) => say(messageOf(problem)),
    onSettled: () => queries.invalidateQueries({ queryKey: ["groups"] }),
  });
};

const NoGroups = () => (
  <Empty title={t`No node belongs to a group.`}>
    <p>
      <Trans>
        A group gives tags to all of its nodes, or keeps them for tasks that carry a tag. Make one here, then choose it
        among a node's details on the page Nodes.
      </Trans>
    </p>
  </Empty>
);

type GroupProps = {
  readonly group: ComputeGroup;
  readonly members: readonly Node[];
  readonly actions: ReactNode;
};

const Group = ({ group, members, actions }: GroupProps) => (
  <Item
    name={<Words text={group.name} />}
    below={<Words text={namesOf(members)} isOurs wraps />}
    note={
      <>
        <Words text={providesWords(group)} isOurs wraps />
        {group.mandatory_tags.length > 0 && (
          <Words text={t`takes only tasks with ${allOf(group.mandatory_tags)}`} isOurs wraps />
        )}
      </>
    }
    actions={actions}
  />
);

const membersOf = ({ name }: ComputeGroup, nodes: readonly Node[]): readonly Node[] =>
  nodes.filter(({ group }) => group === name);

/** More nodes than this are shown as a number. */
const mostNames = 6;

const namesOf = (members: readonly Node[]): string =>
  members.length === 0 || members.length > mostNames
    ? plural(members.length, { one: "# node", other: "# nodes" })
    : members.map(({ name }) => name).join(", ");

const providesWords = ({ provided_tags: tags }: ComputeGroup): string =>
  tags.length === 0 ? t`provides no tags` : t`provides ${tags.join(", ")}`;

/** What its nodes lose without it, in numbers. */
const lossOf = ({ provided_tags, mandatory_tags }: ComputeGroup, members: number): string =>
  [
    plural(members, { one: "# node then belongs to no group.", other: "# nodes then belong to no group." }),
    provided_tags.length > 0 && t`Tasks that need ${oneOf(provided_tags)} wait for nodes that have it themselves.`,
    mandatory_tags.length > 0 && t`Its nodes take any task again.`,
    t`Running tasks continue.`,
  ]
    .filter(Boolean)
    .join(" ");

const GroupForm = ({
  group,
  taken = [],
  onDone,
}: {
  readonly group: Partial<ComputeGroup>;
  readonly taken?: readonly string[];
  readonly onDone: () => void;
}) => {
  const queries = useQueryClient();
  const name = useText(group.name);
  const provided = useText(group.provided_tags?.join(", "));
  const mandatory = useText(group.mandatory_tags?.join(", "));
  const put = useMutation({
    mutationFn: () =>
      request("putComputeGroup", {
        name: name.text.trim(),
        provided_tags: tagsIn(provided.text),
        mandatory_tags: tagsIn(mandatory.text),
      }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ["groups"] });
      onDone();
    },
  });
  const isTaken = group.name === undefined && taken.includes(name.text.trim());
  const fault = isTaken ? t`There is a group of that name` : undefined;
  return (
    <Form onSend={() => !isTaken && put.mutate()}>
      {group.name === undefined && (
        <Field label={t`Name`} required maxLength={200} autoComplete="off" fault={fault} {...name.input} />
      )}
      <Field
        label={t`Provides`}
        hint={t`Tags that its nodes have in addition to their own, separated by commas`}
        autoComplete="off"
        {...provided.input}
      />
      <Field
        label={t`Takes only tasks with`}
        hint={t`Tags that a task must have to run on its nodes; empty: any task`}
        autoComplete="off"
        {...mandatory.input}
      />
      {put.error && <Notice tone="failed">{messageOf(put.error)}</Notice>}
      <Button look="primary" type="submit" disabled={put.isPending}>
        {group.name === undefined ? t`Make the group` : t`Change the group`}
      </Button>
    </Form>
  );
};
