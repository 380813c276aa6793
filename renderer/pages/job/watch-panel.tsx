import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { nameOf } from "../../../shared/location.ts";
import type { WatchView } from "../../../shared/watch-view.ts";
import { useNow } from "../../data/link.ts";
import { watchesQuery } from "../../data/queries.ts";
import { shortTime } from "../../ui/format.ts";
import { Panel } from "../../ui/panel.tsx";
import { Words } from "../../ui/words.tsx";
import css from "./watch.module.css";

/** What the job's watched folders saw and took, and what they wait for. */
export const WatchPanels = ({ jobId }: { readonly jobId: string }) => {
  const { data: views = [] } = useQuery(watchesQuery(jobId));
  return views.map((view) => <WatchPanel key={view.element_uid} view={view} />);
};

const WatchPanel = ({ view: { folder, summary, next_look, waiting, files, counts } }: { readonly view: WatchView }) => {
  const now = useNow();
  return (
    <Panel title="Watched folder" count={`${counts.taken} taken`}>
      <p className={css.line}>
        <Words text={`${folder}: ${summary}`} />
        {next_look !== null && `; next look ${shortTime(next_look, now)}`}
      </p>
      <ul className={css.list} aria-label="Files of the watched folder">
        {waiting.map(({ uri, why }) => (
          <li key={uri} className={css.file}>
            <Words text={nameOf(uri)} />
            <span className={css.word}>{why}</span>
          </li>
        ))}
        {files.map((file) => (
          <li key={`${file.uri} ${file.taken}`} className={css.file}>
            <Words text={nameOf(file.uri)} />
            <span className={css.word}>
              {file.job_id === null ? (
                (file.problem ?? "was there before")
              ) : (
                <Link to="/jobs/$jobId" params={{ jobId: file.job_id }}>
                  job {file.job_id}
                </Link>
              )}
              , {shortTime(file.taken, now)}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
};
