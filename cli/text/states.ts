import { type StateName, states } from "../../shared/model/state-labels.ts";

/** A state's glyph where there is text alone; each takes one column. */
const glyphs: Readonly<Record<StateName, string>> = {
  queued: "○",
  running: "▶",
  completed: "✓",
  handled: "✓",
  failed: "✕",
  retrying: "↻",
  waiting: "⧖",
  blocked: "⊝",
  stopped: "■",
  notTaken: "»",
  pending: "?",
  off: "○",
  idle: "•",
  inUse: "⌂",
  working: "▶",
  paused: "‖",
  scheduled: "◷",
  draining: "↧",
  quarantined: "⊘",
  probation: "⚖",
  late: "◔",
  lost: "◌",
};

export const stateText = (state: StateName): string => `${glyphs[state]} ${states[state].word}`;
