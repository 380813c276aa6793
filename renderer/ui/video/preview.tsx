import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useEffect, useRef, useState } from "react";
import { addToTimecode, secondsOfFrames } from "../../../media/formats/timecode.ts";
import { messageOf } from "../../../shared/basics/errors.ts";
import type { Preview as Made } from "../../../shared/protocol/preview.ts";
import { TryAgain } from "../controls/failed.tsx";
import { Loading, Notice } from "../text/notice.tsx";
import { playHls } from "./play-hls.ts";
import css from "./preview.module.css";

type Link = { readonly url: string; readonly node: string; readonly preview: Made };

type PreviewProps = {
  readonly name: string;
  /** Why the file itself is not played: a sentence without its full stop. */
  readonly because: string;
  readonly link: Link | undefined;
  readonly error: unknown;
  /** Asks for a link again: another node may have to make the rest. */
  readonly onAgain: () => Promise<unknown>;
};

/** Plays a file as a node converts it, a few seconds at a time. */
export const Preview = ({ name, because, link, error, onAgain }: PreviewProps) => {
  const [problem, setProblem] = useState<string>();
  const seconds = useRef(0);
  const again = () => void onAgain().then(() => setProblem(undefined));
  const said = problem ?? (error ? messageOf(error) : undefined);
  if (said !== undefined)
    return (
      <Notice tone="late" action={<TryAgain onClick={again} />}>
        <Trans>The preview cannot be played. {said}</Trans>
      </Notice>
    );
  if (!link) return <Loading what={t`the preview`} rows={2} />;
  return <Playing name={name} because={because} link={link} seconds={seconds} onFail={setProblem} />;
};

type PlayingProps = Pick<PreviewProps, "name" | "because"> & {
  readonly link: Link;
  /** Where it is shown; a preview that failed goes on there. */
  readonly seconds: { current: number };
  readonly onFail: (problem: string) => void;
};

const Playing = ({ name, because, link: { url, node, preview }, seconds, onFail }: PlayingProps) => {
  const video = useRef<HTMLVideoElement>(null);
  const [isMaking, setMaking] = useState(true);
  const [shown, setShown] = useState(seconds.current);
  const failed = useRef(onFail);
  failed.current = onFail;
  useEffect(() => {
    const element = video.current;
    if (!element) return;
    const fail = (words: string | undefined) => failed.current(words ?? t`The browser gave it up.`);
    return untilClosed(playHls(element, { url, from: seconds.current, isMadeOnDemand: true, onFail: fail }), () =>
      fail(undefined),
    );
  }, [url, seconds]);
  const move = () => {
    seconds.current = video.current?.currentTime ?? 0;
    setShown(seconds.current);
  };
  const ready = () => setMaking(false);
  return (
    <>
      <div className={preview.picture ? css.frame : css.sound}>
        <video
          ref={video}
          controls
          aria-label={name}
          onWaiting={() => setMaking(true)}
          onSeeking={() => {
            setMaking(true);
            move();
          }}
          {...{ onCanPlay: ready, onPlaying: ready, onSeeked: ready, onLoadedData: ready }}
          onTimeUpdate={move}
        />
        {isMaking && (
          <p className={css.making} role="status">
            <Trans>{node} is converting this part…</Trans>
          </p>
        )}
      </div>
      <p className={css.said}>
        <span>
          <Trans>
            Playing a preview made by {node}: {because}. Colours and sharpness differ from the file.
          </Trans>
        </span>
        {preview.picture && <time className={css.timecode}>{timecodeAt(preview, shown)}</time>}
      </p>
    </>
  );
};

/** A frame counts from the moment at which it begins. */
const timecodeAt = ({ timecode = "00:00:00:00", rate }: Made, seconds: number): string => {
  const frame = Math.floor((seconds * rate.num) / rate.den + 0.01);
  return addToTimecode(timecode, secondsOfFrames(frame, rate), rate);
};

/** Ends what was begun, also if it has begun only afterwards. */
const untilClosed = (begun: Promise<() => void>, onFail: () => void): (() => void) => {
  let isOver = false;
  let close = () => {};
  begun
    .then((end) => {
      close = end;
      if (isOver) end();
    })
    .catch(onFail);
  return () => {
    isOver = true;
    close();
  };
};
