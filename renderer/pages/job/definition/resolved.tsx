import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { ResolvedElement, ResolvedValue } from "../../../../shared/api/resolved.ts";
import { messageOf } from "../../../../shared/basics/errors.ts";
import { resolvedQuery } from "../../../data/queries.ts";
import { Segments } from "../../../ui/controls/segmented.tsx";
import { Loading, Notice } from "../../../ui/text/notice.tsx";
import { Words } from "../../../ui/text/words.tsx";
import css from "./definition.module.css";

const views = [
  ["changed", t`What was filled in`],
  ["all", t`All values`],
] as const;
type View = (typeof views)[number][0];

const originWords: Readonly<Record<ResolvedValue["origin"], string>> = {
  sent: "",
  filled: t`filled in`,
  default: t`default`,
};

/** The values that each element runs with, and where each came from. */
export const Resolved = ({ jobId }: { readonly jobId: string }) => {
  const [view, setView] = useState<View>("changed");
  const { data, error } = useQuery(resolvedQuery(jobId));
  if (error) return <Notice tone="failed">{messageOf(error)}</Notice>;
  if (!data) return <Loading what={t`what it came to`} />;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: text that scrolls has to be reached by keys
    <section className={css.resolved} aria-label={t`What it came to`} tabIndex={0}>
      <Segments label={t`Values`} choices={views} chosen={view} onChoose={setView} />
      {data.map((element) => (
        <Element key={element.uid} element={element} view={view} />
      ))}
    </section>
  );
};

const Element = ({ element, view }: { readonly element: ResolvedElement; readonly view: View }) => {
  const shown = element.values.filter(({ origin }) => view === "all" || origin !== "sent");
  return (
    <>
      <h3>
        <Words text={element.uid} /> <span translate="no">{element.kind}</span>
      </h3>
      {shown.length === 0 && (
        <p className={css.none}>
          <Trans>All of it as it was sent.</Trans>
        </p>
      )}
      <dl>
        {shown.map(({ path, value, sent, origin }) => (
          <div key={path} data-origin={origin}>
            <dt>
              <Words text={path || t`the whole`} isOurs={path === ""} wraps />
            </dt>
            <dd>
              {sent !== null && (
                <>
                  <del>
                    <Words text={sent} wraps />
                  </del>{" "}
                </>
              )}
              <Words text={value} wraps /> <span>{originWords[origin]}</span>
            </dd>
          </div>
        ))}
      </dl>
      {element.left_out > 0 && (
        <p className={css.none}>
          <Trans>and {element.left_out} more values</Trans>
        </p>
      )}
    </>
  );
};
