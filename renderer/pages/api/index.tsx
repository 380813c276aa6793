import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { messageOf } from "../../../shared/errors.ts";
import { uiUrl } from "../../data/client.ts";
import { apiDocumentQuery } from "../../data/queries.ts";
import { Loading, Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { Panel } from "../../ui/panel.tsx";
import css from "./api.module.css";
import { type ApiCall, type Argument, apiDocument, callsOf, payloadsOf } from "./operations.ts";

/** This farm's API, from its OpenAPI document. */
export const ApiPage = () => {
  const { data, error } = useQuery(apiDocumentQuery);
  const document = data && apiDocument.parse(data);
  return (
    <Page
      title="API"
      actions={
        <>
          <Link to="/presets">Presets</Link>
          <a href={uiUrl("/openapi.json")}>The same as OpenAPI 3.1</a>
        </>
      }
    >
      {error && <Notice tone="failed">{messageOf(error)}</Notice>}
      {!document && !error && <Loading what="the API" rows={8} />}
      {document && (
        <div className={css.list}>
          <p className={css.words}>{document.info.description}</p>
          {callsOf(document).map((call) => (
            <Call key={call.id} call={call} />
          ))}
          {payloadsOf(document).map(({ name, fields }) => (
            <Panel key={name} title={name}>
              <Fields label={`Fields of ${name}`} fields={fields} />
            </Panel>
          ))}
        </div>
      )}
    </Page>
  );
};

const Call = ({ call: { method, path, summary, args, answers } }: { readonly call: ApiCall }) => (
  <Panel title={`${method} ${path}`} aid={<span className={css.summary}>{summary}</span>}>
    {args.length > 0 && <Fields label={`Arguments of ${method} ${path}`} fields={args} />}
    {answers.length > 0 && <p className={css.words}>Answers {answers.map(({ name }) => name).join(", ")}.</p>}
  </Panel>
);

const Fields = ({ label, fields }: { readonly label: string; readonly fields: readonly Argument[] }) => (
  <table className={css.fields} aria-label={label}>
    <thead>
      <tr>
        <th scope="col">Name</th>
        <th scope="col">In</th>
        <th scope="col">Type</th>
        <th scope="col">Rules</th>
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
