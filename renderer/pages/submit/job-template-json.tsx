import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { apiDocumentQuery } from "../../data/queries.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Choice } from "../../ui/controls/field.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { Empty, Notice } from "../../ui/text/notice.tsx";
import { findFaults } from "./check.ts";
import { Editor, type EditorHandle } from "./editor.tsx";
import { FaultList } from "./fault-list.tsx";
import css from "./submit.module.css";
import type { Drafts } from "./use-drafts.ts";

/** The JSON of the form's jobs; what is edited here is what will be sent. */
export const JobTemplateJson = ({ drafts: { jobs, edit, discard } }: { readonly drafts: Drafts }) => {
  const { data: document } = useQuery(apiDocumentQuery);
  const [chosen, setChosen] = useState<string>();
  const editor = useRef<EditorHandle>(null);
  const job = jobs.find(({ source }) => source === chosen) ?? jobs[0];
  return (
    <Panel title={t`The job as JSON`} count={job && job.faults > 0 ? t`${job.faults} to correct` : undefined}>
      {!job && <Empty title={t`Choose a file first.`} />}
      {job && jobs.length > 1 && (
        <div className={css.good}>
          <Choice
            label={t`File`}
            value={job.source}
            choices={jobs.map(({ source }) => [source, source.slice(source.lastIndexOf("/") + 1)] as const)}
            onChoose={setChosen}
          />
        </div>
      )}
      {job?.isEdited && (
        <div className={css.good}>
          <Notice
            tone="late"
            action={
              <Button onClick={() => discard(job.source)}>
                <Trans>Discard the edits</Trans>
              </Button>
            }
          >
            <Trans>Edited by hand: the form still changes its priority and start, and nothing else.</Trans>
          </Notice>
        </div>
      )}
      {job && (
        <Editor
          key={job.source}
          text={job.text}
          onText={(text) => text !== job.text && edit(job.source, text)}
          check={findFaults}
          document={document}
          handle={editor}
        />
      )}
      {job && job.faults > 0 && <FaultList faults={findFaults(job.text)} editor={() => editor.current} />}
    </Panel>
  );
};
