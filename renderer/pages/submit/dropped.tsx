import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { messageOf } from "../../../shared/basics/errors.ts";
import { type Dropped, droppedFiles, useDropped } from "../../data/dropped.ts";
import { findFileQuery } from "../../data/queries.ts";
import { Button } from "../../ui/controls/button.tsx";
import { bytes } from "../../ui/text/format.ts";
import { Loading, Notice } from "../../ui/text/notice.tsx";
import css from "./submit.module.css";

/** Dropped files without a known path: asks nodes where they see them. */
export const DroppedFiles = ({ onAdd }: { readonly onAdd: (path: string) => void }) => {
  const dropped = useDropped();
  return dropped.map((file) => <One key={`${file.name} ${file.size}`} file={file} onAdd={onAdd} />);
};

const One = ({ file, onAdd }: { readonly file: Dropped; readonly onAdd: (path: string) => void }) => {
  const { name, size, path } = file;
  const { data, error } = useQuery({ ...findFileQuery(name, size), enabled: path === undefined });
  const [only] = data ?? [];
  const found = path ?? (data?.length === 1 ? only?.path : undefined);
  useEffect(() => {
    if (found === undefined) return;
    onAdd(found);
    droppedFiles.done(file);
  }, [found, file, onAdd]);
  const leave = (
    <Button look="quiet" onClick={() => droppedFiles.done(file)}>
      <Trans>Leave it out</Trans>
    </Button>
  );
  const short = name.slice(0, 120);
  if (error)
    return (
      <Notice tone="late" action={leave}>
        {short}: {messageOf(error)}
      </Notice>
    );
  if (!data) return <Loading what={t`the place of ${short}`} rows={1} />;
  if (data.length === 0)
    return (
      <Notice tone="late" action={leave}>
        <Trans>
          No node has a file {short} of {bytes(size)}. Copy it into a folder that nodes may read, or type its address
          below.
        </Trans>
      </Notice>
    );
  return (
    <Notice tone="late" action={leave}>
      <Trans>
        <b>{short}</b> is in several places. Which one do you mean?
      </Trans>
      <ul className={css.places}>
        {data.map(({ path: place, nodes }) => (
          <li key={place}>
            <Button
              onClick={() => {
                onAdd(place);
                droppedFiles.done(file);
              }}
            >
              <bdi translate="no">{place}</bdi>
            </Button>{" "}
            <Trans>seen by {nodes.slice(0, 3).join(", ")}</Trans>
          </li>
        ))}
      </ul>
    </Notice>
  );
};
