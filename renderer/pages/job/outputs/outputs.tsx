import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import type { JobOutput } from "../../../../shared/api/job-outputs.ts";
import { messageOf } from "../../../../shared/basics/errors.ts";
import { mediaKindOf } from "../../../../shared/files/media-kinds.ts";
import { uiUrl } from "../../../data/client.ts";
import { outputLinkQuery } from "../../../data/preview-queries.ts";
import { outputsQuery } from "../../../data/queries.ts";
import { copyText, downloadFrom } from "../../../ui/browser/clipboard.ts";
import { Button } from "../../../ui/controls/button.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { useSay } from "../../../ui/overlays/toast.tsx";
import { classes } from "../../../ui/text/classes.ts";
import { bytes } from "../../../ui/text/format.ts";
import { Glyph } from "../../../ui/text/glyph.tsx";
import { Empty, Notice } from "../../../ui/text/notice.tsx";
import stateCss from "../../../ui/text/state.module.css";
import { NameWords, Words } from "../../../ui/text/words.tsx";
import css from "./outputs.module.css";
import { pictureRun } from "./picture-run.ts";
import { Player } from "./player.tsx";
import { PictureStills, Stills } from "./stills.tsx";

const none: readonly JobOutput[] = [];
const keyOf = ({ task_id, position }: JobOutput): string => `${task_id}.${position}`;

/** The output files with their facts; one of them can be played here. */
export const Outputs = ({
  jobId,
  count,
  hasEnded,
}: {
  readonly jobId: string;
  readonly count: number;
  readonly hasEnded: boolean;
}) => {
  const { data, error } = useQuery({ ...outputsQuery(jobId), enabled: count > 0 });
  const [shownKey, setShown] = useState<string>();
  const outputs = data?.items ?? none;
  const shown = outputs.find((each) => keyOf(each) === shownKey);
  const film = outputs.find(({ facts }) => facts?.video.some(({ isCover }) => !isCover));
  const isFilm = film !== undefined && mediaKindOf(film.uri).show !== "image";
  const pictures = useMemo(() => pictureRun(outputs), [outputs]);
  return (
    <Panel title={t`Outputs`} count={plural(count, { one: "# file", other: "# files" })}>
      {error && <Notice tone="failed">{messageOf(error)}</Notice>}
      {count === 0 && <Empty title={hasEnded ? t`No outputs.` : t`No outputs yet.`} />}
      {shown && <Player key={keyOf(shown)} output={shown} onClose={() => setShown(undefined)} />}
      {!shown && !isFilm && pictures.length > 0 && <PictureStills pictures={pictures} />}
      {!shown && film && (isFilm || pictures.length === 0) && (
        <Stills key={keyOf(film)} jobId={jobId} output={film} name={nameOf(film.uri).slice(0, 100)} />
      )}
      {outputs.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls has to be reached by keys
        <ul className={css.list} tabIndex={0} aria-label={t`Files`}>
          {outputs.map((output) => (
            <File
              key={keyOf(output)}
              output={output}
              isShown={output === shown}
              onShow={() => setShown(output === shown ? undefined : keyOf(output))}
            />
          ))}
          {(data?.count ?? 0) > outputs.length && (
            <li className={css.more}>
              <Trans>and {(data?.count ?? 0) - outputs.length} more</Trans>
            </li>
          )}
        </ul>
      )}
    </Panel>
  );
};

const watchable = {
  video: t`Watch`,
  audio: t`Listen`,
  image: t`Look`,
  text: t`Read`,
  playlist: t`Watch`,
  other: "",
} as const;

const File = ({
  output,
  isShown,
  onShow,
}: {
  readonly output: JobOutput;
  readonly isShown: boolean;
  readonly onShow: () => void;
}) => {
  const say = useSay();
  const { uri, size, summary, element_uid, checksum } = output;
  const name = nameOf(uri);
  const word = watchable[mediaKindOf(uri).show];
  const copy = () =>
    void copyText(uri).then(
      () => say(t`Copied the address.`),
      () => say(t`The browser did not allow copying.`),
    );
  const queries = useQueryClient();
  const download = () =>
    void queries.fetchQuery(outputLinkQuery(output)).then(
      ({ path }) => downloadFrom(uiUrl(path), name),
      (problem) => say(t`Not downloaded: ${messageOf(problem)}`),
    );
  return (
    <li className={classes(css.file, isShown && css.shown)}>
      <span className={stateCss.ok}>
        <Glyph state="completed" />
      </span>
      <span className={css.head}>
        <NameWords text={name} className={css.name} />
        <span className={css.size}>{bytes(size)}</span>
      </span>
      <span className={css.second}>
        <span className={css.facts}>
          <Words text={summary === "" ? element_uid : `${element_uid} · ${summary}`} />
          {checksum !== null && <code title={checksum}>{checksum.slice(0, "sha256:".length + 12)}…</code>}
        </span>
        <span className={css.buttons}>
          {word !== "" && (
            <Button aria-label={`${word} ${name.slice(0, 100)}`} aria-expanded={isShown} onClick={onShow}>
              {word}
            </Button>
          )}
          <Button look="quiet" aria-label={t`Download ${name.slice(0, 100)}`} onClick={download}>
            <Trans>Download</Trans>
          </Button>
          <Button look="quiet" aria-label={t`Copy the address of ${name.slice(0, 100)}`} onClick={copy}>
            <Trans>Copy</Trans>
          </Button>
        </span>
      </span>
    </li>
  );
};

export const nameOf = (uri: string): string => {
  const name = uri.slice(uri.lastIndexOf("/") + 1);
  try {
    return decodeURIComponent(name);
  } catch {
    return name; // a plain path with a % in it
  }
};
