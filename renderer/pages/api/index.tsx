import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { messageOf } from "../../../shared/basics/errors.ts";
import { uiUrl } from "../../data/client.ts";
import { apiDocumentQuery } from "../../data/queries.ts";
import { Page } from "../../ui/layout/page.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { Loading, Notice } from "../../ui/text/notice.tsx";
import css from "./api.module.css";
import { type ApiCall, type Argument, apiDocument, listCalls, listPayloads } from "./operations.ts";

/** This farm's API, from its OpenAPI document. */
export const ApiPage = () => {
  const { data, error } = useQuery(apiDocumentQuery);
  const document = data && apiDocument.parse(data);
  return (
    <Page
      title={t`API`}
      actions={
        <>
          <Link to="/presets">
            <Trans>Presets</Trans>
          </Link>
          <a href={uiUrl("/openapi.json")}>
            <Trans>The same as OpenAPI 3.1</Trans>
          </a>
        </>
      }
    >
      {error && <Notice tone="failed">{messageOf(error)}</Notice>}
      {!document && !error && <Loading what={t`the API`} rows={8} />}
      {document && (
        <div className={css.list}>
          <p className={css.words}>{document.info.description}</p>
          {listCalls(document).map((call) => (
            <Call key={call.id} call={call} />
          ))}
          {listPayloads(document).map(({ name, fields }) => (
            <Panel key={name} title={name}>
              <Fields label={t`Fields of ${name}`} fields={fields} />
            </Panel>
          ))}
        </div>
      )}
    </Page>
  );
};

const Call = ({ call: { method, path, summary, args, answers } }: { readonly call: ApiCall }) => (
  <Panel title={`${method} ${path}`} aid={<span className={css.summary}>{summary}</span>}>
    {args.length > 0 && <Fields label={t`Arguments of ${method} ${path}`} fields={args} />}
    {answers.length > 0 && (
      <p className={css.words}>
        <Trans>Answers {answers.map(({ name }) => name).join(", ")}.</Trans>
      </p>
    )}
  </Panel>
);

const Fields = ({ label, fields }: { readonly label: string; readonly fields: readonly Argument[] }) => (
  <table className={css.fields} aria-label={label}>
    <thead>
      <tr>
        <th scope="col">
          <Trans>Name</Trans>
        </th>
        <th scope="col">
          <Trans>In</Trans>
        </th>
        <th scope="col">
          <Trans>Type</Trans>
        </th>
        <th scope="col">
          <Trans>Rules</Trans>
        </th>
      </tr>
    </thead>
    <tbody>
      {fields.map(({ name, place, type, rules }) => (
        <tr key={`${place} ${name}`}>
          <th scope="row">
            <code>{name}</code>
          </th>
          <td>{place}</td>
          <td>{type}</td>
          <td>{rules}</td>
        </tr>
      ))}
    </tbody>
  </table>
);
