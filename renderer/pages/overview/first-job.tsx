import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Node } from "../../../shared/model/node.ts";
import { useMay } from "../../data/session.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import css from "./overview.module.css";

/** What a farm that has never had a job needs for its first one, in order; the next step is a link. */
export const FirstJob = ({ nodes }: { readonly nodes: readonly Node[] }) => {
  const maySubmit = useMay("operator");
  const hasNode = nodes.some(({ presence }) => presence === "online");
  const folders = nodes.flatMap(({ roots }) => roots);
  const hasFolder = folders.length > 0 || nodes.some(({ mounts }) => mounts.length > 0);
  return (
    <Panel title={t`The first job`}>
      <ol className={css.steps}>
        <Step isDone={hasNode}>
          {hasNode ? (
            <Trans>A node is connected and can work.</Trans>
          ) : (
            <Link to="/nodes">
              <Trans>Add a node: the page Nodes shows the command</Trans>
            </Link>
          )}
        </Step>
        <Step isDone={hasFolder}>
          {hasFolder ? (
            <FolderThere folder={folders[0]} />
          ) : (
            <Trans>
              Let jobs use a folder: start the node with <code className={css.whole}>--root FOLDER</code>, or add one on
              the page This computer.
            </Trans>
          )}
        </Step>
        <Step isDone={false}>
          {maySubmit ? (
            <Link to="/submit">
              <Trans>Submit a job: choose a file and what shall become of it</Trans>
            </Link>
          ) : (
            <Trans>An operator submits a job.</Trans>
          )}
        </Step>
      </ol>
    </Panel>
  );
};

/** The folder by its name, so that somebody can put a file there. */
const FolderThere = ({ folder }: { readonly folder: string | undefined }) =>
  folder === undefined ? (
    <Trans>Jobs may use a folder there.</Trans>
  ) : (
    <Trans>
      Jobs may use a folder there: put a film into <code>{folder}</code>
    </Trans>
  );

const Step = ({ isDone, children }: { readonly isDone: boolean; readonly children: ReactNode }) => (
  <li data-done={isDone ? "" : undefined}>
    {children}
    {isDone && <span className="unseen">{t`done`}</span>}
  </li>
);
