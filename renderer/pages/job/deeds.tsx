import { t } from "@lingui/core/macro";
import type { Deed } from "../../../shared/deed.ts";
import { useNow } from "../../data/link.ts";
import { DeedList } from "../../ui/deed-list.tsx";
import { Panel } from "../../ui/panel.tsx";

/** Who did what to the job. */
export const Deeds = ({ deeds }: { readonly deeds: readonly Deed[] }) => {
  const now = useNow();
  if (deeds.length === 0) return null;
  return (
    <Panel title={t`History`} count={deeds.length}>
      <DeedList deeds={deeds} now={now} />
    </Panel>
  );
};
