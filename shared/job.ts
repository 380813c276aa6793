/**
 * Glossary. *Job*: a graph of elements that a client submits. *Element*: one step of it, as written. *Element run*: that
 * step in this job's life. *Task*: a piece of an element that one node does. *Attempt*: one run of a task; a task is run
 * again when it fails or its node is lost. *Fence*: the attempt's number, by which older attempts are told from newer.
 * *Target*: a file (or set of files) that an element makes. *Asset*: media flowing along connections. *Facts*: what a
 * probe found of an asset. *Mount*: a prefix of addresses that a node reaches as a folder. *Slot*: room for one task.
 */
import { z } from "zod";
import { elementKinds, elementOf } from "./elements/index.ts";
import { AppError, type ErrorDetail } from "./errors.ts";
import { findCycle, type GraphConnection } from "./graph.ts";
import { looseInteger } from "./loose.ts";

export const limits = {
  payloadCharacters: 128_000,
  userTag: 192,
  expirationMinutes: 259_200,
  defaultExpirationMinutes: 43_200,
  defaultPriority: 100,
  retryCount: 5,
  retryDelaySec: 3600,
  defaultRetryDelaySec: 45,
  /** A task whose node is lost goes back to the queue this often, whatever its retries say. */
  losses: 10,
  take: 1000,
  defaultTake: 100,
} as const;

const jobName = z.string().min(1).max(2000);
const priority = looseInteger(1, 254);
const expiration = looseInteger(0, limits.expirationMinutes);
const userTag = z.string().max(limits.userTag).nullable();
const tags = z
  .array(z.string().max(200))
  .max(100)
  .transform((list) => [...new Set(list.filter((tag) => tag !== ""))]);

const taskOptions = z.looseObject({
  name: z.string().max(2000).optional(),
  tags: tags.optional(),
  retry_method: z.enum(["fail", "retry"]).optional(),
  retry: z
    .looseObject({
      count: looseInteger(-1, limits.retryCount),
      delay_sec: looseInteger(0, limits.retryDelaySec).default(limits.defaultRetryDelaySec),
    })
    .optional(),
  flags: z.looseObject({}).optional(),
  priority: priority.optional(),
  comment: z.string().optional(),
  extended: z.looseObject({}).optional(),
  source_element_uids: z.array(z.string()).optional(),
});

const element = z.looseObject({
  uid: z.string().min(1).max(200),
  kind: z.enum([...elementKinds]),
  name: z.string().max(2000).optional(),
  task: taskOptions.optional(),
  payload: z.looseObject({}).default({}),
});

const uids = z.array(z.looseObject({ element: z.string() })).transform((list) => list.map((each) => each.element));

const connection = z.looseObject({
  from: uids,
  to: z.looseObject({ success: uids.default([]), error: uids.default([]) }),
});

/** A job's payload, the elements' own payloads apart. */
export const jobPayload = z.looseObject({
  elements: z.array(element).min(1),
  connections: z.array(connection).default([]),
});

const taskRetry = z.looseObject({
  count: looseInteger(0).default(0),
  delay_sec: looseInteger(0).default(limits.defaultRetryDelaySec),
});

/** Body of POST /jobs. Its payload is checked by `parseJob`, once definitions are filled in. */
export const jobSubmission = z.looseObject({
  name: jobName,
  payload: z.union([z.looseObject({}), z.string()]),
  schema: z.enum(["service", "hybrik", "thirdparty", "rhozet", "api_test"]).default("service"),
  expiration: expiration.default(limits.defaultExpirationMinutes),
  priority: priority.default(limits.defaultPriority),
  task_retry: taskRetry.optional(),
  "task_retry:count": looseInteger(0).optional(),
  "task_retry:delay_sec": looseInteger(0).optional(),
  task_tags: tags.default([]),
  user_tag: userTag.optional(),
  definitions: z.looseObject({}).optional(),
  user_data: z.unknown().optional(),
});

export const jobUpdate = z.looseObject({
  name: jobName.optional(),
  priority: priority.optional(),
  expiration: expiration.optional(),
  user_tag: userTag.optional(),
});

export type RetryPolicy = { readonly count: number; readonly delaySec: number };

export type ElementSpec = {
  readonly uid: string;
  readonly kind: string;
  readonly name: string;
  readonly payload: Record<string, unknown>;
  readonly tags: readonly string[];
  readonly priority: number | undefined;
  readonly retry: RetryPolicy;
};

export type JobSpec = {
  readonly name: string;
  readonly priority: number;
  readonly expirationMinutes: number;
  readonly userTag: string | null;
  readonly elements: readonly ElementSpec[];
  readonly connections: readonly GraphConnection[];
  readonly warnings: readonly string[];
};

/**
 * A submission with its definitions filled in, checked to the last field that this version knows. Throws AppError
 * VALIDATION_FAILED with one detail a fault: path, and what is wrong.
 */
