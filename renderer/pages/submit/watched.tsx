import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { filePreviewQuery } from "../../data/preview-queries.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Words } from "../../ui/text/words.tsx";
import { Preview } from "../../ui/video/preview.tsx";
import css from "./submit.module.css";

/** A file from a folder of nodes, as a node shows it before it becomes a source. */
export const Watched = ({
  path,
  nodeId,
  onClose,
}: {
  readonly path: string;
  readonly nodeId: string;
  readonly onClose: () => void;
}) => {
  const { data, error, refetch } = useQuery(filePreviewQuery(path, nodeId));
  const because = t`files in folders are shown converted`;
  return (
    <section className={css.watched} aria-label={t`Preview`}>
      <p className={css.where}>
        <Words text={path} />
        <Button look="quiet" onClick={onClose}>
          <Trans>Close</Trans>
        </Button>
      </p>
      <Preview key={path} name={path} because={because} link={data} error={error} onAgain={refetch} />
    </section>
  );
};
