import { isSecretHeader } from "../../../shared/credentials/redact.ts";
import { capabilityError, definitionError } from "../../../shared/model/failure.ts";
import { fillBody, fillLine, fillUrl, isJson, type MessageValues } from "../../../shared/texts/message-text.ts";
import type { StepOf } from "../../../shared/work/work.ts";
import type { PlanContext } from "../element.ts";
import type { NotifyPayload } from "./schema.ts";
import { keyOf, usualMessage } from "./values.ts";

type Request = StepOf<"request">;
type Header = Request["headers"][number];
type Rest = NonNullable<NotifyPayload["rest"]>;

/** One request. Secret headers and passwords stay in the payload: the step only names them. */
export const restStep = (context: PlanContext<NotifyPayload>, values: MessageValues): Request => {
  const { uid, payload } = context;
  const { rest } = payload;
  if (!rest?.url) throw definitionError(`${uid}.payload.rest.url is missing`);
  if (rest.proxy !== undefined && rest.proxy !== null && rest.proxy !== "") {
    throw capabilityError(`${uid}.payload.rest.proxy is not supported: requests go out directly`);
  }
  const url = fillUrl(rest.url, values);
  refuseUser(url, `${uid}.payload.rest.url`);
  const hasBody = rest.method !== "GET" && rest.method !== "HEAD";
  const written = rest.body ?? rest.user_payload;
  const body = written === undefined ? usualMessage(context) : fillBody(written, values);
  const basic = basicOf(rest);
  return {
    ...{ do: "request", id: "notify", method: rest.method, url },
    headers: withUsual(headersOf(rest, values), hasBody ? body : undefined, keyOf(context)),
    ...(hasBody && { body }),
    ...(basic && { basic }),
  };
};

const basicOf = ({ username, password }: Rest): Request["basic"] =>
  username === undefined
    ? undefined
    : { username, password: password === undefined ? "" : { secret: "rest/password" } };

/** Addresses are shown, passwords are not. */
const refuseUser = (text: string, what: string): void => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || (url.username === "" && url.password === "")) return;
  throw definitionError(`${what} must hold no user name or password: rest.username and rest.password do`);
};

const headersOf = (rest: Rest, values: MessageValues): Header[] =>
  (["attributes", "headers"] as const).flatMap((field) =>
    listOf(rest[field]).map(({ name, value, at }) => ({
      name: fillLine(name, values),
      value: isSecretHeader(name) ? { secret: `rest/${field}/${at}` } : fillLine(value, values),
    })),
  );

type Written = { readonly name: string; readonly value: string; readonly at: string };

/** Headers as a list of names and values, or as an object; `at` is the path to the value within its field. */
const listOf = (headers: Rest["headers"]): Written[] =>
  Array.isArray(headers)
    ? headers.map(({ name, value }, index) => ({ name, value, at: `${index}/value` }))
    : Object.entries(headers ?? {}).map(([name, value]) => ({ name, value, at: name }));

const withUsual = (headers: readonly Header[], body: string | undefined, key: string): Header[] => {
  const usual = {
    ...(body !== undefined && { "Content-Type": isJson(body) ? "application/json" : "text/plain; charset=utf-8" }),
    "Idempotency-Key": key,
  };
  const given = new Set(headers.map(({ name }) => name.toLowerCase()));
  const missing = Object.entries(usual).filter(([name]) => !given.has(name.toLowerCase()));
  return [...headers, ...missing.map(([name, value]) => ({ name, value }))];
};
