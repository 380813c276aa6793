import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { UiAnswer } from "../../../shared/api/ui/ui-client.ts";
import { messageOf } from "../../../shared/basics/errors.ts";
import { type MediaShow, mediaKindOf } from "../../../shared/files/media-kinds.ts";
import { folderQuery, nodesQuery } from "../../data/queries.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Choice } from "../../ui/controls/field.tsx";
import { bytes } from "../../ui/text/format.ts";
import { Loading, Notice } from "../../ui/text/notice.tsx";
import { Words } from "../../ui/text/words.tsx";
import css from "./submit.module.css";
import { Watched } from "./watched.tsx";

type Picks = {
  readonly files: readonly string[];
  readonly onAdd: (file: string) => void;
  readonly onDrop: (file: string) => void;
};

/** The folders of a machine, whose files can be chosen and watched. */
export const FolderBrowser = (picks: Picks) => {
  const [{ nodeId, path }, setPlace] = useState({ nodeId: "", path: "" });
  const setPath = (next: string) => setPlace({ nodeId, path: next });
  const [watched, setWatched] = useState<string>();
  const { data, error } = useQuery(folderQuery(nodeId, path));
  const seeAs = (next: string) => {
    setPlace({ nodeId: next, path: "" });
    setWatched(undefined);
  };
  if (!data && !error) return <Loading what={t`the folder`} />;
  return (
    <>
      <Seen nodeId={nodeId} onChoose={seeAs} />
      {error && <Refused error={error} onTop={() => setPath("")} />}
      {data && !error && <Listing {...{ data, picks, watched }} onPath={setPath} onWatch={setWatched} />}
      {!error && watched !== undefined && (
        <Watched key={watched} path={watched} nodeId={nodeId} onClose={() => setWatched(undefined)} />
      )}
    </>
  );
};

const Refused = ({ error, onTop }: { readonly error: Error; readonly onTop: () => void }) => (
  <Notice
    tone="late"
    action={
      <Button onClick={onTop}>
        <Trans>All folders</Trans>
      </Button>
    }
  >
    {messageOf(error)}
  </Notice>
);

type Seeing = {
  readonly picks: Picks;
  readonly watched: string | undefined;
  readonly onPath: (path: string) => void;
  readonly onWatch: (path: string | undefined) => void;
};
type Folder = UiAnswer<"listFolder">;

const Listing = ({ data, ...seeing }: Seeing & { readonly data: Folder }) => {
  const { parent } = data;
  return (
    <>
      <p className={css.where}>
        {parent !== null && (
          <Button look="quiet" onClick={() => seeing.onPath(parent)}>
            <Trans>↑ Up</Trans>
          </Button>
        )}
        <Words text={data.path || t`Folders that jobs may read`} isOurs={data.path === ""} />
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls has to be reached by keys */}
      <ul className={css.folder} tabIndex={0} aria-label={t`Files and folders`}>
        {data.entries.map((entry) => (
          <li key={entry.path}>
            {entry.isFolder ? (
              <button type="button" onClick={() => seeing.onPath(entry.path)}>
                <Words text={`${entry.name}/`} />
              </button>
            ) : (
              <File entry={entry} {...seeing} />
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
    </>
  );
};

type FileProps = Seeing & { readonly entry: Folder["entries"][number] };

const File = ({ entry: { name, path, size }, picks, watched, onWatch }: FileProps) => (
  <>
    <label>
      <input
        type="checkbox"
        checked={picks.files.includes(path)}
        onChange={(event) => (event.target.checked ? picks.onAdd(path) : picks.onDrop(path))}
      />
      <Words text={name} />
      <span>{bytes(size)}</span>
    </label>
    {shown.has(mediaKindOf(name).show) && (
      <Button
        look="quiet"
        aria-label={t`Watch ${name.slice(0, 100)}`}
        aria-expanded={watched === path}
        onClick={() => onWatch(watched === path ? undefined : path)}
      >
        <Trans>Watch</Trans>
      </Button>
    )}
  </>
);

const shown: ReadonlySet<MediaShow> = new Set(["video", "audio", "image"]);

/** Whose files are shown: those of the first node that has the folder, or of one node. */
const Seen = ({ nodeId, onChoose }: { readonly nodeId: string; readonly onChoose: (nodeId: string) => void }) => {
  const { data: nodes = [] } = useQuery(nodesQuery);
  const online = nodes.filter(({ presence }) => presence !== "lost" && presence !== "off");
  if (online.length === 0) return null;
  return (
    <Choice
      label={t`Browse the folders of`}
      value={nodeId}
      choices={[["", t`all nodes`], ...online.map(({ id, name }) => [id, name.slice(0, 80)] as const)]}
      onChoose={onChoose}
    />
  );
};
