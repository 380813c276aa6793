import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { messageOf } from "../../../shared/errors.ts";
import { definitionQuery } from "../../data/queries.ts";
import { Button } from "../../ui/button.tsx";
import { copyText } from "../../ui/clipboard.ts";
import { Loading, Notice } from "../../ui/notice.tsx";
import { Panel } from "../../ui/panel.tsx";
import { useSay } from "../../ui/toast.tsx";
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
      title="Definition"
      count="as it was sent, and what it came to"
      aid={
        <>
          {data && <Button onClick={() => void copyText(text).then(() => say("Copied the definition."))}>Copy</Button>}
          <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? "Hide" : "Show"}
          </Button>
        </>
      }
    >
      {isOpen && error && <Notice tone="failed">{messageOf(error)}</Notice>}
      {isOpen && !data && !error && <Loading what="the definition" />}
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
