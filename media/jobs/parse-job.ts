import type { z } from "zod";
import { AppError, type ErrorDetail } from "../../shared/basics/errors.ts";
import { didYouMean } from "../../shared/basics/nearest-name.ts";
import { invalid, parse, pathText } from "../../shared/basics/validation.ts";
import { apiTestStepOf } from "../../shared/model/api-test.ts";
import { type ElementSpec, type JobSpec, jobSubmission, limits, type RetryPolicy } from "../../shared/model/job.ts";
import {
  connectionsByEnd,
  countEdges,
  findCycle,
  type GraphConnection,
  withErrorsOfSources,
} from "../../shared/model/job-graph.ts";
import { elementOf } from "../elements/index.ts";
import { normaliseAliases, pathAsSent } from "./aliases.ts";
import { ignoredFieldWarnings } from "./ignored-field-warnings.ts";
import { wholePayload } from "./job-payload.ts";
import { type UnknownField, unknownFields } from "./unknown-fields.ts";

type Body = z.output<typeof jobSubmission>;
type Written = z.output<typeof wholePayload>["elements"][number];
type Path = readonly PropertyKey[];
type Spelling = (path: Path) => PropertyKey[];

/**
 * Validates a submission with its definitions filled in, including every field known to this version, and converts it
 * to the specification's spelling. Throws AppError VALIDATION_FAILED with one detail per fault: path and problem.
 */
export const parseJob = (resolved: Record<string, unknown>): JobSpec => {
  const job = normaliseAliases(resolved);
  const spelling: Spelling = (path) => pathAsSent(resolved, path);
  try {
    return parseParts(job, spelling);
  } catch (problem) {
    throw withSlips(problem, job, spelling);
  }
};

const parseParts = (job: Record<string, unknown>, spelling: Spelling): JobSpec => {
  const body = parse(jobSubmission, job, "", spelling);
  refuseSchema(body);
  if (typeof body.payload === "string") return textJob(body);
  const payload = parse(wholePayload, body.payload, "payload", (path) => spelling(["payload", ...path]).slice(1));
  const connections = payload.connections.map(({ from, to }) => ({
    from: uidsOf(from),
    success: uidsOf(to.success),
    error: uidsOf(to.error),
  }));
  refuseManyEdges(payload.elements, connections);
  const conflicts = conflictsOf(payload.elements, spelling);
  const errors = [
    ...graphErrors(payload.elements, connections),
    ...retryErrors(payload.elements),
    ...namedErrors(payload.elements),
    ...scriptErrors(body, payload.elements),
    ...conflicts.filter(({ isStrict }) => isStrict),
  ];
  if (errors.length > 0) throw invalid(errors.map(({ path, message }) => ({ path, message })));
  // As written, in the specification's spelling: defaults are added again when the element is planned.
  const written = (job.payload as { elements: Record<string, unknown>[] }).elements; // it was just parsed
  return {
    ...head(body),
    elements: payload.elements.map((each, index) => elementSpec(each, body, written[index]?.payload)),
    connections: withErrorsOfSources(connections, sourcesAmong(payload.elements)),
    needs: needsOf(payload.elements),
    warnings: [
      ...cautions(payload.elements),
      ...strangersOf(body, payload, spelling),
      ...ignored(body, conflicts),
      ...idleOptions(written, packagedUids(payload.elements, connections)),
    ].slice(0, 100),
  };
};

/** Two lists of a connection multiply: they are counted before anybody walks them. */
const maxEdges = 200_000;

const refuseManyEdges = (written: readonly Written[], connections: readonly GraphConnection[]): void => {
  const count = countEdges(connections, sourcesAmong(written));
  if (count <= maxEdges) return;
  const message = `stand for ${count} edges between elements, and ${maxEdges} are the limit: name each edge once`;
  throw invalid([{ path: "payload.connections", message }]);
};

const sourcesAmong = (written: readonly Written[]): ReadonlySet<string> =>
  new Set(written.filter(({ kind }) => elementOf(kind)?.isSource).map(({ uid }) => uid));

const head = ({ name, priority, expiration, user_tag, task_tags, start_after, paused }: Body) => ({
  name,
  priority,
  expirationMinutes: expiration,
  userTag: user_tag ?? null,
  tags: task_tags,
  startAfter: start_after ?? null,
  isPaused: paused,
});

