import { plural, t } from "@lingui/core/macro";
import { Plural, Trans } from "@lingui/react/macro";
import { useQueries } from "@tanstack/react-query";
import { useDeferredValue } from "react";
import { jobPlan } from "../../../shared/api/job-plan.ts";
import { messageOf } from "../../../shared/basics/errors.ts";
import { finishWords } from "../../data/activity.ts";
import { request } from "../../data/client.ts";
import { useCoarseNow } from "../../data/link.ts";
import { translated } from "../../language/words.ts";
import { Notice } from "../../ui/text/notice.tsx";
import { Words } from "../../ui/text/words.tsx";
import css from "./submit.module.css";

/** The plan of the first jobs, from a dry run on the coordinator. */
export const PlanPreview = ({
  jobs,
  more,
}: {
  readonly jobs: readonly Record<string, unknown>[];
  readonly more: number;
}) => {
  const now = useCoarseNow();
  const asked = useDeferredValue(jobs.map((job) => JSON.stringify({ ...job, dry_run: true })));
  const plans = useQueries({
    queries: asked.map((text) => ({
      queryKey: ["plan", text],
      queryFn: async ({ signal }: { signal: AbortSignal }) =>
        // The body is a job, whose shape the route checks.
        jobPlan
          .loose()
          .parse(
            await request("createJob", JSON.parse(text) as Parameters<typeof request<"createJob">>[1], { signal }),
          ),
    })),
  });
  return (
    <div className={css.plan}>
      {plans.map(({ data, error }, at) => (
        <div key={asked[at]}>
          <h3>
            <Words text={String(jobs[at]?.name ?? "")} />
          </h3>
          {error && <Notice tone="failed">{messageOf(error)}</Notice>}
          {data?.warnings.map((warning) => (
            <Notice key={warning} tone="late">
              <Words text={warning} wraps />
            </Notice>
          ))}
          {data && (
            <p>
              {data.finish ? (
                <Trans>
                  Done <b>{finishWords(data.finish, now)}</b> if it is sent now
                </Trans>
              ) : (
                <Trans>No estimate: too few tasks like these have run.</Trans>
              )}
            </p>
          )}
          <ol>
            {data?.elements.map((element) => (
              <Step key={element.uid} element={element} />
            ))}
          </ol>
        </div>
      ))}
      {more > 0 && (
        <p>
          <Plural value={more} one="and # more job like these" other="and # more jobs like these" />
        </p>
      )}
    </div>
  );
};

type Planned = ReturnType<typeof jobPlan.parse>["elements"][number];

const planWords: Record<Planned["plan"], string> = {
  planned: "",
  facts: t`reads the file first, then plans`,
  later: t`planned once earlier elements are known`,
  on_error: t`only where something fails`,
  refused: t`would fail`,
};

const Step = ({ element }: { readonly element: Planned }) => (
  <li>
    <b>{translated(element.title)}</b>{" "}
    <span>
      {element.tasks.length > 0
        ? plural(element.tasks.length, { one: "# task", other: "# tasks" })
        : planWords[element.plan]}
    </span>
    {element.message !== null && (
      <Notice tone="failed">
        <Words text={element.message} wraps />
      </Notice>
    )}
    {element.tasks.slice(0, 5).map(({ name, nodes, commands, outputs }) => (
      <details key={name}>
        <summary>
          <Words text={name} /> ·{" "}
          {nodes === 0 ? t`no node can do it` : plural(nodes, { one: "# node can do it", other: "# nodes can do it" })}
        </summary>
        {outputs.map((output) => (
          <Words key={output} text={output} wraps className={css.output} />
        ))}
        {commands.map((command) => (
          <code key={command}>{command}</code>
        ))}
      </details>
    ))}
  </li>
);
