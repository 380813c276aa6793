import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { type DragEvent, lazy, type RefObject, Suspense } from "react";
import type { ErrorDetail } from "../../../shared/basics/errors.ts";
import { isObject } from "../../../shared/basics/plain-object.ts";
import { apiDocumentQuery } from "../../data/queries.ts";
import { Segments } from "../../ui/controls/segmented.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { Loading } from "../../ui/text/notice.tsx";
import { findFaults } from "./check.ts";
import type { EditorHandle } from "./editor.tsx";
import { JobForm } from "./job-form.tsx";

/** Large, and loaded only for writing JSON. */
const Editor = lazy(async () => ({ default: (await import("./editor.tsx")).Editor }));

type JobEditorProps = {
  readonly way: "form" | "json";
  readonly text: string;
  readonly faults: readonly ErrorDetail[];
  readonly onWay: (way: "form" | "json") => void;
  readonly onText: (text: string) => void;
  readonly onFiles: (files: FileList | null) => void;
  readonly handle: RefObject<EditorHandle | null>;
};

/** The job as a form or as JSON: both are the same text. */
export const JobEditor = ({ way, text, faults, onWay, onText, onFiles, handle }: JobEditorProps) => {
  const { data: document } = useQuery(apiDocumentQuery);
  const job = objectIn(text);
  const isForm = way === "form" && job !== undefined;
  const drop = (event: DragEvent) => {
    if (event.dataTransfer.files.length === 0) return;
    event.preventDefault();
    event.stopPropagation();
    onFiles(event.dataTransfer.files);
  };
  return (
    <Panel
      title={t`Job`}
      aid={
        <Segments
          label={t`Edit as`}
          choices={[
            ["form", t`Form`],
            ["json", t`JSON`],
          ]}
          chosen={isForm ? "form" : "json"}
          onChoose={onWay}
        />
      }
    >
      <div onDragOverCapture={(event) => event.preventDefault()} onDropCapture={drop}>
        {isForm ? (
          <JobForm
            job={job}
            document={document}
            onJob={(next) => onText(JSON.stringify(next, null, 2))}
            faults={new Map(faults.map(({ path, message }) => [path, message]))}
          />
        ) : (
          <Suspense fallback={<Loading what={t`the editor`} />}>
            <Editor text={text} onText={onText} check={findFaults} document={document} handle={handle} />
          </Suspense>
        )}
      </div>
    </Panel>
  );
};

/** The text as an object of JSON; undefined while somebody types, or where it is something else. */
export const objectIn = (text: string): Readonly<Record<string, unknown>> | undefined => {
  try {
    const job: unknown = JSON.parse(text);
    return isObject(job) ? job : undefined;
  } catch {
    return undefined;
  }
};
