import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useState } from "react";
import { Button } from "../../ui/controls/button.tsx";
import { Choice, Field } from "../../ui/controls/field.tsx";
import { Words } from "../../ui/text/words.tsx";
import {
  type FieldGroup,
  groupFields,
  type JobField,
  mostFields,
  type Path,
  type Plain,
  pathText,
  typedAs,
  withValue,
} from "./job-fields.ts";
import { jobSchema, namesIn, type Schema, schemasAt, valuesIn } from "./schema-at.ts";
import css from "./submit.module.css";

type Job = Readonly<Record<string, unknown>>;
type Props = {
  readonly job: Job;
  /** The API's document, once it is loaded: what fields there are, and which values they take. */
  readonly document: object | undefined;
  readonly onJob: (job: Job) => void;
  /** What is wrong, by path. */
  readonly faults: ReadonlyMap<string, string>;
};

/** Any job as a form: a field for each of its values, by the job and its elements. */
export const JobForm = ({ job, document, onJob, faults }: Props) => {
  const groups = groupFields(job);
  const schemas = (path: Path) => (document ? schemasAt(document, jobSchema(document), path, job) : []);
  const set = (path: Path, value: unknown) => onJob(withValue(job, path, value) as Job); // the root is an object
  const count = groups.reduce((sum, { fields }) => sum + fields.length, 0);
  if (count > mostFields)
    return (
      <p className={css.good}>
        <Trans>This job has {count} values, which is too many for a form: edit it as JSON.</Trans>
      </p>
    );
  return (
    <div className={css.jobForm}>
      {groups.map((group) => (
        <Group key={group.key} {...{ group, job, schemas, set, faults }} />
      ))}
    </div>
  );
};

type Parts = {
  readonly job: Job;
  readonly schemas: (path: Path) => readonly Schema[];
  readonly set: (path: Path, value: unknown) => void;
  readonly faults: ReadonlyMap<string, string>;
};

const Group = ({ group, ...parts }: Parts & { readonly group: FieldGroup }) => {
  const { element, fields, path } = group;
  return (
    <fieldset className={css.jobGroup}>
      <legend>
        {element ? (
          <>
            <Words text={element.uid} className={css.groupName} />{" "}
            <Words text={element.kind} className={css.groupKind} />
          </>
        ) : (
          <span className={css.groupName}>{t`The job`}</span>
        )}
      </legend>
      <div className={css.jobFields}>
        {fields.map((field) => (
          <Value key={pathText(field.path)} field={field} base={path.length} {...parts} />
        ))}
      </div>
      <More at={element ? [...path, "payload"] : path} {...parts} />
    </fieldset>
  );
};

/** Kinds and names of elements belong to the graph: they are edited as JSON. */
const isFixed = (path: Path): boolean =>
  path.length === 4 && path[1] === "elements" && /^(?:uid|kind)$/.test(String(path[3]));

const Value = ({
  field: { path, value },
  base,
  schemas,
  set,
  faults,
}: Parts & { readonly field: JobField; readonly base: number }) => {
  const label = pathText(path.slice(base)).replace(/^payload\./, "");
  const fault = faults.get(pathText(path));
  if (isFixed(path)) return null;
  const choices = choicesOf(value, schemas(path));
  if (choices)
    return (
      <Choice
        label={label}
        value={JSON.stringify(value)}
        choices={choices.map((each) => [JSON.stringify(each), String(each)] as const)}
        onChoose={(chosen) => set(path, JSON.parse(chosen))}
      />
    );
  return (
    <Field
      label={label}
      value={value === null ? "" : String(value)}
      placeholder={value === null ? "null" : ""} // untranslated: as JSON says it
      inputMode={typeof value === "number" ? "decimal" : "text"}
      {...(fault !== undefined && { fault })}
      onChange={(event) => set(path, typedAs(event.target.value, value))}
    />
  );
};

const mostChoices = 200;

/** The values that a field may have by name, with the one that it has. */
const choicesOf = (value: Plain, schemas: readonly Schema[]): readonly Plain[] | undefined => {
  const known = valuesIn(schemas).filter((each): each is Plain => typeof each !== "object");
  const isOpen = schemas.some(({ type }) => type === "string" || type === "number" || type === "integer");
  const isNamed = schemas.some((schema) => schema.enum !== undefined || schema.const !== undefined);
  if (typeof value === "boolean") return [true, false];
  if (!isNamed || known.length < 2 || known.length > mostChoices || (isOpen && !known.includes(value)))
    return undefined;
  return known.includes(value) ? known : [value, ...known];
};

/** Adds a field that the job does not have yet. */
const More = ({ at, job, schemas, set }: Parts & { readonly at: Path }) => {
  const [name, setName] = useState("");
  const own = at.reduce<unknown>((value, part) => (value as Job | undefined)?.[part as string], job); // any JSON
  const taken = typeof own === "object" && own !== null ? new Set(Object.keys(own)) : new Set<string>();
  const names = [...namesIn(schemas(at)).keys()].filter(
    (each) => !taken.has(each) && isPlainAt(schemas([...at, each])),
  );
  if (names.length === 0) return null;
  return (
    <div className={css.jobMore}>
      <Choice
        label={t`Add a field`}
        value={name}
        choices={[["", t`choose…`], ...names.sort().map((each) => [each, each] as const)]}
        onChoose={setName}
      />
      <Button
        disabled={name === ""}
        onClick={() => {
          set([...at, name], emptyAt(schemas([...at, name])));
          setName("");
        }}
      >
        <Trans>Add</Trans>
      </Button>
    </div>
  );
};

const plainTypes = new Set(["string", "number", "integer", "boolean"]);
const isPlainAt = (schemas: readonly Schema[]): boolean =>
  schemas.some(({ type, enum: named }) => named !== undefined || (typeof type === "string" && plainTypes.has(type)));

/** The first value that a new field can have. */
const emptyAt = (schemas: readonly Schema[]): Plain => {
  const [named] = valuesIn(schemas);
  if (typeof named === "string" || typeof named === "number" || typeof named === "boolean") return named;
  return schemas.some(({ type }) => type === "number" || type === "integer") ? 0 : "";
};
