import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { type Moment, momentsOf } from "../../../../media/preview/still-moments.ts";
import type { JobOutput } from "../../../../shared/api/job-outputs.ts";
import { outputPreviewQuery, type ShownPreview, sourcePreviewQuery } from "../../../data/preview-queries.ts";
import { duration } from "../../../ui/text/format.ts";
import { Still } from "../../../ui/video/still.tsx";
import css from "./outputs.module.css";
import { type NumberedPicture, spreadPictures } from "./picture-run.ts";

const count = 5;

/**
 * Pictures of a film at even distances, as a node makes them, with those of the source above; nothing where no node can
 * make them. A source that is longer or shorter is left out: it would show other moments.
 */
export const Stills = ({
  jobId,
  output,
  name,
}: {
  readonly jobId: string;
  readonly output: JobOutput;
  readonly name: string;
}) => {
  const { data: made } = useQuery(outputPreviewQuery(output));
  const hasPicture = made !== undefined && made.preview.picture !== null;
  const { data: source } = useQuery({ ...sourcePreviewQuery(jobId), enabled: hasPicture });
  if (!hasPicture) return null;
  const before = source?.preview.picture ? momentsOf(source.preview, made.preview, count) : undefined;
  return (
    <div className={css.pictures}>
      {before && source && (
        <Strip label={t`Stills of the source`} name={t`The source`} made={source} moments={before} />
      )}
      <Strip
        label={t`Stills of ${name}`}
        name={name}
        made={made}
        moments={momentsOf(made.preview, made.preview, count) ?? []}
        hasTimes
      />
    </div>
  );
};

/** Pictures at even distances of numbered ones, small enough to show them as a film. */
export const PictureStills = ({ pictures }: { readonly pictures: readonly NumberedPicture[] }) => (
  <div className={css.pictures}>
    <ul className={css.strip} aria-label={t`Stills of the numbered pictures`}>
      {spreadPictures(pictures, count).map((picture) => (
        <PictureStill key={picture.number} {...picture} />
      ))}
    </ul>
  </div>
);

const PictureStill = ({ output, number: nr }: NumberedPicture) => {
  const { data: made } = useQuery(outputPreviewQuery(output));
  const size = made?.preview.picture ?? undefined;
  return (
    <li>
      <Still url={made?.stillAt(0)} alt={t`Picture ${nr}`} size={size} blank={css.blank} />
      <span>{nr}</span>
    </li>
  );
};

type StripProps = {
  readonly label: string;
  readonly name: string;
  readonly made: ShownPreview;
  readonly moments: readonly Moment[];
  readonly hasTimes?: boolean;
};

const Strip = ({ label, name, made, moments, hasTimes }: StripProps) => (
  <ul className={css.strip} aria-label={label} title={label}>
    {moments.map(({ step, seconds }) => {
      const time = duration(seconds * 1000);
      const url = made.stillAt(step);
      return (
        <li key={url}>
          <Still url={url} alt={t`${name} at ${time}`} size={made.preview.picture ?? undefined} blank={css.blank} />
          {hasTimes && <span>{time}</span>}
        </li>
      );
    })}
  </ul>
);
