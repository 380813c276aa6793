import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { ComputeGroup } from "../../../shared/compute-group.ts";
import { messageOf } from "../../../shared/errors.ts";
import type { Node } from "../../../shared/node.ts";
import { tagsIn } from "../../../shared/tags.ts";
import { request } from "../../data/client.ts";
import { computeGroupsQuery, nodesQuery } from "../../data/queries.ts";
import { useMay } from "../../data/session.tsx";
import { Button } from "../../ui/button.tsx";
import { Confirm, Dialog } from "../../ui/dialog.tsx";
import { Field, useText } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { countOf } from "../../ui/format.ts";
import { Item, ListPanel } from "../../ui/list.tsx";
import { Empty, Notice } from "../../ui/notice.tsx";
import { useSay } from "../../ui/toast.tsx";
import { Words } from "../../ui/words.tsx";

/** Nodes that belong together: what they provide, and what a task must carry to run there. */
export const ComputeGroups = () => {
  const { data: groups, error } = useQuery(computeGroupsQuery);
  const { data: nodes = [] } = useQuery(nodesQuery);
  const mayChange = useMay("operator");
  const say = useSay();
  const queries = useQueryClient();
  const [open, setOpen] = useState<Partial<ComputeGroup>>();
  const [leaving, setLeaving] = useState<ComputeGroup>();
  const remove = useMutation({
    mutationFn: (name: string) => request("deleteComputeGroup", { name }),
    onError: (problem) => say(messageOf(problem)),
    onSettled: () => queries.invalidateQueries({ queryKey: ["groups"] }),
  });
  return (
    <ListPanel
      title="Compute groups"
      entries={groups}
      error={error}
      aid={mayChange && <Button onClick={() => setOpen({})}>New group…</Button>}
      empty={
        <Empty title="No node belongs to a group.">
          <p>
            A group gives tags to all of its nodes, or keeps them for tasks that carry a tag. Make one here, then choose
            it among a node's details on the page Nodes.
          </p>
        </Empty>
      }
      item={(group) => (
        <Item
          key={group.name}
          name={<Words text={group.name} />}
          below={<Words text={namesOf(membersOf(group, nodes))} wraps />}
          note={
            <>
              <Words text={`provides ${group.provided_tags.join(", ") || "no tags"}`} wraps />
              {group.mandatory_tags.length > 0 && (
                <Words text={`takes only tasks with ${group.mandatory_tags.join(" and ")}`} wraps />
              )}
            </>
          }
          actions={
            mayChange && (
              <>
                <Button aria-label={`Change ${group.name}…`} onClick={() => setOpen(group)}>
                  Change…
                </Button>
                <Button aria-label={`Delete ${group.name}…`} onClick={() => setLeaving(group)}>
                  Delete…
                </Button>
              </>
            )
          }
        />
      )}
    >
      <Dialog
        title={open?.name === undefined ? "New compute group" : `Group ${open.name}`}
        isOpen={open !== undefined}
        onClose={() => setOpen(undefined)}
      >
        {open && <GroupForm group={open} taken={groups?.map(({ name }) => name)} onDone={() => setOpen(undefined)} />}
      </Dialog>
      <Confirm
        title={`Delete ${leaving?.name ?? ""}?`}
        text={leaving ? lossOf(leaving, membersOf(leaving, nodes).length) : ""}
        keep="Keep it"
        go="Delete"
        isOpen={leaving !== undefined}
        onClose={() => setLeaving(undefined)}
        onGo={() => leaving && remove.mutate(leaving.name)}
      />
    </ListPanel>
  );
};

const membersOf = ({ name }: ComputeGroup, nodes: readonly Node[]): readonly Node[] =>
  nodes.filter(({ group }) => group === name);

/** More nodes than this are shown as a number. */
const mostNames = 6;

const namesOf = (members: readonly Node[]): string =>
  members.length === 0 || members.length > mostNames
    ? countOf(members.length, "node")
    : members.map(({ name }) => name).join(", ");

/** What its nodes lose without it, in numbers. */
const lossOf = ({ provided_tags, mandatory_tags }: ComputeGroup, members: number): string =>
  [
    `${countOf(members, "node")} then ${members === 1 ? "belongs" : "belong"} to no group.`,
    provided_tags.length > 0 && `Tasks that need ${provided_tags.join(" or ")} wait for nodes that have it themselves.`,
    mandatory_tags.length > 0 && "Its nodes take any task again.",
    "Running tasks continue.",
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
  const fault = isTaken ? "There is a group of that name" : undefined;
  return (
    <Form onSend={() => !isTaken && put.mutate()}>
      {group.name === undefined && (
        <Field label="Name" required maxLength={200} autoComplete="off" fault={fault} {...name.input} />
      )}
      <Field
        label="Provides"
        hint="Tags that its nodes have in addition to their own, separated by commas"
        autoComplete="off"
        {...provided.input}
      />
      <Field
        label="Takes only tasks with"
        hint="Tags that a task must have to run on its nodes; empty: any task"
        autoComplete="off"
        {...mandatory.input}
      />
      {put.error && <Notice tone="failed">{messageOf(put.error)}</Notice>}
      <Button look="primary" type="submit" disabled={put.isPending}>
        {group.name === undefined ? "Make the group" : "Change the group"}
      </Button>
    </Form>
  );
};
