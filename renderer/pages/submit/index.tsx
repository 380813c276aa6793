import { useMutation, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { type DragEvent, lazy, Suspense, useDeferredValue, useMemo, useRef, useState } from "react";
import { AppError, messageOf } from "../../../shared/errors.ts";
import { hidden } from "../../../shared/redact.ts";
import { request } from "../../data/client.ts";
import { apiDocumentQuery, definitionQuery } from "../../data/queries.ts";
import { useMay } from "../../data/session.tsx";
import { Button } from "../../ui/button.tsx";
import { Empty, Loading, Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Segments } from "../../ui/segmented.tsx";
import { Words } from "../../ui/words.tsx";
import { checkJob, faultsOf } from "./check.ts";
import { exampleJob } from "./example.ts";
import { RecipeForm } from "./recipe-form.tsx";
import type { SubmitSearch } from "./search.ts";
import css from "./submit.module.css";

/** Large, and loaded only for writing JSON. */
const Editor = lazy(async () => ({ default: (await import("./editor.tsx")).Editor }));

const route = getRouteApi("/inside/submit");

/** A job's JSON, pasted, dropped, chosen or of an earlier job, with what is wrong in it by path before it is sent. */
export const SubmitPage = () => {
  const { from, as }: SubmitSearch = route.useSearch();
  const maySubmit = useMay("operator");
  const [made, setMade] = useState("");
  const navigate = useNavigate();
  const asJson = (text: string) => {
    setMade(text);
    void navigate({ to: "/submit", search: { as: "json" } });
  };
  if (maySubmit && from !== undefined) return <Again key={from} jobId={from} />;
  if (maySubmit && as === "json") return <Submit key={made} earlier={made} />;
  if (maySubmit) {
    return (
      <Page title={<Title as="recipe" />}>
        <RecipeForm onJson={asJson} />
      </Page>
    );
  }
  return (
    <Page title="Submit">
      <Empty title="A viewer cannot submit jobs. An owner can make you an operator." />
    </Page>
  );
};

/** Starts with an earlier job's definition; pages do not receive passwords, so they must be entered again. */
const Again = ({ jobId }: { readonly jobId: string }) => {
  const { data, error } = useQuery(definitionQuery(jobId));
  if (data) return <Submit earlier={JSON.stringify(data, null, 2)} />;
  return (
    <Page title="Submit">{error ? <Notice tone="failed">{messageOf(error)}</Notice> : <Loading what="the job" />}</Page>
  );
};

const shownFaults = 50;

/** Which of the two ways to submit is shown. */
const Title = ({ as }: { readonly as: "recipe" | "json" }) => {
  const navigate = useNavigate();
  return (
    <div className={css.title}>
      <h1>Submit</h1>
      <Segments
        label="How"
        choices={[
          ["recipe", "Recipe"],
          ["json", "JSON"],
        ]}
        chosen={as}
        onChoose={(key) => void navigate({ to: "/submit", search: key === "json" ? { as: "json" } : {} })}
      />
    </div>
  );
};

const Submit = ({ earlier }: { readonly earlier: string }) => {
  const navigate = useNavigate();
  const { data: document } = useQuery(apiDocumentQuery);
  const file = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(earlier);
  const deferred = useDeferredValue(text);
  const checked = useMemo(() => checkJob(deferred), [deferred]);
  const send = useMutation({
    mutationFn: (body: Record<string, unknown>) =>
      // Already checked by the route's own rules; a body of unknown shape has no better type.
      request("createJob", body as Parameters<typeof request<"createJob">>[1]),
    onSuccess: ({ id }) => navigate({ to: "/jobs/$jobId", params: { jobId: id }, search: {} }),
  });
  const refused = send.error instanceof AppError ? send.error.details : [];
  const faults = checked.kind === "faulty" ? checked.faults : refused;
  const take = (files: FileList | null) => void files?.[0]?.text().then(setText);
  const drop = (event: DragEvent) => {
    if (event.dataTransfer.files.length === 0) return;
    event.preventDefault();
    event.stopPropagation();
    take(event.dataTransfer.files);
  };
  return (
    <Page
      title={<Title as="json" />}
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
          <div onDragOverCapture={(event) => event.preventDefault()} onDropCapture={drop}>
            <Suspense fallback={<Loading what="the editor" />}>
              <Editor text={text} onText={setText} check={faultsOf} document={document} />
            </Suspense>
          </div>
        </Panel>
        <Panel title="Check" count={checked.kind === "faulty" ? `${faults.length} to correct` : undefined}>
          {text.includes(hidden) && (
            <div className={css.good}>
              <Notice tone="late">
                Pages do not show passwords: put them in again where it says <code>{hidden}</code>.
              </Notice>
            </div>
          )}
          {checked.kind === "empty" && (
            <Empty title="Nothing to check yet.">
              <p>A job describes its sources, its outputs and where they go. Errors are shown here.</p>
              <Button onClick={() => setText(exampleJob)}>Begin with an example</Button>
            </Empty>
          )}
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
