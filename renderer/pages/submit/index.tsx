import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useMutation, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { useDeferredValue, useMemo, useRef, useState } from "react";
import { AppError, messageOf } from "../../../shared/basics/errors.ts";
import { hidden } from "../../../shared/credentials/redact.ts";
import { request } from "../../data/client.ts";
import { definitionQuery } from "../../data/queries.ts";
import { useMay } from "../../data/session.tsx";
import { useNarrow, useWide } from "../../ui/browser/use-narrow.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Segments } from "../../ui/controls/segmented.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { Empty, Loading, Notice } from "../../ui/text/notice.tsx";
import { Words } from "../../ui/text/words.tsx";
import { Changes } from "./changes.tsx";
import { checkJob } from "./check.ts";
import type { EditorHandle } from "./editor.tsx";
import { exampleJob } from "./example.ts";
import { FaultList } from "./fault-list.tsx";
import { JobEditor, objectIn } from "./job-editor.tsx";
import { JobTemplateForm } from "./job-template-form.tsx";
import type { SubmitSearch, SubmitWay } from "./search.ts";
import css from "./submit.module.css";
import { TagWarnings } from "./tag-warnings.tsx";

const route = getRouteApi("/inside/submit");

/** A job's JSON, pasted, dropped, chosen or of an earlier job, with what is wrong in it by path before it is sent. */
export const SubmitPage = () => {
  const { from, as }: SubmitSearch = route.useSearch();
  const maySubmit = useMay("operator");
  const [made, setMade] = useState("");
  const navigate = useNavigate();
  const isWide = useWide();
  const asJson = (text: string) => {
    setMade(text);
    void navigate({ to: "/submit", search: { as: "json" } });
  };
  if (maySubmit && from !== undefined) return <Again key={from} jobId={from} />;
  if (maySubmit && as === "json") return <Submit key={made} earlier={made} />;
  if (maySubmit) {
    const way = as ?? (isWide ? "both" : "template");
    return (
      <Page title={<Title as={way} />} name={t`Submit`}>
        <JobTemplateForm hasJson={way === "both"} onJson={asJson} />
      </Page>
    );
  }
  return (
    <Page title={t`Submit`}>
      <Empty title={t`A viewer cannot submit jobs. An owner can make you an operator.`} />
    </Page>
  );
};

/** Starts with an earlier job's definition; pages do not receive passwords, so they must be entered again. */
const Again = ({ jobId }: { readonly jobId: string }) => {
  const { data, error } = useQuery(definitionQuery(jobId));
  if (data) return <Submit earlier={JSON.stringify(data, null, 2)} origin={{ jobId, job: data }} />;
  return (
    <Page title={t`Submit`}>
      {error ? <Notice tone="failed">{messageOf(error)}</Notice> : <Loading what={t`the job`} />}
    </Page>
  );
};

/** Which of the ways to submit is shown. */
const Title = ({ as }: { readonly as: SubmitWay }) => {
  const navigate = useNavigate();
  const isNarrow = useNarrow();
  return (
    <div className={css.title}>
      <h1>
        <Trans>Submit</Trans>
      </h1>
      <Segments
        label={t`How`}
        choices={[
          ["template", t`Job template`],
          ...(isNarrow ? [] : ([["both", t`Template and JSON`]] as const)),
          ["json", t`JSON`],
        ]}
        chosen={as}
        onChoose={(key) => void navigate({ to: "/submit", search: { as: key } })}
      />
    </div>
  );
};

/** The job that is sent again. */
type Origin = { readonly jobId: string; readonly job: object };

