import { useMay } from "../../data/session.tsx";
import { Columns } from "../../ui/columns.tsx";
import { Page } from "../../ui/page.tsx";
import { ComputeGroups } from "./compute-groups.tsx";
import { Credentials } from "./credentials.tsx";
import { Limits } from "./limits.tsx";
import { Mounts } from "./mounts.tsx";

/** What is said once for the whole farm: how much of something may run, which nodes are for what, where files lie and what opens them. */
export const FarmPage = () => {
  const isOwner = useMay("owner");
  return (
    <Page title="Farm">
      <Columns side={<Limits />}>
        <ComputeGroups />
        <Mounts />
        {isOwner && <Credentials />}
      </Columns>
    </Page>
  );
};
