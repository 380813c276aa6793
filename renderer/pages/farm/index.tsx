import { t } from "@lingui/core/macro";
import { useMay } from "../../data/session.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { Columns } from "../../ui/table/columns.tsx";
import { Backups } from "./backups.tsx";
import { ComputeGroups } from "./compute-groups.tsx";
import { Credentials } from "./credentials.tsx";
import { Limits } from "./limits.tsx";
import { Mounts } from "./mounts.tsx";
import { Outbound } from "./outbound.tsx";
import { Retention } from "./retention.tsx";
import { Traces } from "./traces.tsx";

/**
 * What is said once for the whole farm: how much of something may run, which nodes are for what, where files lie, what opens
 * them, what jobs may reach, how long they are kept, when the farm was backed up, and who is told traces.
 */
export const FarmPage = () => {
  const isOwner = useMay("owner");
  const isOperator = useMay("operator");
  return (
    <Page title={t`Farm`}>
      <Columns
        side={
          <>
            <Limits />
            <Retention />
            {isOperator && <Backups />}
            <Outbound />
            {isOperator && <Traces />}
          </>
        }
      >
        <ComputeGroups />
        <Mounts />
        {isOwner && <Credentials />}
      </Columns>
    </Page>
  );
};
