import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { messageOf } from "../../../shared/errors.ts";
import type { JobOutput } from "../../../shared/job-outputs.ts";
import { request, uiUrl } from "../../data/client.ts";
import buttonCss from "../../ui/button.module.css";
import { Button } from "../../ui/button.tsx";
import { Loading, Notice } from "../../ui/notice.tsx";
import css from "./outputs.module.css";
import { whyNotPlayed } from "./playable.ts";

/** Plays one file in the page, or explains why it cannot. */
export const Player = ({ output, onClose }: { readonly output: JobOutput; readonly onClose: () => void }) => {
  const { task_id, position, facts } = output;
  const [problem, setProblem] = useState<string>();
  const { data: link, error } = useQuery({
    queryKey: ["media", task_id, position],
    staleTime: 1_800_000,
    retry: false,
    queryFn: ({ signal }) => request("linkOutput", { task_id, position: String(position) }, { signal }),
  });
  const url = link && uiUrl(link.path);
  const fail = () => setProblem(whyNotPlayed(facts, link?.type ?? ""));
  return (
    <div className={css.player}>
      {!link && !error && <Loading what={t`the file`} rows={2} />}
      {error && <Notice tone="late">{messageOf(error)}</Notice>}
      {problem !== undefined && <Notice tone="late">{problem}</Notice>}
      {url && problem === undefined && <Shown output={output} url={url} show={link.show} onFail={fail} />}
      <div className={css.under}>
        {url && (
          <a className={`${buttonCss.button}`} href={url} download>
            <Trans>Download</Trans>
          </a>
        )}
        <Button look="quiet" onClick={onClose}>
          <Trans>Close</Trans>
        </Button>
      </div>
    </div>
  );
};

type ShownProps = {
  readonly output: JobOutput;
  readonly url: string;
  readonly show: string;
  readonly onFail: () => void;
};

const Shown = ({ output, url, show, onFail }: ShownProps) => {
  if (show === "image") return <img src={url} alt={output.uri} onError={onFail} />;
  // biome-ignore lint/a11y/useMediaCaption: what a job made has the captions that it has
  if (show === "audio") return <audio src={url} controls onError={onFail} aria-label={output.uri} />;
  if (show === "text") return <Text url={url} />;
  if (show === "playlist") return <Playlist url={url} onFail={onFail} />;
  return (
    <>
      {/* biome-ignore lint/a11y/useMediaCaption: what a job made has the captions that it has */}
      <video src={url} controls preload="metadata" onError={onFail} aria-label={output.uri} />
      <Stills output={output} url={url} />
    </>
  );
};

const mostStills = 5;

/** Frames at equal intervals, decoded by the browser. */
const Stills = ({ output: { facts }, url }: { readonly output: JobOutput; readonly url: string }) => {
  const length = facts?.duration ? facts.duration.num / facts.duration.den : 0;
  if (length < 1 || !facts?.video.length) return null;
  return (
    <div className={css.stills} aria-hidden="true">
      {Array.from({ length: mostStills }, (_, at) => {
        const seconds = ((at + 0.5) * length) / mostStills;
        return <video key={seconds} src={`${url}#t=${seconds.toFixed(2)}`} preload="metadata" muted tabIndex={-1} />;
      })}
    </div>
  );
};

const mostText = 200_000;

const Text = ({ url }: { readonly url: string }) => {
  const { data, error } = useQuery({
    queryKey: ["media-text", url],
    queryFn: async ({ signal }) => {
      const answer = await fetch(url, { signal, headers: { range: `bytes=0-${mostText}` } });
      if (!answer.ok) throw new Error(`The file cannot be read: ${answer.status}`);
      return answer.text();
    },
  });
  if (error) return <Notice tone="late">{messageOf(error)}</Notice>;
  // biome-ignore lint/a11y/noNoninteractiveTabindex: text that scrolls has to be reached by keys
  return data === undefined ? <Loading what={t`the file`} /> : <pre tabIndex={0}>{data}</pre>;
};

/** Players for playlists are large, so they are loaded only when needed. */
const Playlist = ({ url, onFail }: { readonly url: string; readonly onFail: () => void }) => {
  const video = useRef<HTMLVideoElement>(null);
  const failed = useRef(onFail);
  failed.current = onFail;
  useEffect(() => {
    const element = video.current;
    if (!element) return;
    let isOver = false;
    let close = () => {};
    const play = /\.mpd$/i.test(new URL(url).pathname) ? playDash : playHls;
    void play(element, url, () => failed.current())
      .then((end) => {
        close = end;
        if (isOver) end();
      })
      .catch(() => failed.current());
    return () => {
      isOver = true;
      close();
    };
  }, [url]);
  // biome-ignore lint/a11y/useMediaCaption: what a job made has the captions that it has
  return <video ref={video} controls aria-label={url} />;
};

const playHls = async (element: HTMLVideoElement, url: string, onFail: () => void): Promise<() => void> => {
  const { default: Hls } = await import("hls.js");
  // Its worker would be loaded from a blob, which the pages' policy forbids.
  const player = new Hls({ enableWorker: false });
  player.on(Hls.Events.ERROR, (_event, { fatal }) => fatal && onFail());
  player.loadSource(url);
  player.attachMedia(element);
  return () => player.destroy();
};

const playDash = async (element: HTMLVideoElement, url: string, onFail: () => void): Promise<() => void> => {
  const { MediaPlayer } = await import("dashjs");
  const player = MediaPlayer().create();
  player.on("error", onFail);
  player.initialize(element, url, false);
  return () => player.destroy();
};
