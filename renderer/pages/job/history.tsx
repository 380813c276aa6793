import { t } from "@lingui/core/macro";
import type { AuditEntry } from "../../../shared/people/audit.ts";
import { useNow } from "../../data/link.ts";
import { Panel } from "../../ui/layout/panel.tsx";
import { AuditList } from "../../ui/text/audit-list.tsx";

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
