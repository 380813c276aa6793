import type { AppError } from "../../shared/basics/errors.ts";
import { invalid } from "../../shared/basics/validation.ts";
import { parseXml, XmlError } from "../../shared/basics/xml.ts";
import { destinationOf } from "./destinations.ts";
import { type CnpsNode, LineError, openNode } from "./node.ts";
import { filteredSource, sourceOf } from "./sources.ts";
import { mailsOf, tasksAfter } from "./tasks.ts";

type Json = Record<string, unknown>;

/**
 * Converts a submission of schema thirdparty to an ordinary one, and lists parts of its document that have no effect.
 */
export type FromXml = { readonly job: Json; readonly warnings: readonly string[] };

/** Throws AppError VALIDATION_FAILED, naming the line, for a document that cannot be converted. */
export const fromThirdparty = (received: Json): FromXml => {
  const { payload, ...rest } = received;
  if (typeof payload !== "string") throw refuse("must be an XML document, serialized to one text");
  try {
    return jobOf(openNode(parseXml(payload)), rest);
  } catch (problem) {
    if (problem instanceof LineError) throw refuse(problem.message);
    if (problem instanceof XmlError) throw refuse(`is not well-formed XML: ${problem.message}`);
    throw problem;
  }
};

const refuse = (message: string): AppError => invalid([{ path: "payload", message }]);

const jobOf = (root: CnpsNode, rest: Json): FromXml => {
  if (root.name.toLowerCase() !== "cnpsxml") root.fail(`the root must be <cnpsXML>, not <${root.name}>`);
  const type = root.text("TaskType");
  if (type !== undefined && type.toLowerCase() !== "jobqueue") root.fail(`TaskType "${type}" is no job; JobQueue is`);
  for (const name of ["CarbonAPIVer", "CreatedByAppVersion", "ProjectID", "User", "Description"]) root.text(name);
  const settings = root.one("ProjectSettings");
  const flags = settings?.one("KernelFlags");
  const sources = root.one("Sources") ?? root.fail("there is no <Sources>");
  const destinations = root.one("Destinations")?.all("Module") ?? [];
  if (destinations.length === 0) root.fail("<Destinations> has no <Module_0>");
  const { elements, connections, last, subtitles } = branchesOf(destinations, filteredSource(sources));
  const payload = sourceOf(sources, settings?.isOn("Stitching") ?? false, subtitles);
  const source = { uid: "source", kind: "source", payload };
  const notices = noticesOf(root.one("Notify"), last, elements);
  const priority = rest.priority ?? priorityOf(root.integer("Priority") ?? settings?.integer("Priority"));
  const job = {
    ...rest,
    schema: "service",
    name: rest.name ?? root.text("JobName"),
    ...(priority !== undefined && { priority }),
    payload: {
      elements: [source, ...elements, ...notices.elements],
      connections: [...connections, ...notices.connections],
    },
  };
  root.text("JobName");
  return { job, warnings: warningsOf(root, flags) };
};

/** Internal settings of their program are reported once, not one by one. */
const warningsOf = (root: CnpsNode, flags: CnpsNode | undefined): string[] => {
  const ofFlags = flags?.unread() ?? [];
  const others = root.unread().filter((each) => !ofFlags.includes(each));
  return [...(ofFlags.length > 0 ? [`line ${flags?.line}: KernelFlags have no effect`] : []), ...others].slice(0, 50);
};

const priorityOf = (priority: number | undefined): number | undefined =>
  priority === undefined ? undefined : Math.min(254, Math.max(1, priority));

type Element = { readonly uid: string; readonly kind: string; readonly payload: Json; readonly preset?: Json };
type Connection = { readonly from: readonly { element: string }[]; readonly to: Json };

const connect = (from: readonly string[], success: readonly string[], error: readonly string[] = []): Connection => ({
  from: from.map((element) => ({ element })),
  to: { success: success.map((element) => ({ element })), error: error.map((element) => ({ element })) },
});

/** Each destination is a separate transcode, and its follow-up tasks run one after the other. */
const branchesOf = (destinations: readonly CnpsNode[], filtered: CnpsNode | undefined) => {
  const elements: Element[] = [];
  const connections: Connection[] = [];
  const last: string[] = [];
  const drawn = new Set<string>();
  for (const [index, module] of destinations.entries()) {
    const uid = `destination_${index}`;
    const { payload, preset, subtitles } = destinationOf(module, filtered);
    for (const each of subtitles) drawn.add(each);
    if (drawn.size > 1) module.fail("filters draw one file of subtitles only, the same in every destination");
    const tasks = tasksAfter(module, uid);
    elements.push(
      { uid, kind: "transcode", payload, ...(preset !== undefined && { preset: { key: preset } }) },
      ...tasks,
    );
    const chain = [uid, ...tasks.map((task) => task.uid)];
    connections.push(...["source", ...chain].slice(0, -1).map((from, at) => connect([from], [chain[at] ?? uid])));
    last.push(chain.at(-1) ?? uid);
  }
  return { elements, connections, last, subtitles: [...drawn] };
};

/** Who is notified on success, and who on failure. */
const noticesOf = (notify: CnpsNode | undefined, last: readonly string[], elements: readonly Element[]) => {
  const early = mailsOf(notify?.one("PreTaskNotify"), "before");
  const done = mailsOf(notify?.one("PostTaskNotify"), "done");
  const failed = mailsOf(notify?.one("TaskErrorNotify"), "failed");
  const uids = (list: readonly Element[]) => list.map(({ uid }) => uid);
  const before = early.length > 0 ? [connect(["source"], uids(early))] : [];
  const after = done.length > 0 ? [connect(last, uids(done))] : [];
  const onError = failed.length > 0 ? [connect(["source", ...uids(elements)], [], uids(failed))] : [];
  return { elements: [...early, ...done, ...failed], connections: [...before, ...after, ...onError] };
};
