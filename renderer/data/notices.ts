import { plural, t } from "@lingui/core/macro";
import type { Node } from "../../shared/model/node.ts";
import { nodeStateName } from "../../shared/model/state-labels.ts";
import { usefulEnd } from "../../shared/texts/useful-error-end.ts";
import { toldTitle } from "../language/alerts.ts";
import type { Batch } from "./batch.ts";

/** Events that somebody may want to be notified of while they look elsewhere. */
export const noticeKinds = {
  failed: { word: t`A job failed`, isUsual: true },
  completed: { word: t`A job completed`, isUsual: false },
  lost: { word: t`A node is lost`, isUsual: true },
  quarantined: { word: t`A node is quarantined`, isUsual: true },
  alert: { word: t`An alert of the farm, if an owner sends it to desktops`, isUsual: true },
} as const;

export type NoticeKind = keyof typeof noticeKinds;
export const noticeNames = Object.keys(noticeKinds) as NoticeKind[]; // Object.keys forgets the literal names

/** `address`: the page that shows it. */
export type FarmNotice = { readonly kind: NoticeKind; readonly text: string; readonly address: string };

const key = "mediafarm.notices";

/** What is wanted in this browser. */
export const readWanted = (): ReadonlySet<NoticeKind> => {
  const kept = localStorage.getItem(key);
  if (kept === null) return new Set(noticeNames.filter((kind) => noticeKinds[kind].isUsual));
  const words = kept.split(",");
  return new Set(noticeNames.filter((kind) => words.includes(kind)));
};

export const keepWanted = (wanted: ReadonlySet<NoticeKind>): void => localStorage.setItem(key, [...wanted].join(","));

/** One, or many like it. */
const jobWords = {
  failed: (count: number, name: string) => plural(count, { 1: `${name} failed`, other: `# jobs failed, like ${name}` }),
  completed: (count: number, name: string) =>
    plural(count, { 1: `${name} completed`, other: `# jobs completed, like ${name}` }),
} as const;
const nodeWords = {
  lost: (count: number, name: string) =>
    plural(count, { 1: `${name} is lost`, other: `# nodes are lost, like ${name}` }),
  quarantined: (count: number, name: string) =>
    plural(count, { 1: `${name} is quarantined`, other: `# nodes are quarantined, like ${name}` }),
} as const;

/** Ends that were already reported, each as job and time. */
const mostTold = 2000;

/**
 * Finds in each batch of events what is worth a word: jobs that ended since `begun`, each end once, and nodes that were
 * well before. Many of a kind are one notice.
 */
export const createNoticeFinder = (begun: number) => {
  const told = new Set<string>();
  const isNew = (end: string): boolean => {
    if (told.has(end)) return false;
    told.add(end);
    if (told.size > mostTold) told.delete([...told][0] ?? "");
    return true;
  };

  const jobsIn = ({ jobs }: Batch, kind: "failed" | "completed"): FarmNotice[] => {
    const ended = [...jobs.values()].filter(
      (job) =>
        job?.status === kind &&
        job.substatus !== "stopped" &&
        Date.parse(job.end_time ?? "") >= begun &&
        isNew(`${job.id} ${job.end_time}`),
    );
    const [first] = ended;
    if (!first) return [];
    const what = jobWords[kind](ended.length, first.name);
    const text = kind === "failed" && first.error !== null ? `${what}: ${usefulEnd(first.error)}` : what;
    return [{ kind, text, address: ended.length === 1 ? `#/jobs/${first.id}` : `#/jobs?state=${kind}` }];
  };

  const nodesIn = ({ nodes }: Batch, before: readonly Node[], kind: "lost" | "quarantined"): FarmNotice[] => {
    const earlier = new Map(before.map((node) => [node.id, nodeStateName(node)]));
    const now = [...nodes.values()].filter(
      (node): node is Node =>
        node !== null && nodeStateName(node) === kind && earlier.has(node.id) && earlier.get(node.id) !== kind,
    );
    const [first] = now;
    if (!first) return [];
    const text = nodeWords[kind](now.length, first.name);
    return [{ kind, text, address: now.length === 1 ? `#/nodes/${first.id}` : `#/nodes?state=${kind}` }];
  };

  const alertsIn = ({ alerts }: Batch): FarmNotice[] =>
    [...alerts]
      .filter(([id]) => isNew(["alert", id].join(" ")))
      .map(([, told]) => ({ kind: "alert", text: toldTitle(told), address: "#/overview" }));

  return (batch: Batch, nodesBefore: readonly Node[]): FarmNotice[] => [
    ...alertsIn(batch),
    ...jobsIn(batch, "failed"),
    ...jobsIn(batch, "completed"),
    ...nodesIn(batch, nodesBefore, "lost"),
    ...nodesIn(batch, nodesBefore, "quarantined"),
  ];
};

/** Shows notices in the page, or by the system if the page is hidden and the browser may show them. */
export const tellNotices = (
  notices: readonly FarmNotice[],
  say: (text: string, act: () => void, word: string) => void,
): void => {
  const wanted = readWanted();
  for (const { kind, text, address } of notices) {
    if (!wanted.has(kind)) continue;
    const isSeen = document.visibilityState === "visible" && document.hasFocus();
    // The page says so itself, and there is nothing to open.
    if (isSeen && location.hash.split("?")[0] === address) continue;
    if (isSeen || !showBySystem(text, address)) say(`${text}.`, () => go(address), t`Open`);
  }
};

/** False if the browser does not show it. */
const showBySystem = (text: string, address: string): boolean => {
  if (typeof Notification === "undefined" || Notification.permission !== "granted") return false;
  try {
    const notice = new Notification("Mediafarm", { body: text, tag: address });
    notice.onclick = () => {
      window.focus();
      go(address);
    };
    return true;
  } catch {
    return false; // Chrome on Android lets only service workers show any
  }
};

const go = (address: string): void => {
  location.hash = address;
};