const Submit = ({ earlier, origin }: { readonly earlier: string; readonly origin?: Origin }) => {
  const editor = useRef<EditorHandle>(null);
  const [text, setText] = useState(earlier);
  const [way, setWay] = useState<"form" | "json">(origin ? "form" : "json");
  const deferred = useDeferredValue(text);
  const checked = useMemo(() => checkJob(deferred), [deferred]);
  const job = useMemo(() => objectIn(deferred), [deferred]);
  const send = useSend();
  const refused = send.error instanceof AppError ? send.error.details : [];
  const faults = checked.kind === "faulty" ? checked.faults : refused;
  const take = (files: FileList | null) => void files?.[0]?.text().then(setText);
  return (
    <Page
      title={<Title as="json" />}
      name={t`Submit`}
      actions={
        <>
          <Link to="/presets">
            <Trans>Presets</Trans>
          </Link>
          <FileButton onFiles={take} />
          <Button
            look="primary"
            disabled={checked.kind !== "good" || send.isPending || deferred !== text}
            onClick={() => checked.kind === "good" && send.mutate(checked.body)}
          >
            <Trans>Submit</Trans>
          </Button>
        </>
      }
    >
      <div className={css.columns}>
        <JobEditor {...{ way, text, faults }} onWay={setWay} onText={setText} onFiles={take} handle={editor} />
        <div className={css.steps}>
          {origin && job && <Changes jobId={origin.jobId} before={origin.job} after={job} />}
          <Panel title={t`Check`} count={checked.kind === "faulty" ? t`${faults.length} to correct` : undefined}>
            <Verdict text={text} checked={checked} error={send.error} onExample={() => setText(exampleJob)} />
            {job && <TagWarnings job={job} />}
            <p className="unseen" aria-live="polite">
              {checked.kind === "good" && t`The job can be sent.`}
              {faults.length > 0 && t`${faults.length} to correct`}
            </p>
            <FaultList
              faults={faults}
              editor={() => {
                setWay("json");
                return editor.current;
              }}
            />
          </Panel>
        </div>
      </div>
    </Page>
  );
};

const useSend = () => {
  const navigate = useNavigate();
  return useMutation({
    mutationFn: (body: Record<string, unknown>) =>
      // Already checked by the route's own rules; a body of unknown shape has no better type.
      request("createJob", body as Parameters<typeof request<"createJob">>[1]),
    onSuccess: ({ id }) => navigate({ to: "/jobs/$jobId", params: { jobId: id }, search: {} }),
  });
};

const FileButton = ({ onFiles }: { readonly onFiles: (files: FileList | null) => void }) => {
  const file = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={file}
        type="file"
        accept=".json,application/json"
        hidden
        aria-label={t`A job's JSON file`}
        onChange={(event) => onFiles(event.target.files)}
      />
      <Button onClick={() => file.current?.click()}>
        <Trans>Choose a file…</Trans>
      </Button>
    </>
  );
};

type VerdictProps = {
  readonly text: string;
  readonly checked: ReturnType<typeof checkJob>;
  readonly error: Error | null;
  readonly onExample: () => void;
};

/** What the check says of the text beside its faults. */
const Verdict = ({ text, checked, error, onExample }: VerdictProps) => (
  <>
    {text.includes(hidden) && (
      <div className={css.good}>
        <Notice tone="late">
          <Trans>
            Pages do not show passwords: put them in again where it says <code>{hidden}</code>.
          </Trans>
        </Notice>
      </div>
    )}
    {checked.kind === "empty" && (
      <Empty title={t`Nothing to check yet.`}>
        <p>
          <Trans>A job describes its sources, its outputs and where they go. Errors are shown here.</Trans>
        </p>
        <Button onClick={onExample}>
          <Trans>Begin with an example</Trans>
        </Button>
      </Empty>
    )}
    {checked.kind === "good" && (
      <div className={css.good}>
        <p>
          <Trans>
            The job can be sent: <Words text={checked.summary} wraps />
          </Trans>
        </p>
        {checked.warnings.map((warning) => (
          <Notice key={warning} tone="late">
            <Words text={warning} wraps />
          </Notice>
        ))}
        {error && <Notice tone="failed">{messageOf(error)}</Notice>}
      </div>
    )}
  </>
);
