import type { UiOutput } from "../../../shared/job-view.ts";
import { Button } from "../../ui/button.tsx";
import { copyText } from "../../ui/clipboard.ts";
import { bytes, countOf } from "../../ui/format.ts";
import { Glyph } from "../../ui/glyph.tsx";
import { Empty } from "../../ui/notice.tsx";
import { Panel } from "../../ui/panel.tsx";
import stateCss from "../../ui/state.module.css";
import { useSay } from "../../ui/toast.tsx";
import { Words } from "../../ui/words.tsx";
import css from "./outputs.module.css";

/** The files that were made, with what was found in them. */
export const Outputs = ({
  outputs,
  hasEnded,
}: {
  readonly outputs: readonly UiOutput[];
  readonly hasEnded: boolean;
}) => {
  const say = useSay();
  const count = outputs.reduce((sum, each) => sum + each.file_count, 0);
  const copy = (uri: string) =>
    void copyText(uri).then(
      () => say("Copied the address."),
      () => say("The browser did not allow to copy."),
    );
  return (
    <Panel title="Outputs" count={countOf(count, "file")}>
      {count === 0 ? (
        <Empty title={hasEnded ? "Nothing was made." : "Nothing made yet."} />
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls has to be reached by keys
        <ul className={css.list} tabIndex={0} aria-label="Files">
          {outputs.flatMap(({ version, element_uid, files, file_count }) => [
            ...files.map(({ uri, size, summary }) => (
              <li key={`${version} ${uri}`} className={css.file}>
                <span className={stateCss.ok}>
                  <Glyph state="completed" />
                </span>
                <Words text={nameOf(uri)} className={css.name} />
                <span className={css.size}>{bytes(size)}</span>
                <Button
                  look="quiet"
                  aria-label={`Copy the address of ${nameOf(uri).slice(0, 100)}`}
                  onClick={() => copy(uri)}
                >
                  Copy
                </Button>
                <span className={css.facts}>
                  <Words text={summary === "" ? element_uid : `${element_uid} · ${summary}`} />
                </span>
              </li>
            )),
            ...(file_count > files.length
              ? [
                  <li key={`${version} more`} className={css.more}>
                    and {file_count - files.length} more of {element_uid}
                  </li>,
                ]
              : []),
          ])}
        </ul>
      )}
    </Panel>
  );
};

const nameOf = (uri: string): string => {
  const name = uri.slice(uri.lastIndexOf("/") + 1);
  try {
    return decodeURIComponent(name);
  } catch {
    return name; // a plain path with a % in it
  }
};
