import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { messageOf } from "../../../../shared/basics/errors.ts";
import { definitionQuery } from "../../../data/queries.ts";
import { copyText } from "../../../ui/browser/clipboard.ts";
import { Button } from "../../../ui/controls/button.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { useSay } from "../../../ui/overlays/toast.tsx";
import { Loading, Notice } from "../../../ui/text/notice.tsx";
import css from "./definition.module.css";
import { Resolved } from "./resolved.tsx";

/** The job as submitted, beside its resolved form; read only when somebody opens it. */
export const Definition = ({ jobId }: { readonly jobId: string }) => {
  const [isOpen, setOpen] = useState(false);
  const say = useSay();
  const { data, error } = useQuery({ ...definitionQuery(jobId), enabled: isOpen });
  const text = data ? JSON.stringify(data, null, 2) : "";
  return (
    <Panel
      title={t`Definition`}
      count={t`as sent, and as resolved`}
      aid={
        <>
          {data && (
            <Button onClick={() => void copyText(text).then(() => say(t`Copied the definition.`))}>
              <Trans>Copy</Trans>
            </Button>
          )}
          <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? t`Hide` : t`Show`}
          </Button>
        </>
      }
    >
      {isOpen && error && <Notice tone="failed">{messageOf(error)}</Notice>}
      {isOpen && !data && !error && <Loading what={t`the definition`} />}
      {isOpen && data && (
        <div className={css.both}>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: text that scrolls has to be reached by keys */}
          <pre className={css.text} tabIndex={0}>
            {text}
          </pre>
          <Resolved jobId={jobId} />
        </div>
      )}
    </Panel>
  );
};
