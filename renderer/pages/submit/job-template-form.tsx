import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { jobTemplates } from "../../../media/job-templates/index.ts";
import type { TemplateField } from "../../../media/job-templates/job-template.ts";
import { messageOf } from "../../../shared/basics/errors.ts";
import { request } from "../../data/client.ts";
import { translated } from "../../language/words.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Choice, Field } from "../../ui/controls/field.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { useSay } from "../../ui/overlays/toast.tsx";
import { classes } from "../../ui/text/classes.ts";
import { Empty, Loading } from "../../ui/text/notice.tsx";
import { FilePicker } from "./file-picker.tsx";
import { PlanPreview } from "./plan-preview.tsx";
import { StartTime } from "./start-time.tsx";
import css from "./submit.module.css";
import { type Drafts, useDrafts } from "./use-drafts.ts";

/** Large, because of its editor. */
const JobTemplateJson = lazy(async () => ({ default: (await import("./job-template-json.tsx")).JobTemplateJson }));

/** Files, a job template and a folder, with the jobs that come of them: what they would do, and their JSON where there is room. */
export const JobTemplateForm = ({
  hasJson,
  onJson,
}: {
  readonly hasJson: boolean;
  readonly onJson: (text: string) => void;
}) => {
  const drafts = useDrafts();
  const { jobs } = drafts;
  const { isSending, send } = useSend(jobs);
  const faulty = jobs.filter(({ faults }) => faults > 0).length;
  const [first] = jobs;
  return (
    <div className={classes(css.template, hasJson && css.both)}>
      <div className={css.steps}>
        <Panel
          title={t`1. Files`}
          count={jobs.length > 0 ? plural(jobs.length, { one: "# file", other: "# files" }) : undefined}
        >
          <FilePicker files={drafts.files} onFiles={drafts.setFiles} />
        </Panel>
        <WhatToMake drafts={drafts} />
      </div>
      <div className={css.steps}>
        {hasJson && (
          <Suspense fallback={<Loading what={t`the editor`} />}>
            <JobTemplateJson drafts={drafts} />
          </Suspense>
        )}
        <Panel
          title={t`3. What will happen`}
          aid={
            <>
              {first && !hasJson && (
                <Button onClick={() => onJson(first.text)}>
                  <Trans>As JSON</Trans>
                </Button>
              )}
              <Button
                look="primary"
                disabled={jobs.length === 0 || isSending || faulty > 0}
                onClick={() => void send()}
              >
                {jobs.length > 1 ? t`Submit ${jobs.length} jobs` : t`Submit the job`}
              </Button>
            </>
          }
        >
          {jobs.length === 0 && <Empty title={t`Choose a file first.`} />}
          {faulty > 0 && <Empty title={t`The JSON has errors to correct first.`} />}
          {jobs.length > 0 && faulty === 0 && (
            <PlanPreview jobs={jobs.slice(0, 3).map(({ body }) => body)} more={jobs.length - 3} />
          )}
        </Panel>
      </div>
    </div>
  );
};

const useSend = (jobs: Drafts["jobs"]) => {
  const [isSending, setSending] = useState(false);
  const say = useSay();
  const navigate = useNavigate();
  const send = async () => {
    setSending(true);
    try {
      const sent: string[] = [];
      // The route checks what it is given; a job template makes jobs of a shape that only it knows.
      for (const { body } of jobs)
        sent.push((await request("createJob", body as Parameters<typeof request<"createJob">>[1])).id);
      say(plural(sent.length, { one: "# job queued.", other: "# jobs queued." }));
      const [only] = sent;
      if (sent.length === 1 && only) await navigate({ to: "/jobs/$jobId", params: { jobId: only }, search: {} });
      else await navigate({ to: "/jobs", search: { sort: "id", order: "desc", flat: true } });
    } catch (problem) {
      say(t`It was not queued: ${messageOf(problem)}`);
    }
    setSending(false);
  };
  return { isSending, send };
};

const WhatToMake = ({ drafts }: { readonly drafts: Drafts }) => {
  const { template, values, target } = drafts;
  return (
    <Panel title={t`2. What to make`}>
      <div className={css.templates} role="radiogroup" aria-label={t`Job template`}>
        {jobTemplates.map((each) => (
          <label key={each.id} className={css.card}>
            <input
              type="radio"
              name="template"
              checked={each.id === template.id}
              onChange={() => drafts.setTemplate(each)}
            />
            <b>{translated(each.title)}</b>
            <span>{translated(each.says)}</span>
          </label>
        ))}
      </div>
      <div className={css.form}>
        {template.fields.map((field) => (
          <Question
            key={`${template.id} ${field.key}`}
            field={field}
            value={values[field.key]}
            onValue={(value) => drafts.setValues({ ...values, [field.key]: value })}
          />
        ))}
        <Field
          label={t`Folder for the outputs`}
          placeholder={target || "/mnt/projects/out"}
          hint={t`A folder that nodes may write, or an address of a storage`}
          value={drafts.folder}
          onChange={(event) => drafts.setFolder(event.target.value)}
        />
        <Field
          label={t`Priority`}
          type="number"
          min={1}
          max={254}
          value={String(drafts.common.priority)}
          onChange={(event) => drafts.setCommon({ priority: Number(event.target.value) })}
        />
        <StartTime start={drafts.common.start} onStart={(start) => drafts.setCommon({ start })} />
      </div>
    </Panel>
  );
};

const Question = ({
  field,
  value,
  onValue,
}: {
  readonly field: TemplateField;
  readonly value: string | number | undefined;
  readonly onValue: (value: string | number) => void;
}) =>
  field.kind === "choice" ? (
    <Choice
      label={translated(field.label)}
      value={String(value ?? field.initial)}
      choices={field.choices.map(([key, word]) => [key, translated(word)] as const)}
      onChoose={onValue}
    />
  ) : (
    <Field
      label={translated(field.label)}
      type="number"
      min={field.min}
      max={field.max}
      value={String(value ?? field.initial)}
      onChange={(event) => onValue(Number(event.target.value))}
    />
  );
