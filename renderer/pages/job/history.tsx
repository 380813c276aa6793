import { t } from "@lingui/core/macro";
import type { AuditEntry } from "../../../shared/audit.ts";
import { useNow } from "../../data/link.ts";
import { AuditList } from "../../ui/audit-list.tsx";
import { Panel } from "../../ui/panel.tsx";

/** Who did what to the job. */
export const History = ({ entries }: { readonly entries: readonly AuditEntry[] }) => {
  const now = useNow();
  if (entries.length === 0) return null;
  return (
    <Panel title={t`History`} count={entries.length}>
      <AuditList entries={entries} now={now} />
    </Panel>
  );
};
