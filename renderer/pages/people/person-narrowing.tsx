import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Narrowed } from "../../../shared/people/narrowed.ts";
import { request } from "../../data/client.ts";
import { refusalText } from "../../language/words.ts";
import { Button } from "../../ui/controls/button.tsx";
import { LongField } from "../../ui/controls/field.tsx";
import { Form } from "../../ui/controls/form.tsx";
import { Dialog } from "../../ui/overlays/dialog.tsx";
import { Notice } from "../../ui/text/notice.tsx";

/** To which nodes and jobs somebody's role is narrowed, and a change of it. */
export const PersonNarrowing = ({ name, narrowed }: { readonly name: string; readonly narrowed: Narrowed }) => {
  const [isOpen, setOpen] = useState(false);
  const { tags, groups } = narrowed;
  const only = [...tags, ...groups].join(", ").slice(0, 24);
  return (
    <>
      <Button
        aria-label={only === "" ? t`Narrow… the role of ${name}` : t`Only ${only}… for ${name}: change it`}
        onClick={() => setOpen(true)}
      >
        {only === "" ? <Trans>Narrow…</Trans> : <Trans>Only {only}…</Trans>}
      </Button>
      <Dialog title={t`What ${name} may change`} isOpen={isOpen} onClose={() => setOpen(false)}>
        <Narrowing {...{ name, tags, groups }} onDone={() => setOpen(false)} />
      </Dialog>
    </>
  );
};

const Narrowing = ({
  name,
  onDone,
  ...narrowed
}: Narrowed & { readonly name: string; readonly onDone: () => void }) => {
  const queries = useQueryClient();
  const [tags, setTags] = useState(narrowed.tags.join("\n"));
  const [groups, setGroups] = useState(narrowed.groups.join("\n"));
  const write = useMutation({
    mutationFn: () => request("updatePerson", { name, only_tags: linesIn(tags), only_groups: linesIn(groups) }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ["people"] });
      onDone();
    },
  });
  return (
    <Form onSend={() => write.mutate()}>
      <p>
        <Trans>
          With tags here, they change only nodes and jobs that carry one of them, and see the rest. What the whole farm
          shares, such as presets, limits and compute groups, they leave as it is. Empty: all that their role allows.
        </Trans>
      </p>
      <LongField label={t`Tags`} hint={t`One a line`} value={tags} onText={setTags} />
      <LongField
        label={t`Compute groups`}
        hint={t`One a line. A group stands for the tags that it provides`}
        value={groups}
        onText={setGroups}
      />
      {write.error && <Notice tone="failed">{refusalText(write.error)}</Notice>}
      <Button look="primary" type="submit" disabled={write.isPending}>
        <Trans>Save</Trans>
      </Button>
    </Form>
  );
};

const linesIn = (text: string): string[] => text.split("\n").flatMap((line) => line.trim() || []);
