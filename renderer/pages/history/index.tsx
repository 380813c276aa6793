import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { messageOf } from "../../../shared/errors.ts";
import { useNow } from "../../data/link.ts";
import { deedsQuery } from "../../data/queries.ts";
import { deedWords } from "../../language/deeds.ts";
import { Button } from "../../ui/button.tsx";
import { shortTime } from "../../ui/format.ts";
import { Empty, Loading, Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Words } from "../../ui/words.tsx";
import css from "./history.module.css";

/** Who did what to jobs and nodes, newest first. */
export const HistoryPage = () => {
  const { data: deeds, error, refetch } = useQuery(deedsQuery);
  const now = useNow();
  return (
    <Page title={t`History`}>
      <Panel title={t`What people and programs did`} count={deeds?.length}>
        {error && (
          <Notice
            tone="failed"
            action={
              <Button onClick={() => void refetch()}>
                <Trans>Try again</Trans>
              </Button>
            }
          >
            {messageOf(error)}
          </Notice>
        )}
        {!deeds && !error && <Loading what={t`the history`} />}
        {deeds?.length === 0 && <Empty title={t`No actions yet: stops, pauses, retries and drains appear here.`} />}
        <ul className={css.list}>
          {deeds?.map((deed, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two deeds may be the same in every word
            <li key={`${deed.at} ${index}`}>
              <time dateTime={deed.at}>{shortTime(deed.at, now)}</time>
              {deed.job_id !== null && (
                <Link to="/jobs/$jobId" params={{ jobId: deed.job_id }} search={{}}>
                  <Trans>Job {deed.job_id}</Trans>
                </Link>
              )}
              {deed.node_id !== null && (
                <Link to="/nodes/$nodeId" params={{ nodeId: deed.node_id }}>
                  <Trans>Node {deed.node_id}</Trans>
                </Link>
              )}
              <Words text={deedWords(deed)} wraps isOurs />
            </li>
          ))}
        </ul>
      </Panel>
    </Page>
  );
};
