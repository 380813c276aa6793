import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { messageOf } from "../../../shared/basics/errors.ts";
import { tagsIn } from "../../../shared/basics/tags.ts";
import type { Node } from "../../../shared/model/node.ts";
import { request } from "../../data/client.ts";
import { computeGroupsQuery } from "../../data/queries.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Choice, Field, useText } from "../../ui/controls/field.tsx";
import { Form } from "../../ui/controls/form.tsx";
import { useSay } from "../../ui/overlays/toast.tsx";
import { Notice } from "../../ui/text/notice.tsx";

/** An operator's settings of a node: its group, its own tags, its slots. Only changes are sent. */
export const NodeSettings = ({ node }: { readonly node: Node }) => {
  const { data: groups = [] } = useQuery(computeGroupsQuery);
  const say = useSay();
  const [group, setGroup] = useState(node.group ?? "");
  const tags = useText(node.tags.join(", "));
  const slots = useText(String(node.slots));
  const wanted = {
    ...(group === (node.group ?? "") ? {} : { group: group === "" ? null : group }),
    ...(tags.text === node.tags.join(", ") ? {} : { tags: tagsIn(tags.text) }),
    ...(slots.text === String(node.slots) ? {} : { slots: Number(slots.text) }),
  };
  const change = useMutation({
    mutationFn: () => request("updateNode", { node_id: node.id, ...wanted }),
    onSuccess: () => say(t`${node.name} is changed. Its running tasks continue.`),
  });
  return (
    <Form onSend={() => change.mutate()}>
      <Choice
        label={t`Group`}
        value={group}
        choices={[["", t`None`], ...groups.map(({ name }) => [name, name] as const)]}
        onChoose={setGroup}
      />
      <Field
        label={t`Tags`}
        hint={t`Separated by commas. Tags and slots override the flags of its agent`}
        autoComplete="off"
        {...tags.input}
      />
      <Field label={t`Slots`} type="number" required min={0} max={1024} {...slots.input} />
      {change.error && <Notice tone="failed">{messageOf(change.error)}</Notice>}
      <Button type="submit" disabled={change.isPending || Object.keys(wanted).length === 0}>
        <Trans>Change the node</Trans>
      </Button>
    </Form>
  );
};
