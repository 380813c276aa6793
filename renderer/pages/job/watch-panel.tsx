import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import type { WatchView } from "../../../shared/api/watch-view.ts";
import { messageOf } from "../../../shared/basics/errors.ts";
import { nameOf } from "../../../shared/files/location.ts";
import { jobStateName } from "../../../shared/model/state-labels.ts";
import { useActions } from "../../data/actions.ts";
import { useNow } from "../../data/link.ts";
import { jobQuery, jobStatesQuery, watchesQuery } from "../../data/queries.ts";
import { useMay } from "../../data/session.tsx";
import { Button } from "../../ui/controls/button.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { Confirm } from "../../ui/overlays/dialog.tsx";
import { bytes, number, shortTime, span } from "../../ui/text/format.ts";
import { Empty, Loading, Notice } from "../../ui/text/notice.tsx";
import { State } from "../../ui/text/state.tsx";
import { Words } from "../../ui/text/words.tsx";
import css from "./watch.module.css";

/** The watched folders of a job: what they contained, what became a job, and what is left alone and why. */
export const WatchPanels = ({ jobId }: { readonly jobId: string }) => {
  const { data: views, error } = useQuery(watchesQuery(jobId));
  useTold(jobId, views?.map(({ summary }) => summary).join("\n"));
  if (!views) {
    return (
      <Panel title={t`Watched folder`}>
        {error ? <Notice tone="failed">{messageOf(error)}</Notice> : <Loading what={t`the watched folder`} />}
      </Panel>
    );
  }
  return views.map((view) => <WatchPanel key={view.element_uid} jobId={jobId} view={view} />);
};

/** The line above says the same as the panels: there are no events for checks of folders, so it is read again with them. */
const useTold = (jobId: string, told: string | undefined): void => {
  const client = useQueryClient();
  useEffect(() => {
    if (told !== undefined) void client.invalidateQueries({ queryKey: jobQuery(jobId).queryKey });
  }, [client, jobId, told]);
};

const WatchPanel = ({ jobId, view }: { readonly jobId: string; readonly view: WatchView }) => {
  const { folder, waiting, files, counts, is_watching } = view;
  const now = useNow();
  const { data: children } = useQuery(jobStatesQuery(files.flatMap(({ job_id }) => job_id ?? [])));
  return (
    <Panel
      title={t`Watched folder`}
      count={t`${number(counts.taken)} taken`}
      aid={is_watching && <StopWatching jobId={jobId} folder={folder} />}
    >
      <p className={css.line}>
        <State state={is_watching ? "running" : "stopped"} word={is_watching ? t`Watching` : t`Not watching`} />{" "}
        <Words text={folder} wraps className={css.folder} />
      </p>
      <p className={css.line}>{checkWords(view, now)}</p>
      <Words text={view.summary} wraps className={css.summary} />
      {waiting.length + files.length === 0 ? (
        <Empty title={is_watching ? t`No file has arrived yet.` : t`No file arrived.`} />
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls has to be reached by keys
        <ul className={css.list} tabIndex={0} aria-label={t`Files of the watched folder`}>
          {waiting.map(({ uri, size, why }) => (
            <li key={uri} className={css.file}>
              <State state="waiting" word={t`May still grow`} />
              <Words text={nameOf(uri)} />
              <span className={css.word}>
                {bytes(size)}, <span translate="no">{why}</span>
              </span>
            </li>
          ))}
          {files.map((file) => (
            <TakenFile
              key={`${file.uri} ${file.taken}`}
              file={file}
              child={file.job_id === null ? undefined : children?.get(file.job_id)}
              now={now}
            />
          ))}
        </ul>
      )}
    </Panel>
  );
};

/** When the folder was checked, and when it is again. */
const checkWords = ({ last_look, next_look, interval_sec, is_watching }: WatchView, now: number): string => {
  const last = last_look === null ? t`Not checked yet` : t`Last check ${span(now - Date.parse(last_look))} ago`;
  if (!is_watching) return `${last}.`;
  if (next_look === null) return t`${last}; a node is checking now.`;
  const ahead = Date.parse(next_look) - now;
  const pause = span(interval_sec * 1000);
  return ahead > 1000 ? t`${last}; next in ${span(ahead)}, every ${pause}.` : t`${last}; next at once, every ${pause}.`;
};

const TakenFile = ({
  file,
  child,
  now,
}: {
  readonly file: WatchView["files"][number];
  /** Undefined until it is known, and for a deleted job. */
  readonly child: Parameters<typeof jobStateName>[0] | undefined;
  readonly now: number;
}) => {
  const { uri, taken, job_id, problem } = file;
  return (
    <li className={css.file}>
      {job_id !== null && (
        <State state={child ? jobStateName(child) : "notTaken"} word={child ? undefined : t`Taken`} />
      )}
      {job_id === null && problem !== null && <State state="failed" word={t`No job`} />}
      {job_id === null && problem === null && <State state="notTaken" word={t`Left alone`} />}
      <Words text={nameOf(uri)} />
      <span className={css.word}>
        {job_id !== null && (
          <Link to="/jobs/$jobId" params={{ jobId: job_id }} search={{}}>
            <Trans>job {job_id}</Trans>
          </Link>
        )}{" "}
        {shortTime(taken, now)}
      </span>
      {job_id === null && (
        <Words
          text={problem ?? t`It was there before the first check.`}
          isOurs={problem === null}
          wraps
          className={css.reason}
        />
      )}
    </li>
  );
};

const StopWatching = ({ jobId, folder }: { readonly jobId: string; readonly folder: string }) => {
  const actions = useActions();
  const mayChange = useMay("operator");
  const [isAsked, setAsked] = useState(false);
  if (!mayChange) return null;
  return (
    <>
      <Button onClick={() => setAsked(true)}>
        <Trans>Stop watching…</Trans>
      </Button>
      <Confirm
        title={t`Stop watching this folder?`}
        text={t`New files in ${folder.slice(0, 200)} start no more jobs. Child jobs that have started continue.`}
        keep={t`Keep watching`}
        go={t`Stop watching`}
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        onGo={() => void actions.stop([{ id: jobId }])}
      />
    </>
  );
};
