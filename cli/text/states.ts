import type { JobInfo } from "../../shared/job-info.ts";
import type { Node } from "../../shared/node.ts";
import type { TaskInfo } from "../../shared/task.ts";

/** What a state means to the eye: the hues of the pages, as far as a terminal has them. */
export type Tone = "idle" | "run" | "ok" | "bad" | "warn" | "wait";

/** Each state's word, its glyph in text and its tone: the same words that the pages use. */
export const looks = {
  queued: { word: "Queued", glyph: "○", tone: "idle" },
  running: { word: "Running", glyph: "▶", tone: "run" },
  completed: { word: "Completed", glyph: "✓", tone: "ok" },
  handled: { word: "Completed, errors handled", glyph: "✓", tone: "warn" },
  failed: { word: "Failed", glyph: "✕", tone: "bad" },
  retrying: { word: "Retrying", glyph: "↻", tone: "warn" },
  waiting: { word: "Waiting", glyph: "⧖", tone: "wait" },
  blocked: { word: "Blocked", glyph: "⊝", tone: "wait" },
  stopped: { word: "Stopped", glyph: "■", tone: "idle" },
  notTaken: { word: "Not taken", glyph: "»", tone: "idle" },
  idle: { word: "Idle", glyph: "•", tone: "idle" },
  working: { word: "Working", glyph: "▶", tone: "run" },
  paused: { word: "Paused", glyph: "‖", tone: "idle" },
  scheduled: { word: "Scheduled", glyph: "◷", tone: "idle" },
  draining: { word: "Draining", glyph: "↧", tone: "warn" },
  quarantined: { word: "Quarantined", glyph: "⊘", tone: "bad" },
  probation: { word: "On probation", glyph: "⚖", tone: "warn" },
  late: { word: "Late", glyph: "◔", tone: "warn" },
  lost: { word: "Lost", glyph: "◌", tone: "bad" },
} as const satisfies Record<string, { readonly word: string; readonly glyph: string; readonly tone: Tone }>;
export type Look = keyof typeof looks;

export const lookText = (look: Look): string => `${looks[look].glyph} ${looks[look].word}`;

const bySubstatus: Readonly<Record<string, Look>> = {
  stopped: "stopped",
  handled_errors: "handled",
  retrying: "retrying",
  running: "running",
  waiting: "waiting",
};

export const lookOfJob = ({ status, substatus }: Pick<JobInfo, "status" | "substatus">): Look => {
  if (substatus === "paused" || substatus === "scheduled") return substatus;
  if (status === "queued") return "queued";
  return bySubstatus[substatus ?? ""] ?? (status === "active" ? "running" : status);
};

export const lookOfTask = (status: TaskInfo["status"]): Look => status;

/** Presence comes first: what is asked of a node that is not heard does not matter yet. */
export const lookOfNode = ({
  presence,
  state,
  health,
  running,
}: Pick<Node, "presence" | "state" | "health" | "running">): Look => {
  if (presence !== "online") return presence;
  if (health.state === "quarantined") return "quarantined";
  if (state === "paused") return "paused";
  if (state === "drain") return "draining";
  if (health.state === "probation") return "probation";
  return running.length > 0 ? "working" : "idle";
};
