import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { JobOutput } from "../../../../shared/api/job-outputs.ts";
import { messageOf } from "../../../../shared/basics/errors.ts";
import { uiUrl } from "../../../data/client.ts";
import { outputLinkQuery, outputPreviewQuery } from "../../../data/preview-queries.ts";
import buttonCss from "../../../ui/controls/button.module.css";
import { Button } from "../../../ui/controls/button.tsx";
import { Loading, Notice } from "../../../ui/text/notice.tsx";
import { playHls } from "../../../ui/video/play-hls.ts";
import { Preview } from "../../../ui/video/preview.tsx";
import css from "./outputs.module.css";
import { canPlayHere, unplayable } from "./playable.ts";

type PlayerProps = { readonly output: JobOutput; readonly onClose: () => void };

/** Plays one file in the page: itself, or a preview of it if the browser cannot. */
export const Player = ({ output, onClose }: PlayerProps) => {
  const { uri, facts } = output;
  const [lost, setLost] = useState(() => unplayable(uri, facts, canPlayHere));
  const { data: link, error } = useQuery(outputLinkQuery(output));
  const url = link && uiUrl(link.path);
  const fail = () => setLost(t`the file`);
  return (
    <div className={css.player}>
      {!link && !error && <Loading what={t`the file`} rows={2} />}
      {error && <Notice tone="late">{messageOf(error)}</Notice>}
      {url && lost === undefined && <Shown output={output} url={url} show={link.show} onFail={fail} />}
      {url &&
        lost !== undefined &&
        (link.show === "playlist" ? <Refused /> : <Converted output={output} lost={lost} />)}
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

/** Its parts are files of their own. */
const Refused = () => (
  <Notice tone="late">
    <Trans>The browser cannot play this playlist or one of its parts. Download it.</Trans>
  </Notice>
);

const Converted = ({ output, lost }: { readonly output: JobOutput; readonly lost: string }) => {
  const { data, error, refetch } = useQuery(outputPreviewQuery(output));
  const because = t`the browser cannot play ${lost}`;
  return <Preview name={output.uri} because={because} link={data} error={error} onAgain={refetch} />;
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
      <video
        src={url}
        controls
        preload="metadata"
        aria-label={output.uri}
        onError={onFail}
        onLoadedMetadata={({ currentTarget: { videoWidth } }) => {
          // Of a picture that it cannot decode, a browser plays the sound alone.
          if (videoWidth === 0 && output.facts?.video.length !== 0) onFail();
        }}
      />
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
    const fail = () => failed.current();
    const isDash = /\.mpd$/i.test(new URL(url).pathname);
    void (isDash ? playDash(element, url, fail) : playHls(element, { url, onFail: fail }))
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

const playDash = async (element: HTMLVideoElement, url: string, onFail: () => void): Promise<() => void> => {
  const { MediaPlayer } = await import("dashjs");
  const player = MediaPlayer().create();
  player.on("error", onFail);
  player.initialize(element, url, false);
  return () => player.destroy();
};
