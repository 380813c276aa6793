import { useState } from "react";
import { buildJob, initialValues, jobTemplates } from "../../../media/job-templates/index.ts";
import type { JobTemplate, TemplateValues } from "../../../media/job-templates/job-template.ts";
import { findFaults } from "./check.ts";
import { type Common, commonIn, isEdited, withCommon } from "./edited-job.ts";

/** The job of one file, as the form makes it or as somebody edited its JSON. */
export type Draft = {
  readonly source: string;
  readonly body: Record<string, unknown>;
  readonly text: string;
  readonly isEdited: boolean;
  readonly faults: number;
};

export type Drafts = ReturnType<typeof useDrafts>;

/** The form's settings and the jobs that they make. Form and JSON stay in step: priority and start are in both. */
export const useDrafts = () => {
  const [template, changeTemplate] = useState<JobTemplate>(jobTemplates[0] as JobTemplate); // the table is not empty
  const [values, setValues] = useState<TemplateValues>(initialValues(template));
  const [files, setFiles] = useState<readonly string[]>([]);
  const [folder, setFolder] = useState("");
  const [common, setCommon] = useState<Common>({ priority: 100, start: undefined });
  const [edits, setEdits] = useState<ReadonlyMap<string, string>>(new Map());
  const target = folder.trim() || (files[0] ? `${files[0].slice(0, files[0].lastIndexOf("/"))}/out` : "");
  const made = (source: string, { priority, start }: Common) =>
    buildJob({ template, values, source, folder: target, priority, startAfter: start });

  const draftOf = (source: string): Draft => {
    const own = made(source, common);
    const text = edits.get(source);
    if (text === undefined) return { source, body: own, text: pretty(own), isEdited: false, faults: 0 };
    const body = withCommon(text, common) ?? own;
    return { source, body, text, isEdited: isEdited(text, own), faults: findFaults(text).length };
  };

  const changeCommon = (change: Partial<Common>) => {
    const next = { ...common, ...change };
    setCommon(next);
    setEdits((old) => new Map([...old].map(([source, text]) => [source, rewritten(text, next)])));
  };
  const edit = (source: string, text: string) => {
    const next = { ...common, ...commonIn(text) };
    setCommon(next);
    setEdits((old) => {
      const others = [...old]
        .filter(([each]) => each !== source)
        .map(([each, own]) => [each, rewritten(own, next)] as const);
      // Text that the form would write as well follows the form again.
      return new Map(text === pretty(made(source, next)) ? others : [...others, [source, text] as const]);
    });
  };

  return {
    ...{ template, values, files, folder, target, common, setValues, setFiles, setFolder, edit },
    setCommon: changeCommon,
    setTemplate: (next: JobTemplate) => {
      changeTemplate(next);
      setValues(initialValues(next));
    },
    jobs: files.map(draftOf),
    /** The form's job again. */
    discard: (source: string) => setEdits((old) => new Map([...old].filter(([each]) => each !== source))),
  };
};

const pretty = (job: object): string => JSON.stringify(job, null, 2);

const rewritten = (text: string, common: Common): string => {
  const job = withCommon(text, common);
  return job ? pretty(job) : text;
};
