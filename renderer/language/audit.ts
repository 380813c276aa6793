import { t } from "@lingui/core/macro";
import type { AuditAction, AuditEntry } from "../../shared/people/audit.ts";

const entries: Readonly<Record<AuditAction, (who: string) => string>> = {
  submit: (who) => t`Sent by ${who}`,
  stop: (who) => t`Stopped by ${who}`,
  pause: (who) => t`Paused by ${who}`,
  resume: (who) => t`Resumed by ${who}`,
  retry: (who) => t`Retried by ${who}`,
  change: (who) => t`Changed by ${who}`,
  priority: (who) => t`Priority changed by ${who}`,
  undo: (who) => t`Taken back by ${who}`,
  activate: (who) => t`Activated by ${who}`,
  drain: (who) => t`Drained by ${who}`,
  pause_node: (who) => t`Paused by ${who}`,
  change_node: (who) => t`Changed by ${who}`,
};

/** "Paused by Jonas 14:02: “new end card comes”"; without its time where that stands elsewhere. */
export const auditWords = (
  { action, who, note }: Pick<AuditEntry, "action" | "who" | "note">,
  time?: string,
): string => {
  const done = entries[action](who || t`a program`);
  const what = time === undefined ? done : `${done} ${time}`;
  return note ? t`${what}: “${note}”` : what;
};
