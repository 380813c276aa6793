import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { useMay } from "../../data/session.tsx";
import { Failed } from "../../ui/controls/failed.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { Empty, Loading } from "../../ui/text/notice.tsx";
import { Messages } from "./messages.tsx";
import { WebhookList } from "./webhook-list.tsx";
import { webhooksQuery } from "./webhooks-query.ts";

/** What programs are told of events, where it goes, and whether it arrived. */
export const WebhooksPage = () => {
  const isOperator = useMay("operator");
  return (
    <Page title={t`Webhooks`}>
      {isOperator ? <Webhooks /> : <Empty title={t`Only operators and owners see the farm's webhooks.`} />}
    </Page>
  );
};

const Webhooks = () => {
  const { data, error, refetch } = useQuery(webhooksQuery);
  if (!data)
    return error ? <Failed error={error} onAgain={() => void refetch()} /> : <Loading what={t`the webhooks`} />;
  return (
    <>
      <WebhookList webhooks={data} />
      <Messages webhooks={data} />
    </>
  );
};
