import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useRef, useState } from "react";
import { messageOf } from "../../../shared/errors.ts";
import { type MediaShow, mediaKindOf } from "../../../shared/media-kinds.ts";
import { filePreviewQuery } from "../../data/preview-queries.ts";
import { folderQuery, nodesQuery } from "../../data/queries.ts";
import { Button } from "../../ui/button.tsx";
import fieldCss from "../../ui/field.module.css";
import { Choice } from "../../ui/field.tsx";
import { bytes } from "../../ui/format.ts";
import { Loading, Notice } from "../../ui/notice.tsx";
import { Still } from "../../ui/still.tsx";
import { Words } from "../../ui/words.tsx";
import { DroppedFiles } from "./dropped.tsx";
import css from "./submit.module.css";
import { Watched } from "./watched.tsx";

/** Files from the folders that nodes may read, or typed addresses. */
export const FilePicker = ({
  files,
  onFiles,
}: {
  readonly files: readonly string[];
  readonly onFiles: (files: readonly string[]) => void;
}) => {
  const [typed, setTyped] = useState("");
  const add = (file: string) => file !== "" && !files.includes(file) && onFiles([...files, file]);
  // Dropped files add themselves, several in one moment.
  const latest = useRef(files);
  latest.current = files;
  const addDropped = useCallback(
    (file: string) => {
      if (latest.current.includes(file)) return;
      latest.current = [...latest.current, file];
      onFiles(latest.current);
    },
    [onFiles],
  );
  const drop = (file: string) => onFiles(files.filter((each) => each !== file));
  return (
    <div className={css.picker}>
      <form
        className={css.typed}
        onSubmit={(event) => {
          event.preventDefault();
          add(typed.trim());
          setTyped("");
        }}
      >
        <input
          className={fieldCss.input}
          aria-label={t`Path or address of a file`}
          placeholder={t`/mnt/projects/film.mov, or s3://bucket/film.mov`}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <Button type="submit">
          <Trans>Add</Trans>
        </Button>
      </form>
      <DroppedFiles onAdd={addDropped} />
      {files.length > 0 && (
        <ul className={css.chosen} aria-label={t`Chosen files`}>
          {files.map((file, at) => (
            <Chosen key={file} file={file} isLooked={at < mostLooked} onDrop={() => drop(file)} />
          ))}
        </ul>
      )}
      <Folder files={files} onAdd={add} onDrop={drop} />
    </div>
  );
};

/** Facts are read of so many of the chosen files. */
const mostLooked = 20;

type ChosenProps = { readonly file: string; readonly isLooked: boolean; readonly onDrop: () => void };

/** A chosen file with its facts and a picture of its middle, where a node can see it. */
const Chosen = ({ file, isLooked, onDrop }: ChosenProps) => {
  const { data } = useQuery({ ...filePreviewQuery(file, ""), enabled: isLooked });
  const still = data?.preview.picture ? data.stillAt(Math.floor(data.preview.steps / 2)) : undefined;
  return (
    <li>
      <Still url={still} alt={t`The middle of ${file.slice(-80)}`} blank={css.blank} />
      <span className={css.about}>
        <Words text={file} />
        {data && <Words text={data.preview.source} />}
      </span>
      <Button look="quiet" aria-label={t`Leave ${file.slice(-80)} out`} onClick={onDrop}>
        ×
      </Button>
    </li>
  );
};

const Folder = ({
  files,
  onAdd,
  onDrop,
}: {
  readonly files: readonly string[];
  readonly onAdd: (file: string) => void;
  readonly onDrop: (file: string) => void;
}) => {
  const [{ nodeId, path }, setPlace] = useState({ nodeId: "", path: "" });
  const setPath = (next: string) => setPlace({ nodeId, path: next });
  const [watched, setWatched] = useState<string>();
  const { data, error } = useQuery(folderQuery(nodeId, path));
  const seeAs = (next: string) => {
    setPlace({ nodeId: next, path: "" });
    setWatched(undefined);
  };
  const place = <Seen nodeId={nodeId} onChoose={seeAs} />;
  if (error)
    return (
      <>
        {place}
        <Notice
          tone="late"
          action={
            <Button onClick={() => setPath("")}>
              <Trans>All folders</Trans>
            </Button>
          }
        >
          {messageOf(error)}
        </Notice>
      </>
    );
  if (!data) return <Loading what={t`the folder`} />;
  const { parent } = data;
  return (
    <>
      {place}
      <p className={css.where}>
        {parent !== null && (
          <Button look="quiet" onClick={() => setPath(parent)}>
            <Trans>↑ Up</Trans>
          </Button>
        )}
        <Words text={data.path || t`Folders that jobs may read`} isOurs={data.path === ""} />
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls has to be reached by keys */}
      <ul className={css.folder} tabIndex={0} aria-label={t`Files and folders`}>
        {data.entries.map(({ name, path: at, isFolder, size }) => (
          <li key={at}>
            {isFolder ? (
              <button type="button" onClick={() => setPath(at)}>
                <Words text={`${name}/`} />
              </button>
            ) : (
              <>
                <label>
                  <input
                    type="checkbox"
                    checked={files.includes(at)}
                    onChange={(event) => (event.target.checked ? onAdd(at) : onDrop(at))}
                  />
                  <Words text={name} />
                  <span>{bytes(size)}</span>
                </label>
                {shown.has(mediaKindOf(name).show) && (
                  <Button
                    look="quiet"
                    aria-label={t`Watch ${name.slice(0, 100)}`}
                    aria-expanded={watched === at}
                    onClick={() => setWatched(watched === at ? undefined : at)}
                  >
                    <Trans>Watch</Trans>
                  </Button>
                )}
              </>
            )}
          </li>
        ))}
        {data.entries.length === 0 && (
          <li className={css.none}>
            <Trans>Nothing lies here.</Trans>
          </li>
        )}
        {data.isCut && (
          <li className={css.none}>
            <Trans>There is more here than is shown.</Trans>
          </li>
        )}
      </ul>
      {watched !== undefined && (
        <Watched key={watched} path={watched} nodeId={nodeId} onClose={() => setWatched(undefined)} />
      )}
    </>
  );
};

const shown: ReadonlySet<MediaShow> = new Set(["video", "audio", "image"]);

/** Which machine's files are shown: the coordinator's, or a connected node's. */
const Seen = ({ nodeId, onChoose }: { readonly nodeId: string; readonly onChoose: (nodeId: string) => void }) => {
  const { data: nodes = [] } = useQuery(nodesQuery);
  const online = nodes.filter(({ presence }) => presence !== "lost");
  if (online.length === 0) return null;
  return (
    <Choice
      label={t`Browse the folders of`}
      value={nodeId}
      choices={[["", t`the coordinator's machine`], ...online.map(({ id, name }) => [id, name.slice(0, 80)] as const)]}
      onChoose={onChoose}
    />
  );
};