const refuseSchema = ({ schema, payload }: Body): void => {
  const isText = typeof payload === "string";
  if (schema === "service" && isText) {
    throw invalid([{ path: "payload", message: "must be a JSON object when schema is service, not a text" }]);
  }
  if (schema === "thirdparty") {
    const message = "must be an XML document, serialized to one text, when schema is thirdparty";
    throw invalid([{ path: "payload", message }]);
  }
};

/** A job of schema api_test may have any text as payload: it is one simulated element. */
const textJob = (body: Body): JobSpec => {
  const uid = "payload";
  const element = { uid, kind: "api_test", name: nameOf(undefined, body.name, uid), payload: {}, tags: [] };
  const script = apiTestStepOf(body.api_test, uid);
  const spec = { ...element, priority: undefined, retry: jobRetry(body), script };
  return { ...head(body), elements: [spec], connections: [], needs: [], warnings: [] };
};

const uidsOf = (list: readonly { readonly element: string }[]): string[] => list.map(({ element }) => element);

const graphErrors = (written: readonly Written[], connections: readonly GraphConnection[]): ErrorDetail[] => {
  const errors: ErrorDetail[] = [];
  const known = new Set<string>();
  for (const [index, { uid }] of written.entries()) {
    if (known.has(uid)) errors.push({ path: `payload.elements[${index}].uid`, message: `"${uid}" is used twice` });
    known.add(uid);
  }
  for (const [index, { from, success, error }] of connections.entries()) {
    const ends = { from, "to.success": success, "to.error": error };
    for (const [end, uids] of Object.entries(ends)) {
      for (const [place, uid] of uids.entries()) {
        if (known.has(uid)) continue;
        const path = `payload.connections[${index}].${end}[${place}].element`;
        errors.push({ path, message: noElement(uid, known, errors.length) });
      }
    }
  }
  const cycle = findCycle(connections);
  if (cycle) errors.push({ path: "payload.connections", message: `connections form a cycle: ${cycle.join(" -> ")}` });
  return errors;
};

/** Comparing names takes time: the first faults of a job say what was meant, which tells how to mend the others. */
const mostHints = 5;

const noElement = (uid: string, known: ReadonlySet<string>, before: number): string =>
  `there is no element with uid "${uid.slice(0, 200)}"${before < mostHints ? didYouMean(uid, known) : ""}`;

const retryErrors = (written: readonly Written[]): ErrorDetail[] =>
  written.flatMap(({ task }, index) =>
    task?.retry_method === "retry" && !task.retry
      ? [{ path: `payload.elements[${index}].task.retry`, message: "is required when retry_method is retry" }]
      : [],
  );

const knownUids = (written: readonly Written[]): ReadonlySet<string> => new Set(written.map(({ uid }) => uid));

/** Elements that other elements name must exist. */
const namedErrors = (written: readonly Written[]): ErrorDetail[] => {
  const known = knownUids(written);
  return written.flatMap(({ kind, payload }, index) =>
    (elementOf(kind)?.uidsIn?.(payload) ?? [])
      .filter(({ uid }) => !known.has(uid))
      .map(({ path, uid }) => ({
        path: pathText(["payload", "elements", index, "payload", ...path]),
        message: noElement(uid, known, index),
      })),
  );
};

const scriptErrors = ({ api_test }: Body, written: readonly Written[]): ErrorDetail[] => {
  const known = knownUids(written);
  return Object.keys(api_test?.elements ?? {})
    .filter((uid) => !known.has(uid))
    .map((uid, index) => ({
      path: pathText(["api_test", "elements", uid]),
      message: noElement(uid, known, index),
    }));
};

type Conflict = ErrorDetail & { readonly isStrict: boolean };

const conflictsOf = (written: readonly Written[], spelling: Spelling): Conflict[] =>
  written.flatMap(({ kind, payload }, index) =>
    (elementOf(kind)?.conflicts?.(payload) ?? []).map(({ path, message, isStrict }) => ({
      path: pathText(spelling(["payload", "elements", index, "payload", ...path])),
      message,
      isStrict,
    })),
  );

const needsOf = (written: readonly Written[]): JobSpec["needs"] =>
  written.flatMap(({ kind, payload }, index) =>
    (elementOf(kind)?.needs?.(payload) ?? []).map(({ path, capability }) => ({
      field: pathText(["payload", "elements", index, "payload", ...path]),
      capability,
    })),
  );

