import { describe, expect, test } from "vitest";
import { elementOf } from "../../media/elements/index.ts";
import { normaliseAliases } from "../../media/jobs/aliases.ts";
import { parseJob } from "../../media/jobs/parse-job.ts";
import { AppError } from "../../shared/basics/errors.ts";
import { parse } from "../../shared/basics/validation.ts";
import { resolveDefinitions } from "../../shared/model/definitions.ts";
import { jobUpdate } from "../../shared/model/job.ts";
import { comingValues, testedDefaults, testedFields, testedValues } from "./coverage.ts";
import { badValues, goodValues } from "./examples.ts";
import { type FieldRow, fieldRows } from "./ledger.ts";
import { place, placeObject, valueAt } from "./place.ts";

/** What a submission, or a change of a job, says: its faults by path, and its warnings. */
const said = ({ object }: FieldRow, job: Record<string, unknown>) => {
  try {
    if (object === "job_update") parse(jobUpdate, job.job_update, "job_update");
    return { faults: [], warnings: parseJob(resolveDefinitions(job)).warnings };
  } catch (problem) {
    expect(problem).toBeInstanceOf(AppError);
    const { details } = problem as AppError; // looked at just now
    return { faults: details.map(({ path, message }) => `${path}: ${message}`), warnings: [] };
  }
};

const elsewhere = { ...testedValues, ...comingValues };
const rows = fieldRows.filter(({ dir, id }) => dir === "in" && !Object.hasOwn(testedFields, id));
const short = (value: unknown) => JSON.stringify(value)?.slice(0, 40);

describe.each(rows)("$id", (row) => {
  const good = goodValues(row).filter((value) => !Object.hasOwn(elsewhere, `${row.id} ${value}`));
  test.each(good.map((value) => [short(value), value]))("takes %s", (_text, value) => {
    const { job, path } = place(row, value);
    const { faults, warnings } = said(row, job);
    expect(faults).toEqual([]);
    expect(warnings.filter((warning) => warning.startsWith(`${path} is not known and has no effect`))).toEqual([]);
  });

  test.each(badValues(row).map((value) => [short(value), value]))("refuses %s by its path", (_text, value) => {
    const { job, path } = place(row, value);
    const { faults } = said(row, job);
    // A variant that is no object is told of at what it is a variant of.
    const told = faults.filter((fault) => fault.startsWith(path) || path.startsWith(fault.split(": ")[0] ?? "?"));
    expect(told).not.toEqual([]);
  });

  if (row.required) {
    test("is missed where it is not", () => {
      expect(said(row, placeObject(row)).faults.join("\n")).toContain(row.field);
    });
  }

  if (row.default !== undefined && !Object.hasOwn(testedDefaults, row.id)) {
    test(`is ${short(row.default)} where nothing is said`, () => {
      expect(defaultOf(row)).toEqual(row.default);
    });
  }
});

/** What a field becomes that is not sent. */
const defaultOf = (row: FieldRow): unknown => {
  const { keys } = place(row, null);
  const job = normaliseAliases(placeObject(row));
  const [, list, index, inner, ...rest] = keys;
  if (list === "elements" && inner === "payload") {
    const element = valueAt(job, ["payload", "elements", Number(index)]) as { kind: string; payload: unknown }; // placed so
    return valueAt(elementOf(element.kind)?.payload.parse(element.payload), rest);
  }
  return defaultsOfJob[row.id]?.(job);
};

const retryOf = (job: Record<string, unknown>) => parseJob(job).elements[1]?.retry;

/** Defaults that show in what a job is read as. */
const defaultsOfJob: Readonly<Record<string, (job: Record<string, unknown>) => unknown>> = {
  "2.1/job.schema": (job) => (parseJob(job).elements[0]?.script === undefined ? "service" : "api_test"),
  "2.1/job.expiration": (job) => parseJob(job).expirationMinutes,
  "2.1/job.priority": (job) => parseJob(job).priority,
  "2.1/job.task_retry.count": (job) => retryOf(job)?.count,
  "2.1/job.task_retry.delay_sec": (job) => retryOf(job)?.delaySec,
  "2.3/task.retry_method": (job) => (retryOf(job)?.count === 0 ? "fail" : "retry"),
  "2.3/task.retry.delay_sec": (job) => retryOf({ ...job, payload: withRetryMethod(job) })?.delaySec,
};

const withRetryMethod = (job: Record<string, unknown>) => {
  const payload = structuredClone(job.payload) as { elements: { task?: object }[] }; // placed so
  for (const element of payload.elements) if (element.task) element.task = { ...element.task, retry_method: "retry" };
  return payload;
};
