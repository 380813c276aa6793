import { t } from "@lingui/core/macro";
import { Plural, Trans } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Node } from "../../../shared/model/node.ts";
import type { Acknowledgement } from "../../../shared/people/acknowledgement.ts";
import { useActions } from "../../data/actions.ts";
import { useMay } from "../../data/session.tsx";
import buttonCss from "../../ui/controls/button.module.css";
import { Button } from "../../ui/controls/button.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { number, shortTime } from "../../ui/text/format.ts";
import { Empty } from "../../ui/text/notice.tsx";
import { State } from "../../ui/text/state.tsx";
import { Words } from "../../ui/text/words.tsx";
import { Acknowledge } from "./acknowledge.tsx";
import css from "./overview.module.css";
import type { Problem } from "./problems.ts";

/** What needs a person: one sentence each, with the one fitting action. What somebody looks after stands below. */
export const Needs = ({
  problems,
  nodes,
  now,
}: {
  readonly problems: readonly Problem[];
  readonly nodes: readonly Node[];
  readonly now: number;
}) => {
  const [asked, setAsked] = useState<Problem>();
  const open = problems.filter(({ known }) => !known);
  const known = problems.filter((problem) => problem.known);
  const row = (problem: Problem) => (
    <Row key={problem.key} problem={problem} nodes={nodes} now={now} onAcknowledge={() => setAsked(problem)} />
  );
  return (
    <Panel
      title={t`Needs a person`}
      count={open.length}
      aid={
        <span className={css.quiet}>
          <Trans>newest first</Trans>
        </span>
      }
    >
      {open.length === 0 ? (
        <Empty title={t`Nothing needs a person.`} />
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls has to be reached by keys
        <ul className={css.needs} tabIndex={0} aria-label={t`What needs a person`}>
          {open.map(row)}
        </ul>
      )}
      {known.length > 0 && (
        <details className={css.known}>
          <summary>
            <Plural value={known.length} one="Somebody looks after # thing" other="Somebody looks after # things" />
          </summary>
          <ul className={css.needs}>{known.map(row)}</ul>
        </details>
      )}
      {asked && <Acknowledge key={asked.key} problem={asked} now={now} onClose={() => setAsked(undefined)} />}
    </Panel>
  );
};

type RowProps = {
  readonly problem: Problem;
  readonly nodes: readonly Node[];
  readonly now: number;
  readonly onAcknowledge: () => void;
};

const Row = ({ problem, nodes, now, onAcknowledge }: RowProps) => {
  const { acknowledge } = useActions();
  const mayChange = useMay("operator");
  const { known, subjects, title } = problem;
  return (
    <li>
      <State state={problem.state} />
      <div className={css.said}>
        <p>
          <Title of={problem} />
          {problem.since > 0 && problem.since < now - 1000 && (
            <span>{shortTime(new Date(problem.since).toISOString(), now)}</span>
          )}
        </p>
        <Words text={known ? knownWords(known, now) : problem.text} wraps isOurs className={css.quiet} />
      </div>
      <span className={css.acts} data-acts>
        {mayChange &&
          (known ? (
            <Button look="quiet" onClick={() => void acknowledge(subjects, null)}>
              <Trans>Show again</Trans>
            </Button>
          ) : (
            <Button look="quiet" aria-label={t`Acknowledge: ${title.slice(0, 100)}`} onClick={onAcknowledge}>
              <Trans>Acknowledge…</Trans>
            </Button>
          ))}
        <Act act={problem.act} nodes={nodes} />
      </span>
    </li>
  );
};

const knownWords = ({ who, why, until }: Acknowledgement, now: number): string => {
  const till = shortTime(until, now);
  return why === null ? t`${who} looks after it until ${till}.` : t`${who} looks after it until ${till}: “${why}”.`;
};

/** Leads to the thing itself, or to the list of all that are alike. */
const Title = ({ of: { title, to } }: { readonly of: Problem }) => {
  const words = <Words text={title} isOurs />;
  if ("jobs" in to) {
    return (
      <Link to="/jobs" search={{ state: to.jobs, text: to.text }} className={css.subject}>
        {words}
      </Link>
    );
  }
  if ("nodes" in to) {
    return (
      <Link to="/nodes" search={{ state: to.nodes }} className={css.subject}>
        {words}
      </Link>
    );
  }
  if ("nodeId" in to) {
    return (
      <Link to="/nodes/$nodeId" params={{ nodeId: to.nodeId }} className={css.subject}>
        {words}
      </Link>
    );
  }
  return (
    <Link to="/jobs/$jobId" params={{ jobId: to.jobId }} search={{}} className={css.subject}>
      {words}
    </Link>
  );
};

const Act = ({ act, nodes }: { readonly act: Problem["act"]; readonly nodes: readonly Node[] }) => {
  const actions = useActions();
  const mayChange = useMay("operator");
  if (act.kind === "open") {
    const search = act.taskId === undefined ? {} : { task: act.taskId };
    return (
      <Link to="/jobs/$jobId" params={{ jobId: act.jobId }} search={search} className={buttonCss.button}>
        <Trans>Open</Trans>
      </Link>
    );
  }
  if (act.kind === "why") {
    return (
      <Link to="." search={(old: object) => ({ ...old, why: act.taskId })} className={buttonCss.button}>
        <Trans>Why?</Trans>
      </Link>
    );
  }
  if (act.kind === "nodes") {
    return (
      <Link to="/nodes" search={{ state: act.state }} className={buttonCss.button}>
        <Trans>Show</Trans>
      </Link>
    );
  }
  if (act.kind === "node" || !mayChange) {
    const nodeId = "nodeId" in act ? act.nodeId : undefined;
    return nodeId === undefined ? null : (
      <Link to="/nodes/$nodeId" params={{ nodeId }} className={buttonCss.button}>
        <Trans>Open</Trans>
      </Link>
    );
  }
  const run = () => {
    if (act.kind === "retry")
      void actions.change(
        "retry",
        act.jobIds.map((id) => ({ id })),
      );
    if (act.kind === "resume")
      void actions.hold(
        act.jobIds.map((id) => ({ id })),
        true,
      );
    const node =
      act.kind === "activate" || act.kind === "trust" ? nodes.find(({ id }) => id === act.nodeId) : undefined;
    if (node) void actions.setNode(node, "active");
  };
  return <Button onClick={run}>{wordOf(act)}</Button>;
};

/** "Retry 3" where it is for several. */
const wordOf = (act: Problem["act"]): string => {
  const word = words[act.kind];
  return "jobIds" in act && act.jobIds.length > 1 ? `${word} ${number(act.jobIds.length)}` : word;
};

const words: Readonly<Record<Problem["act"]["kind"], string>> = {
  open: t`Open`,
  why: t`Why?`,
  retry: t`Retry`,
  activate: t`Activate`,
  trust: t`Trust again`,
  resume: t`Resume`,
  node: t`Open`,
  nodes: t`Show`,
};
