import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useRef, useState } from "react";
import { messageOf } from "../../../shared/basics/errors.ts";
import { isRemote } from "../../../shared/files/storage.ts";
import { filePreviewQuery } from "../../data/preview-queries.ts";
import { Button } from "../../ui/controls/button.tsx";
import fieldCss from "../../ui/controls/field.module.css";
import { Words } from "../../ui/text/words.tsx";
import { Still } from "../../ui/video/still.tsx";
import { DroppedFiles } from "./dropped.tsx";
import { FolderBrowser } from "./folder-browser.tsx";
import css from "./submit.module.css";

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
      <FolderBrowser files={files} onAdd={add} onDrop={drop} />
    </div>
  );
};

/** Facts are read of so many of the chosen files. */
const mostLooked = 20;

type ChosenProps = { readonly file: string; readonly isLooked: boolean; readonly onDrop: () => void };

/** A chosen file with its facts and a picture of its middle, where a node can see it. */
const Chosen = ({ file, isLooked, onDrop }: ChosenProps) => {
  const { data, error } = useQuery({ ...filePreviewQuery(file, ""), enabled: isLooked });
  const still = data?.preview.picture ? data.stillAt(Math.floor(data.preview.steps / 2)) : undefined;
  return (
    <li>
      <Still url={still} alt={t`The middle of ${file.slice(-80)}`} blank={css.blank} />
      <span className={css.about}>
        <Words text={file} />
        {data && <Words text={data.preview.source} />}
        {/* Nodes read remote files when a task needs them, and show them without a mount only then. */}
        {error && !isRemote(file) && <Words text={messageOf(error)} wraps className={css.unseen} />}
      </span>
      <Button look="quiet" aria-label={t`Leave ${file.slice(-80)} out`} onClick={onDrop}>
        ×
      </Button>
    </li>
  );
};