export const parseJob = (resolved: Record<string, unknown>): JobSpec => {
  const body = parse(jobSubmission, resolved, "");
  refuseSchema(body.schema);
  if (typeof body.payload === "string") {
    throw invalid([{ path: "payload", message: "must be a JSON object when schema is service, not a string" }]);
  }
  const { elements: written, connections: links } = parse(jobPayload, body.payload, "payload");
  const connections = links.map(({ from, to }) => ({ from, success: to.success, error: to.error }));
  const faults = [...graphFaults(written, connections), ...payloadFaults(written), ...retryFaults(written)];
  if (faults.length > 0) throw invalid(faults);
  const defaultRetry = {
    count: body.task_retry?.count ?? body["task_retry:count"] ?? 0,
    delaySec: body.task_retry?.delay_sec ?? body["task_retry:delay_sec"] ?? limits.defaultRetryDelaySec,
  };
  return {
    name: body.name,
    priority: body.priority,
    expirationMinutes: body.expiration,
    userTag: body.user_tag ?? null,
    elements: written.map((each) => elementSpec(each, body.task_tags, defaultRetry)),
    connections,
    warnings: unknownFields(body, written),
  };
};

/** zod's findings as the API words them. `at` leads every path. */
export const parse = <T>(schema: z.ZodType<T>, value: unknown, at: string): T => {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw invalid(result.error.issues.map((issue) => ({ path: pathOf(at, issue.path), message: issue.message })));
};

const invalid = (details: readonly ErrorDetail[]): AppError => {
  const [first] = details;
  const more = details.length > 1 ? ` (and ${details.length - 1} more)` : "";
  return new AppError("VALIDATION_FAILED", `${first?.path || "body"}: ${first?.message}${more}`, {
    details: details.slice(0, 100),
  });
};

/** ["elements", 0, "kind"] below "payload" reads `payload.elements[0].kind`. */
const pathOf = (at: string, path: readonly PropertyKey[]): string =>
  path.reduce<string>(
    (text, part) => (typeof part === "number" ? `${text}[${part}]` : text ? `${text}.${String(part)}` : String(part)),
    at,
  );

const refuseSchema = (schema: string): void => {
  if (schema === "service" || schema === "hybrik") return;
  throw invalid([{ path: "schema", message: `jobs of schema "${schema}" are not implemented in this version` }]);
};

type Written = z.output<typeof element>;

const graphFaults = (written: readonly Written[], connections: readonly GraphConnection[]): ErrorDetail[] => {
  const faults: ErrorDetail[] = [];
  const known = new Set<string>();
  for (const [index, { uid }] of written.entries()) {
    if (known.has(uid)) faults.push({ path: `payload.elements[${index}].uid`, message: `"${uid}" stands twice` });
    known.add(uid);
  }
  for (const [index, { from, success, error }] of connections.entries()) {
    const ends = { from, "to.success": success, "to.error": error };
    for (const [end, uids] of Object.entries(ends)) {
      for (const [place, uid] of uids.entries()) {
        if (known.has(uid)) continue;
        const path = `payload.connections[${index}].${end}[${place}].element`;
        faults.push({ path, message: `there is no element with uid "${uid}"` });
      }
    }
  }
  const cycle = findCycle(connections);
  if (cycle) faults.push({ path: "payload.connections", message: `elements go in a circle: ${cycle.join(" -> ")}` });
  return faults;
};

const payloadFaults = (written: readonly Written[]): ErrorDetail[] =>
  written.flatMap(({ kind, payload }, index) => {
    const result = elementOf(kind)?.payload.safeParse(payload);
    const at = `payload.elements[${index}].payload`;
    return (result?.error?.issues ?? []).map((issue) => ({ path: pathOf(at, issue.path), message: issue.message }));
  });

const retryFaults = (written: readonly Written[]): ErrorDetail[] =>
  written.flatMap(({ task }, index) =>
    task?.retry_method === "retry" && !task.retry
      ? [{ path: `payload.elements[${index}].task.retry`, message: "is required when retry_method is retry" }]
      : [],
  );

/** `fail`: never again; `retry`: the element's own object; absent: the job's. */
const elementSpec = (written: Written, jobTags: readonly string[], defaultRetry: RetryPolicy): ElementSpec => {
  const { task } = written;
  const own = task?.retry && { count: task.retry.count, delaySec: task.retry.delay_sec };
  const policies = { fail: { count: 0, delaySec: 0 }, retry: own ?? defaultRetry };
  return {
    uid: written.uid,
    kind: written.kind,
    name: task?.name || written.name || written.uid,
    payload: written.payload,
    tags: [...new Set([...jobTags, ...(task?.tags ?? [])])],
    priority: task?.priority,
    retry: task?.retry_method ? policies[task.retry_method] : defaultRetry,
  };
};

const knownFields = {
  job: new Set(Object.keys(jobSubmission.shape)),
  element: new Set(["preset", ...Object.keys(element.shape)]),
  task: new Set(Object.keys(taskOptions.shape)),
};

/** Unknown fields are kept and told about, never refused. */
const unknownFields = (body: object, written: readonly Written[]): string[] => {
  const strangers = (value: object | undefined, known: ReadonlySet<string>, at: string) =>
    Object.keys(value ?? {})
      .filter((key) => !known.has(key))
      .map((key) => `${at}${key} is not known and has no effect`);
  return [
    ...strangers(body, knownFields.job, ""),
    ...written.flatMap((each, index) => [
      ...strangers(each, knownFields.element, `payload.elements[${index}].`),
      ...strangers(each.task, knownFields.task, `payload.elements[${index}].task.`),
    ]),
  ].slice(0, 100);
};
