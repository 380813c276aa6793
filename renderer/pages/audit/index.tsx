import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useState } from "react";
import type { TrailLine } from "../../../shared/people/trail.ts";
import { useNow } from "../../data/link.ts";
import { useMay } from "../../data/session.tsx";
import { trailCheckQuery, trailQuery } from "../../data/trail.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Failed } from "../../ui/controls/failed.tsx";
import { Field } from "../../ui/controls/field.tsx";
import { Segments } from "../../ui/controls/segmented.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { shortTime } from "../../ui/text/format.ts";
import { Empty, Loading, Notice } from "../../ui/text/notice.tsx";
import { Words } from "../../ui/text/words.tsx";
import css from "./audit.module.css";

/** Everything that was changed or refused, by whom and from where. */
export const AuditPage = () => {
  const isOwner = useMay("owner");
  if (isOwner) return <Audit />;
  return (
    <Page title={t`Audit`}>
      <Empty title={t`Only an owner sees the audit.`} />
    </Page>
  );
};

type Kind = "all" | "refused";

const Audit = () => {
  const [text, setText] = useState("");
  const [kind, setKind] = useState<Kind>("all");
  const [before, setBefore] = useState<number>();
  const search = useDeferredValue(text);
  const { data: lines, error, refetch } = useQuery(trailQuery({ text: search, isRefused: kind === "refused", before }));
  const last = lines?.at(-1);
  return (
    <Page title={t`Audit`}>
      <Check />
      <Panel
        title={t`What was changed or refused`}
        aid={
          <Segments<Kind>
            label={t`What to show`}
            choices={[
              ["all", t`Everything`],
              ["refused", t`Refused`],
            ]}
            chosen={kind}
            onChoose={(wanted) => {
              setKind(wanted);
              setBefore(undefined);
            }}
          />
        }
      >
        <div className={css.search}>
          <Field
            type="search"
            label={t`Search for a name, an address, an action or an id`}
            value={text}
            maxLength={200}
            onChange={(event) => {
              setText(event.target.value);
              setBefore(undefined);
            }}
          />
        </div>
        {error && <Failed error={error} onAgain={() => void refetch()} />}
        {!lines && !error && <Loading what={t`the audit`} />}
        {lines?.length === 0 && <Empty title={t`No line matches.`} />}
        <ul className={css.list}>
          {lines?.map((line) => (
            <Line key={line.id} line={line} />
          ))}
        </ul>
        <div className={css.more}>
          {before !== undefined && (
            <Button onClick={() => setBefore(undefined)}>
              <Trans>Newest</Trans>
            </Button>
          )}
          {lines?.length === linesAtOnce && last && (
            <Button onClick={() => setBefore(last.id)}>
              <Trans>Older</Trans>
            </Button>
          )}
        </div>
      </Panel>
    </Page>
  );
};

const linesAtOnce = 100;

const Line = ({ line: { id, at, who, origin, action, outcome, about } }: { readonly line: TrailLine }) => {
  const now = useNow();
  return (
    <li>
      <span className={css.number}>{id}</span>
      <time dateTime={at}>{shortTime(at, now)}</time>
      <Words text={who} />
      <Words text={origin} />
      <span className={outcome === "done" ? undefined : css.refused}>
        <Words text={outcome === "done" ? action : `${action}: ${outcome}`} />
      </span>
      <Words text={about} wraps />
    </li>
  );
};

/** Whether the chain of hashes is whole; it is followed only when somebody asks. */
const Check = () => {
  const [isAsked, setAsked] = useState(false);
  const { data: checked, error, isFetching, refetch } = useQuery({ ...trailCheckQuery, enabled: isAsked });
  const ask = () => {
    if (isAsked) void refetch();
    setAsked(true);
  };
  return (
    <Panel
      title={t`Whether it is whole`}
      aid={
        <Button onClick={ask} disabled={isFetching}>
          <Trans>Check</Trans>
        </Button>
      }
    >
      <div className={css.search}>
        {error && <Failed error={error} onAgain={ask} />}
        {!checked && !error && (
          <p>
            <Trans>Each line's hash covers the line before, so a removed or altered line is found.</Trans>
          </p>
        )}
        {checked?.problem === null && <p>{t`It is whole: ${checked.lines} lines.`}</p>}
        {checked && checked.problem !== null && <Notice tone="failed">{checked.problem}</Notice>}
      </div>
    </Panel>
  );
};
