import { plural, t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import type { Finding, FindingSection } from "../../../../shared/api/findings.ts";
import type { UiJob } from "../../../../shared/api/job-view.ts";
import { messageOf } from "../../../../shared/basics/errors.ts";
import { findingsQuery } from "../../../data/queries.ts";
import { TimeChart, type TimeRow } from "../../../ui/charts/time-chart.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { Facts } from "../../../ui/text/facts.tsx";
import { Notice } from "../../../ui/text/notice.tsx";
import css from "./findings.module.css";
import { Verdicts } from "./verdicts.tsx";

/** The findings of analyses and checks; nothing until one of them has ended. */
export const Findings = ({ view: { info, elements } }: { readonly view: UiJob }) => {
  const ended = elements.filter(
    ({ panel, state }) => panel === "findings" && (state === "succeeded" || state === "failed"),
  );
  const { data, error } = useQuery({ ...findingsQuery(info.id, ended.length), enabled: ended.length > 0 });
  if (error) return <Notice tone="failed">{messageOf(error)}</Notice>;
  const nameOf = (uid: string) => elements.find((element) => element.uid === uid)?.name || uid;
  return data?.map((finding) => (
    <FindingPanel key={finding.task_id} finding={finding} name={nameOf(finding.element_uid)} />
  ));
};

const FindingPanel = ({ finding, name }: { readonly finding: Finding; readonly name: string }) => {
  const { verdicts, seconds, sections } = finding;
  const rows = sections.flatMap(rowsOf);
  const figures = sections.filter((section) => section.figures.length > 0);
  return (
    <Panel
      title={verdicts.length > 0 ? t`Checks: ${name}` : t`Analysis: ${name}`}
      count={verdicts.length > 0 ? plural(verdicts.length, { one: "# check", other: "# checks" }) : undefined}
    >
      {verdicts.length > 0 && <Verdicts verdicts={verdicts} />}
      {rows.length > 0 && seconds > 0 && <TimeChart seconds={seconds} rows={rows} />}
      {figures.length > 0 && (
        <div className={css.figures}>
          {figures.map((section) => (
            <Figures key={section.title} section={section} />
          ))}
        </div>
      )}
    </Panel>
  );
};

/** A section's rows on the axis of time. */
const rowsOf = ({ title, intervals, curve }: FindingSection): TimeRow[] => [
  ...(intervals ? [{ key: `${title} lane`, title, intervals }] : []),
  ...(curve
    ? [{ key: `${title} curve`, title: curve.title, unit: curve.unit, stepSec: curve.step_sec, values: curve.values }]
    : []),
];

const Figures = ({ section: { title, figures } }: { readonly section: FindingSection }) => (
  <details>
    <summary>
      {title} <span>{plural(figures.length, { one: "# figure", other: "# figures" })}</span>
    </summary>
    <Facts rows={figures} />
  </details>
);
