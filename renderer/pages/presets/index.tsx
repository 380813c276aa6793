import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { messageOf } from "../../../shared/basics/errors.ts";
import { request } from "../../data/client.ts";
import { type PresetHead, presetQuery, presetsQuery } from "../../data/queries.ts";
import { useMay } from "../../data/session.tsx";
import { copyText } from "../../ui/browser/clipboard.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { Confirm } from "../../ui/overlays/dialog.tsx";
import { useSay } from "../../ui/overlays/toast.tsx";
import { Item, ListPanel } from "../../ui/table/list.tsx";
import { Empty, Loading, Notice } from "../../ui/text/notice.tsx";
import { Words } from "../../ui/text/words.tsx";
import css from "./presets.module.css";

/** Presets, which elements name by a key. They are created by programs and the command line. */
export const PresetsPage = () => {
  const { data: presets, error } = useQuery(presetsQuery);
  const say = useSay();
  const queries = useQueryClient();
  const [leaving, setLeaving] = useState<string>();
  const remove = useMutation({
    mutationFn: (key: string) => request("deletePreset", { key }),
    onError: (problem) => say(messageOf(problem)),
    onSettled: () => queries.invalidateQueries({ queryKey: ["presets"] }),
  });
  return (
    <Page title={t`Presets`}>
      <ListPanel
        title={t`Presets`}
        entries={presets}
        error={error}
        empty={
          <Empty title={t`There are no presets.`}>
            <p>
              <Trans>
                Make one with <code>mediafarm presets create FILE</code> or <code>POST /v1/presets</code>.
              </Trans>
            </p>
          </Empty>
        }
        item={(head) => <PresetRow key={head.key} head={head} onLeave={() => setLeaving(head.key)} />}
      />
      <Confirm
        title={t`Delete ${leaving ?? ""}?`}
        text={t`Jobs that used it do not change; new jobs that name it are refused.`}
        keep={t`Keep it`}
        go={t`Delete`}
        isOpen={leaving !== undefined}
        onClose={() => setLeaving(undefined)}
        onGo={() => leaving !== undefined && remove.mutate(leaving)}
      />
    </Page>
  );
};

/** Its JSON is read only when it is opened. */
const PresetRow = ({ head, onLeave }: { readonly head: PresetHead; readonly onLeave: () => void }) => {
  const { key, name, kind, path, description } = head;
  const mayDelete = useMay("operator");
  const say = useSay();
  const [isOpen, setOpen] = useState(false);
  const { data, error } = useQuery({ ...presetQuery(key), enabled: isOpen });
  const text = data ? JSON.stringify(data, null, 2) : "";
  return (
    <Item
      name={<Words text={name || key} />}
      below={<code>{key}</code>}
      note={
        <>
          <Trans>
            for <code>{kind}</code>
          </Trans>{" "}
          <Words text={[path, description].filter(Boolean).join(" · ")} wraps />
        </>
      }
      actions={
        <>
          {data && isOpen && (
            <Button onClick={() => void copyText(text).then(() => say(t`Copied.`))}>
              <Trans>Copy</Trans>
            </Button>
          )}
          <Button
            aria-expanded={isOpen}
            aria-label={`${isOpen ? t`Hide` : t`Show`} ${key}`}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? t`Hide` : t`Show`}
          </Button>
          {mayDelete && (
            <Button aria-label={t`Delete ${key}…`} onClick={onLeave}>
              <Trans>Delete…</Trans>
            </Button>
          )}
        </>
      }
    >
      {isOpen && error && <Notice tone="failed">{messageOf(error)}</Notice>}
      {isOpen && !data && !error && <Loading what={t`the preset`} rows={2} />}
      {isOpen && data && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: text that scrolls has to be reached by keys
        <pre className={css.json} tabIndex={0}>
          {text}
        </pre>
      )}
    </Item>
  );
};
