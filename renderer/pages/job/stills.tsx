import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import type { JobOutput } from "../../../shared/job-outputs.ts";
import { toNumber } from "../../../shared/rational.ts";
import { secondsOfFrames } from "../../../shared/timecode.ts";
import { outputPreviewQuery } from "../../data/queries.ts";
import { duration } from "../../ui/format.ts";
import { Still } from "../../ui/still.tsx";
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
        const url = data.stillAt(step);
        return (
          <li key={url}>
            <Still url={url} alt={t`${name} at ${time}`} size={picture} blank={css.blank} />
            <span>{time}</span>
          </li>
        );
      })}
    </ul>
  );
};
