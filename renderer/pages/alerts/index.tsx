import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { useMay } from "../../data/session.tsx";
import { Failed } from "../../ui/controls/failed.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { Columns } from "../../ui/table/columns.tsx";
import { Empty, Loading } from "../../ui/text/notice.tsx";
import { alertsQuery } from "./alerts-query.ts";
import { Channels } from "./channels.tsx";
import { Messages } from "./messages.tsx";
import { Rules } from "./rules.tsx";

/** What the farm tells people who are not looking, where, and what it told. */
export const AlertsPage = () => {
  const isOwner = useMay("owner");
  return (
    <Page title={t`Alerts`}>{isOwner ? <Alerts /> : <Empty title={t`Only an owner sees the farm's alerts.`} />}</Page>
  );
};

const Alerts = () => {
  const { data, error, refetch } = useQuery(alertsQuery);
  if (!data) return error ? <Failed error={error} onAgain={() => void refetch()} /> : <Loading what={t`the alerts`} />;
  return (
    <Columns side={<Rules key={JSON.stringify(data.settings)} settings={data.settings} />}>
      <Channels channels={data.channels} />
      <Messages messages={data.messages} />
    </Columns>
  );
};
