import { plural, t } from "@lingui/core/macro";
import { Plural, Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import type { Explanation } from "../../../shared/api/explain.ts";
import { messageOf } from "../../../shared/basics/errors.ts";
import { useActions } from "../../data/actions.ts";
import { turnWords } from "../../data/activity.ts";
import { useNow } from "../../data/link.ts";
import { explainQuery, jobQuery, nodesQuery } from "../../data/queries.ts";
import { useMay } from "../../data/session.tsx";
import { reasonText, summaryText } from "../../language/reasons.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Drawer } from "../../ui/overlays/drawer.tsx";
import { classes } from "../../ui/text/classes.ts";
import { withShortTimes } from "../../ui/text/format.ts";
import { Glyph } from "../../ui/text/glyph.tsx";
import { Loading, Notice } from "../../ui/text/notice.tsx";
import stateCss from "../../ui/text/state.module.css";
import { Words } from "../../ui/text/words.tsx";
import { buildSieve, decidingCheck, droppedWords, isItsTurn, listChecks, onlyAway } from "./sieve.ts";
import css from "./why.module.css";

/** Above any page: why one task does not run, what was checked, and what would start it sooner. */
export const WhyDrawer = ({ taskId }: { readonly taskId: string | undefined }) => {
  const navigate = useNavigate();
  const close = () => void navigate({ to: ".", search: (old: object) => ({ ...old, why: undefined }) });
  return (
    <Drawer title={t`Why is this not running?`} isOpen={taskId !== undefined} onClose={close}>
      {taskId !== undefined && <Why key={taskId} taskId={taskId} />}
    </Drawer>
  );
};

const Why = ({ taskId }: { readonly taskId: string }) => {
  const { data: found, error } = useQuery(explainQuery(taskId));
  const now = useNow();
  if (error) return <Notice tone="failed">{messageOf(error)}</Notice>;
  if (!found) return <Loading what={t`the reasons`} />;
  const data = forPeople(found, now);
  return (
    <div className={css.why}>
      <p className={css.about}>
        <Link to="/jobs/$jobId" params={{ jobId: data.job_id }} search={{ task: taskId }}>
          <Words text={data.name} wraps />
        </Link>
        {" · "}
        <Trans>task {taskId}</Trans>
      </p>
      <p className={css.cause}>
        <span className={classes(stateCss.state, stateCss.dep)}>
          <Glyph state={data.is_waiting ? "waiting" : "running"} size={20} />
        </span>
        <Words text={data.summary} wraps />
      </p>
      {data.is_waiting && (
        <>
          <Begins jobId={data.job_id} now={now} />
          <Checks of={data} />
          <Sieve of={data} />
          <Sooner of={data} />
        </>
      )}
      <p className={css.foot}>
        <Trans>Checked again every 3 seconds while this is open.</Trans>
      </p>
    </div>
  );
};

/** When its job is likely to begin, and which place it has. */
const Begins = ({ jobId, now }: { readonly jobId: string; readonly now: number }) => {
  const { data: view } = useQuery(jobQuery(jobId));
  const words = turnWords(view?.turn ?? null, now);
  if (words === undefined) return null;
  return (
    <p>
      <Trans>Its job: {words}.</Trans>
    </p>
  );
};

/** With times as people read them, and sentences that can stand in a list. */
const forPeople = (found: Explanation, now: number): Explanation => {
  const say = (fact: Explanation["reasons"][number]) => ({
    ...fact,
    message: withShortTimes(reasonText(fact), now).replace(/\.$/, ""),
  });
  return {
    ...found,
    summary: `${withShortTimes(summaryText(found.summary, found.summary_parts), now)}.`,
    reasons: found.reasons.map(say),
    nodes: found.nodes.map((node) => ({ ...node, reasons: node.reasons.map(say) })),
  };
};

/** What holds on every node; the first condition that does not hold decides, and is marked. */
const Checks = ({ of }: { readonly of: Explanation }) => {
  const checks = listChecks(of);
  const deciding = decidingCheck(of)?.word;
  return (
    <section aria-label={t`What was checked`}>
      <h3>
        <Trans>What was checked</Trans>
      </h3>
      <ul className={css.checks}>
        {checks.map(({ word, fault }) => {
          return (
            <li key={word} className={classes(fault !== undefined && css.faulty, word === deciding && css.deciding)}>
              <span className={fault === undefined ? stateCss.ok : stateCss.dep}>
                <Glyph state={fault === undefined ? "completed" : "waiting"} />
              </span>
              <b>{word}</b>
              <span className={css.found}>
                <Words text={fault ?? t`fine`} isOurs={fault === undefined} wraps className={css.quiet} />
                {word === deciding && (
                  <b className={css.verdict}>
                    <Trans>This decides.</Trans>
                  </b>
                )}
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
};

const Sieve = ({ of }: { readonly of: Explanation }) => {
  // A question that drops no node is left out.
  const steps = buildSieve(of).filter(
    ({ dropped }, at, all) => at === 0 || dropped.length > 0 || at === all.length - 1,
  );
  const stop = steps.findIndex(({ count }) => count === 0);
  const decides = decidingCheck(of) === undefined;
  const nodes = of.nodes.slice(0, 96);
  const goneAt = new Map(steps.flatMap(({ dropped }, at) => dropped.map(({ node_id }) => [node_id, at] as const)));
  return (
    <section aria-label={t`Nodes, one question at a time`}>
      <h3>
        <Plural value={of.node_count} one="# node, one question at a time" other="# nodes, one question at a time" />
      </h3>
      <ol className={css.sieve}>
        {(stop < 0 ? steps : steps.slice(0, stop + 1)).map(({ word, count, dropped }, at) => (
          <li key={word} className={classes(at === stop && decides && css.stop)}>
            <b>{count}</b>
            <span className={css.question}>
              {word}
              {at === stop && (
                <b className={css.verdict}>
                  {decides ? <Trans>None is left: this decides.</Trans> : <Trans>None is left.</Trans>}
                </b>
              )}
              {droppedWords(dropped).map((words) => (
                <Words key={words} wraps isOurs className={css.quiet} text={words} />
              ))}
            </span>
            <span className={css.cells} aria-hidden="true">
              {nodes.map(({ node_id, name }) => {
                const gone = goneAt.get(node_id) ?? Number.POSITIVE_INFINITY;
                return (
                  <span key={node_id} title={name} className={gone > at ? css.in : gone === at ? css.out : css.off} />
                );
              })}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
};

type Offer = { readonly key: string; readonly word: string; readonly text: string; readonly run: () => void };

/** What a person could do now, each with its button. */
const Sooner = ({ of }: { readonly of: Explanation }) => {
  const mayChange = useMay("operator");
  const navigate = useNavigate();
  const offers = useOffers(of);
  const limit = of.reasons.some(({ reason }) => reason === "limit");
  const tags = of.nodes.some(({ reasons }) => reasons.some(({ reason }) => /_tag$/.test(reason)));
  if (!mayChange || (offers.length === 0 && !limit && !tags)) return null;
  return (
    <section aria-label={t`What would start it sooner`}>
      <h3>
        <Trans>What would start it sooner</Trans>
      </h3>
      <ul className={css.sooner}>
        {offers.map(({ key, word, text, run }) => (
          <li key={key}>
            <Button onClick={run}>
              <Words text={word} isOurs />
            </Button>
            <span>{text}</span>
          </li>
        ))}
        {limit && (
          <li>
            <Button onClick={() => void navigate({ to: "/farm" })}>
              <Trans>Raise the limit</Trans>
            </Button>
            <span>
              <Trans>on the page of groups and limits</Trans>
            </span>
          </li>
        )}
        {tags && (
          <li>
            <Button onClick={() => void navigate({ to: "/nodes" })}>
              <Trans>Give a node the tag</Trans>
            </Button>
            <span>
              <Trans>in a node's settings</Trans>
            </span>
          </li>
        )}
      </ul>
    </section>
  );
};

const mostOffers = 4;

const useOffers = (found: Explanation): readonly Offer[] => {
  const { job_id, reasons, nodes } = found;
  const actions = useActions();
  const navigate = useNavigate();
  const { data: known = [] } = useQuery(nodesQuery);
  const has = (wanted: string) => reasons.some(({ reason }) => reason === wanted);
  const job = { id: job_id };
  const held = has("job_paused") || has("job_scheduled");
  const out = nodes.flatMap(({ node_id, reasons: own }): Offer[] => {
    const node = known.find(({ id }) => id === node_id);
    // A node that only an operator's setting excludes could take it at once.
    const isOut =
      own.length > 0 && own.every(({ reason }) => ["node_paused", "node_draining", "quarantined"].includes(reason));
    if (!node || !isOut) return [];
    const why = own.map(({ message }) => message).join("; ");
    const text = plural(node.slots, { one: `# slot back: ${why}`, other: `# slots back: ${why}` });
    const isTrust = own.some(({ reason }) => reason === "quarantined");
    const word = isTrust ? t`Trust ${node.name} again` : t`Activate ${node.name}`;
    return [{ key: node_id, word, text, run: () => void actions.setNode(node, "active") }];
  });
  return [
    ...(held
      ? [{ key: "resume", word: t`Resume`, text: t`the job is paused`, run: () => void actions.hold([job], true) }]
      : []),
    ...out.slice(0, mostOffers),
    ...onlyAway(found)
      .slice(0, mostOffers - 1)
      .map(({ node_id, name }) => ({
        key: node_id,
        word: t`Open ${name}`,
        text: t`it could take it, and is not connected`,
        run: () => void navigate({ to: "/nodes/$nodeId", params: { nodeId: node_id } }),
      })),
    ...(has("ahead") && isItsTurn(found)
      ? [
          {
            key: "priority",
            word: t`Priority 254`,
            text: t`before everything else`,
            run: () => void actions.change("priority", [job], { priority: 254 }),
          },
        ]
      : []),
  ];
};
