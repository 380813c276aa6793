import { plural, t } from "@lingui/core/macro";
import { Plural, Trans } from "@lingui/react/macro";
import { useQueries } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useDeferredValue, useState } from "react";
import { messageOf } from "../../../shared/errors.ts";
import { jobPlan } from "../../../shared/job-plan.ts";
import { initialValues, jobOf, recipes } from "../../../shared/recipes/index.ts";
import type { Recipe, RecipeField, RecipeValues } from "../../../shared/recipes/recipe.ts";
import { request } from "../../data/client.ts";
import { translated } from "../../language/words.ts";
import { Button } from "../../ui/button.tsx";
import { Choice, Field } from "../../ui/field.tsx";
import { Empty, Notice } from "../../ui/notice.tsx";
import { Panel } from "../../ui/panel.tsx";
import { useSay } from "../../ui/toast.tsx";
import { Words } from "../../ui/words.tsx";
import { FilePicker } from "./file-picker.tsx";
import css from "./submit.module.css";

/** Files, a recipe and a folder, with a preview of the jobs before they are sent. */
export const RecipeForm = ({ onJson }: { readonly onJson: (text: string) => void }) => {
  const [recipe, setRecipe] = useState<Recipe>(recipes[0] as Recipe); // the table is not empty
  const [values, setValues] = useState<RecipeValues>(initialValues(recipe));
  const [files, setFiles] = useState<readonly string[]>([]);
  const [folder, setFolder] = useState("");
  const [priority, setPriority] = useState(100);
  const [isSending, setSending] = useState(false);
  const say = useSay();
  const navigate = useNavigate();
  const target = folder.trim() || (files[0] ? `${files[0].slice(0, files[0].lastIndexOf("/"))}/out` : "");
  const jobs = files.map((source) => jobOf({ recipe, values, source, folder: target, priority }));
  const send = async () => {
    setSending(true);
    try {
      const sent: string[] = [];
      // The route checks what it is given; a recipe makes jobs of a shape that only it knows.
      for (const job of jobs)
        sent.push((await request("createJob", job as Parameters<typeof request<"createJob">>[1])).id);
      say(plural(sent.length, { one: "# job queued.", other: "# jobs queued." }));
      const [only] = sent;
      if (sent.length === 1 && only) await navigate({ to: "/jobs/$jobId", params: { jobId: only }, search: {} });
      else await navigate({ to: "/jobs", search: { sort: "id", order: "desc" } });
    } catch (problem) {
      say(t`It was not queued: ${messageOf(problem)}`);
    }
    setSending(false);
  };
  return (
    <div className={css.recipe}>
      <div className={css.steps}>
        <Panel
          title={t`1. Files`}
          count={files.length > 0 ? plural(files.length, { one: "# file", other: "# files" }) : undefined}
        >
          <FilePicker files={files} onFiles={setFiles} />
        </Panel>
        <Panel title={t`2. What to make`}>
          <div className={css.recipes} role="radiogroup" aria-label={t`Recipe`}>
            {recipes.map((each) => (
              <label key={each.id} className={css.card}>
                <input
                  type="radio"
                  name="recipe"
                  checked={each.id === recipe.id}
                  onChange={() => {
                    setRecipe(each);
                    setValues(initialValues(each));
                  }}
                />
                <b>{translated(each.title)}</b>
                <span>{translated(each.says)}</span>
              </label>
            ))}
          </div>
          <div className={css.form}>
            {recipe.fields.map((field) => (
              <Question
                key={`${recipe.id} ${field.key}`}
                field={field}
                value={values[field.key]}
                onValue={(value) => setValues({ ...values, [field.key]: value })}
              />
            ))}
            <Field
              label={t`Folder for the outputs`}
              placeholder={target || "/mnt/projects/out"}
              hint={t`A folder that nodes may write, or an address of a storage`}
              value={folder}
              onChange={(event) => setFolder(event.target.value)}
            />
            <Field
              label={t`Priority`}
              type="number"
              min={1}
              max={254}
              value={String(priority)}
              onChange={(event) => setPriority(Number(event.target.value))}
            />
          </div>
        </Panel>
      </div>
      <Panel
        title={t`3. What will happen`}
        aid={
          <>
            {jobs[0] && (
              <Button onClick={() => onJson(JSON.stringify(jobs[0], null, 2))}>
                <Trans>As JSON</Trans>
              </Button>
            )}
            <Button look="primary" disabled={jobs.length === 0 || isSending} onClick={() => void send()}>
              {jobs.length > 1 ? t`Submit ${jobs.length} jobs` : t`Submit the job`}
            </Button>
          </>
        }
      >
        {jobs.length === 0 ? (
          <Empty title={t`Choose a file first.`} />
        ) : (
          <Preview jobs={jobs.slice(0, 3)} more={jobs.length - 3} />
        )}
      </Panel>
    </div>
  );
};

const Question = ({
  field,
  value,
  onValue,
}: {
  readonly field: RecipeField;
  readonly value: string | number | undefined;
  readonly onValue: (value: string | number) => void;
}) =>
  field.kind === "choice" ? (
    <Choice
      label={translated(field.label)}
      value={String(value ?? field.initial)}
      choices={field.choices.map(([key, word]) => [key, translated(word)] as const)}
      onChoose={onValue}
    />
  ) : (
    <Field
      label={translated(field.label)}
      type="number"
      min={field.min}
      max={field.max}
      value={String(value ?? field.initial)}
      onChange={(event) => onValue(Number(event.target.value))}
    />
  );

/** The plan of the first jobs, from a dry run on the coordinator. */
const Preview = ({ jobs, more }: { readonly jobs: readonly Record<string, unknown>[]; readonly more: number }) => {
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