const elementSpec = (written: Written, body: Body, payload: unknown): ElementSpec => {
  const { task, uid } = written;
  const groups = task?.extended?.start_payload_filter?.processing_group_ids;
  const split = task?.flags?.split_task;
  return {
    uid,
    kind: written.kind,
    name: nameOf(task?.name || written.name, body.name, uid),
    payload: (payload ?? {}) as Record<string, unknown>, // it was just parsed as an object
    tags: task?.tags ?? [],
    priority: task?.priority,
    retry: retryOf(task, jobRetry(body)),
    ...(groups && { groups }),
    ...(split && { split }),
    ...(body.schema === "api_test" && { script: apiTestStepOf(body.api_test, uid) }),
  };
};

const nameOf = (given: string | undefined, job: string, uid: string): string => given || `${job} - ${uid}`;

const jobRetry = (body: Body): RetryPolicy => ({
  count: body.task_retry?.count ?? body["task_retry:count"] ?? 0,
  delaySec: body.task_retry?.delay_sec ?? body["task_retry:delay_sec"] ?? limits.defaultRetryDelaySec,
});

/** `fail`: no retries; `retry`: the element's own object; absent: the job's. */
const retryOf = (task: Written["task"], usual: RetryPolicy): RetryPolicy => {
  if (task?.retry_method === "fail") return { count: 0, delaySec: 0 };
  if (task?.retry_method !== "retry" || !task.retry) return usual;
  return { count: task.retry.count, delaySec: task.retry.delay_sec };
};

/** Unknown fields are kept and reported, never refused. */
const strangersOf = (body: Body, payload: z.output<typeof wholePayload>, spelling: Spelling): string[] => {
  const below = (path: Path) => spelling(["payload", ...path]);
  return [...unknownFields(jobSubmission, body, spelling), ...unknownFields(wholePayload, payload, below)].map(
    (field) => `${field.path} ${strangeness(field)}`,
  );
};

const strangeness = ({ meant }: UnknownField): string =>
  `is not known and has no effect${meant ? `; did you mean ${meant}?` : ""}`;

/** A field that is missing, or has no value that fits, is often there under a name with a slip: a refusal names those too. */
const withSlips = (problem: unknown, job: Record<string, unknown>, spelling: Spelling): unknown => {
  if (!(problem instanceof AppError)) return problem;
  const below = (path: Path) => spelling(["payload", ...path]);
  const fields = [
    ...unknownFields(jobSubmission, job, spelling),
    ...unknownFields(wholePayload, job.payload, below),
  ].filter(({ meant }) => meant !== undefined);
  const slips = fields.map((field) => ({ path: field.path, message: strangeness(field) }));
  const room = mostNamed - problem.details.length;
  return slips.length === 0 || slips.length > room ? problem : invalid([...problem.details, ...slips]);
};

/** A refusal of more faults says enough, and how many there are beyond those that it names. */
const mostNamed = 100;

const cautions = (written: readonly Written[]): string[] =>
  written.flatMap(({ uid, kind }) => {
    const caution = elementOf(kind)?.caution;
    return caution === undefined ? [] : [`${uid}: ${caution}`];
  });

/** Known fields that have no effect in this version. */
const idleOptions = (written: readonly Readonly<Record<string, unknown>>[], packaged: ReadonlySet<string>): string[] =>
  written.flatMap(({ uid, kind, payload, task }, index) =>
    Object.entries({ payload, task }).flatMap(([name, part]) =>
      ignoredFieldWarnings(part, `payload.elements[${index}].${name}`, String(kind), packaged.has(String(uid))),
    ),
  );

/** Elements whose files reach a package, itself or through others that pass on what came in. */
const packagedUids = (written: readonly Written[], connections: readonly GraphConnection[]): ReadonlySet<string> => {
  const passing = written.filter(({ kind }) => elementOf(kind)?.passesInputs).map(({ uid }) => uid);
  const found = new Set(written.filter(({ kind }) => kind === "package").map(({ uid }) => uid));
  const through = new Set([...found, ...passing]);
  // The set grows while it is walked: what feeds an element of it is added behind.
  const arriving = connectionsByEnd(connections, ({ success, error }) => [...success, ...error]);
  for (const uid of found) {
    if (!through.has(uid)) continue;
    for (const index of arriving.get(uid) ?? []) for (const feeder of connections[index]?.from ?? []) found.add(feeder);
  }
  return found;
};

const ignored = ({ schema, api_test }: Body, conflicts: readonly Conflict[]): string[] => [
  ...(api_test && schema !== "api_test" ? [`api_test has no effect on jobs of schema ${schema}`] : []),
  ...conflicts.map(({ path, message }) => `${path}: ${message}; it is ignored`),
];
