import { useMutation } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { type DragEvent, useDeferredValue, useMemo, useRef, useState } from "react";
import { AppError, messageOf } from "../../../shared/errors.ts";
import { request } from "../../data/client.ts";
import { useMay } from "../../data/session.tsx";
import { Button } from "../../ui/button.tsx";
import { Empty, Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Words } from "../../ui/words.tsx";
import { checkJob } from "./check.ts";
import css from "./submit.module.css";

/** A job's JSON, pasted, dropped or chosen, with what is wrong in it by path before it is sent. */
export const SubmitPage = () => {
  const maySubmit = useMay("operator");
  if (maySubmit) return <Submit />;
  return (
    <Page title="Submit">
      <Empty title="A viewer cannot submit jobs. An owner can make you an operator." />
    </Page>
  );
};

const shownFaults = 50;

const Submit = () => {
  const navigate = useNavigate();
  const file = useRef<HTMLInputElement>(null);
  const [text, setText] = useState("");
  const deferred = useDeferredValue(text);
  const checked = useMemo(() => checkJob(deferred), [deferred]);
  const send = useMutation({
    mutationFn: (body: Record<string, unknown>) =>
      // Just checked by the route's own rules; a body of unknown shape has no better type.
      request("createJob", body as Parameters<typeof request<"createJob">>[1]),
    onSuccess: ({ id }) => navigate({ to: "/jobs/$jobId", params: { jobId: id }, search: {} }),
  });
  const refused = send.error instanceof AppError ? send.error.details : [];
  const faults = checked.kind === "faulty" ? checked.faults : refused;
  const take = (files: FileList | null) => void files?.[0]?.text().then(setText);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    take(event.dataTransfer.files);
  };
  return (
    <Page
      title="Submit"
      actions={
        <>
          <Link to="/presets">Presets</Link>
          <input
            ref={file}
            type="file"
            accept=".json,application/json"
            hidden
            aria-label="A job's JSON file"
            onChange={(event) => take(event.target.files)}
          />
          <Button onClick={() => file.current?.click()}>Choose a file…</Button>
          <Button
            look="primary"
            disabled={checked.kind !== "good" || send.isPending || deferred !== text}
            onClick={() => checked.kind === "good" && send.mutate(checked.body)}
          >
            Submit
          </Button>
        </>
      }
    >
      <div className={css.columns}>
        <Panel title="Job" count="JSON">
          <textarea
            className={css.text}
            aria-label="The job as JSON"
            placeholder="Paste a job, or drop its file here"
            spellCheck={false}
            value={text}
            onChange={(event) => setText(event.target.value)}
            onDragOver={(event) => event.preventDefault()}
            onDrop={drop}
          />
        </Panel>
        <Panel title="Check" count={checked.kind === "faulty" ? `${faults.length} to correct` : undefined}>
          {checked.kind === "empty" && <Empty title="Nothing to check yet." />}
          {checked.kind === "good" && (
            <div className={css.good}>
              <p>
                The job can be sent: <Words text={checked.summary} wraps />
              </p>
              {checked.warnings.map((warning) => (
                <Notice key={warning} tone="late">
                  <Words text={warning} wraps />
                </Notice>
              ))}
              {send.error && <Notice tone="failed">{messageOf(send.error)}</Notice>}
            </div>
          )}
          <ul className={css.faults}>
            {faults.slice(0, shownFaults).map(({ path, message }) => (
              <li key={`${path} ${message}`}>
                <Words text={message} wraps />
                <code>
                  <Words text={path || "the whole text"} wraps />
                </code>
              </li>
            ))}
            {faults.length > shownFaults && <li>and {faults.length - shownFaults} more</li>}
          </ul>
        </Panel>
      </div>
    </Page>
  );
};
