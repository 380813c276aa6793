import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { JobOutput } from "../../../shared/job-outputs.ts";
import { toNumber } from "../../../shared/rational.ts";
import { secondsOfFrames } from "../../../shared/timecode.ts";
import { outputPreviewQuery } from "../../data/queries.ts";
import { duration } from "../../ui/format.ts";
import css from "./outputs.module.css";

const count = 5;

/** Pictures of a film at even distances, as a node makes them; nothing where no node can. */
export const Stills = ({ output, name }: { readonly output: JobOutput; readonly name: string }) => {
  const { data } = useQuery(outputPreviewQuery(output));
  if (!data?.preview.picture) return null;
  const { steps, rate, picture } = data.preview;
  const shown = Array.from({ length: count }, (_, at) => Math.floor(((at + 0.5) * steps) / count));
  return (
    <ul className={css.strip} aria-label={t`Stills of ${name}`}>
      {[...new Set(shown)].map((step) => {
        const time = duration(toNumber(secondsOfFrames(step, rate)) * 1000);
        const url = data.url.replace(/[^/]*$/, `${step}.jpg`);
        return <Still key={url} url={url} time={time} name={name} size={picture} />;
      })}
    </ul>
  );
};

type StillProps = {
  readonly url: string;
  readonly time: string;
  readonly name: string;
  readonly size: { readonly width: number; readonly height: number };
};

const Still = ({ url, time, name, size }: StillProps) => {
  const [isMissing, setMissing] = useState(false);
  return (
    <li>
      {isMissing ? (
        <span className={css.blank} />
      ) : (
        <img src={url} {...size} loading="lazy" alt={t`${name} at ${time}`} onError={() => setMissing(true)} />
      )}
      <span>{time}</span>
    </li>
  );
};
