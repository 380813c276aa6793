import { basenameOf, nameOf } from "../../../shared/files/location.ts";
import type { MessageValues } from "../../../shared/texts/message-text.ts";
import type { PlanContext } from "../element.ts";

/** The outcome of the elements that led here: the job itself may still continue. */
export const statusOf = ({ failures = [] }: PlanContext<unknown>): "completed" | "failed" =>
  failures.length > 0 ? "failed" : "completed";

/**
 * Receivers recognise repeated notifications by it: the same for every attempt, and different for every element and
 * job.
 */
export const keyOf = ({ uid, job }: PlanContext<unknown>): string =>
  `mediafarm-${job.id}-${uid.replaceAll(/[^\w.-]/g, "_").slice(0, 100)}`;

/** All placeholders of notifications. docs/jobs/notifications.md lists them. */
export const messageValues = (context: PlanContext<unknown>): MessageValues => {
  const { uid, job, source = [], inputs, failures = [] } = context;
  const [file] = (source.length > 0 ? source : inputs).flatMap(({ files }) => files);
  const name = file ? nameOf(file.uri) : "";
  const [made] = inputs.flatMap(({ files }) => files);
  return {
    job_id: String(job.id),
    job_name: job.name,
    user_tag: job.userTag ?? "",
    task_name: uid,
    element_uid: uid,
    status: statusOf(context),
    error: failures.map(({ failure }) => failure?.message ?? "").join("; "),
    error_cause: failures[0]?.failure?.cause ?? "",
    failed_element: failures.map((each) => each.uid).join(", "),
    source_name: name,
    source_basename: basenameOf(name),
    source_extension: name.slice(basenameOf(name).length),
    source_url: file?.uri ?? "",
    source_size: String(file?.size ?? file?.facts?.size ?? ""),
    target_name: made ? nameOf(made.uri) : "",
    target_url: made?.uri ?? "",
    notification_key: keyOf(context),
    ...(job.ownerEmail !== undefined && { account_owner_email: job.ownerEmail }),
  };
};

/** The default text of a notification. */
export const usualMessage = (context: PlanContext<unknown>): string => {
  const { uid, job, inputs, failures = [] } = context;
  const message = {
    event: "notify",
    key: keyOf(context),
    element: uid,
    status: statusOf(context),
    job: { id: job.id, name: job.name, user_tag: job.userTag ?? null },
    errors: failures.map(({ uid: element, failure }) => ({
      element,
      cause: failure?.cause ?? null,
      message: failure?.message ?? "",
    })),
    files: inputs
      .flatMap(({ files }) => files.map(({ uri, size }) => ({ url: uri, size: size ?? null })))
      .slice(0, 500),
  };
  return JSON.stringify(message);
};
