import { z } from "zod";
import type { Receipt } from "../../../media/results/receipt.ts";
import { hiding } from "../../../shared/credentials/redact.ts";
import { definitionError, TaskError } from "../../../shared/model/failure.ts";
import type { Signature } from "../../../shared/work/steps/request.ts";
import type { StepOf } from "../../../shared/work/work.ts";
import type { OutboundAnswer, OutboundRequest } from "../../outbound/request.ts";
import { shownUrl } from "../../outbound/request.ts";
import { type AwsKey, signed } from "../../outbound/sign.ts";
import type { Performer, StepContext } from "../step.ts";

/** Words of a message that are shorter, such as a status, stand in any answer. */
const shortestHidden = 8;

/** Kept for the error message and the receipt; the rest of a response is dropped. */
const answerCharacters = 2000;

export const performRequest: Performer<"request"> = async (step, context) => {
  const { services, signal, log, keepResult } = context;
  const { method, url, body } = step;
  log.line(`${method} ${shownUrl(url)}`);
  const headers = headersOf(step, context);
  const hide = hiding(secretsOf({ url, headers, body }), shortestHidden);
  const { body: told, ...answered } = await services.send({ method, url, headers, body, signal });
  const answer = { ...answered, body: hide(told) };
  log.line(`answered ${answer.status} from ${answer.from} after ${answer.redirects} redirects`);
  if (answer.status < 200 || answer.status > 299) throw refused(answer);
  const value: Receipt = {
    method: step.signature?.service ?? "rest",
    receiver: answer.from,
    status: answer.status,
    answer: answer.body.slice(0, answerCharacters),
    key: keyOf(step),
  };
  keepResult(step.id, { kind: "receipt", value });
};

/** What a request says: a receiver may say it back, and its answer is shown to whoever may see the job. */
const secretsOf = ({ url, headers, body = "" }: Pick<OutboundRequest, "url" | "headers" | "body">): string[] => {
  const { search, searchParams } = new URL(url);
  const values = Object.entries(headers).flatMap(([name, value]) => (plainHeaders.has(name) ? [] : [value]));
  const words = values.flatMap((value) => [value, ...value.split(/\s+/)]);
  return [search.slice(1), ...searchParams.values(), ...words, body, ...wordsOf(body)];
};

const plainHeaders: ReadonlySet<string> = new Set(["user-agent", "content-type", "accept", "idempotency-key"]);

/** The texts of a body in JSON, or of a form. */
const wordsOf = (body: string): string[] => {
  try {
    return textsIn(JSON.parse(body));
  } catch {
    return [...new URLSearchParams(body).values()].flatMap((text) => [text, encodeURIComponent(text)]);
  }
};

const textsIn = (value: unknown): string[] => {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
};

const headersOf = (step: StepOf<"request">, { secret, services }: StepContext): Record<string, string> => {
  const { method, url, body = "", basic, signature } = step;
  const headers: Record<string, string> = { "user-agent": "mediafarm" };
  for (const { name, value } of step.headers) headers[name.toLowerCase()] = checked(name, secret(value));
  if (basic) {
    const pair = `${secret(basic.username)}:${secret(basic.password)}`;
    headers.authorization = `Basic ${Buffer.from(pair).toString("base64")}`;
  }
  if (!signature) return headers;
  return signed({ method, url, headers, body }, awsKey(signature, secret), services.now());
};

const awsKey = (signature: Signature, secret: StepContext["secret"]): AwsKey => {
  const { service, region } = signature;
  if ("entry" in signature) return { service, region, ...keysOfEntry.parse(JSON.parse(secret(signature.entry))) };
  return {
    ...{ service, region },
    accessKeyId: secret(signature.accessKeyId),
    secretAccessKey: secret(signature.secretAccessKey),
    sessionToken: signature.sessionToken && secret(signature.sessionToken),
  };
};

/** The keys of a vault's entry as the coordinator sends them. */
const keysOfEntry = z.strictObject({
  accessKeyId: z.string(),
  secretAccessKey: z.string(),
  sessionToken: z.string().optional(),
});

const checked = (name: string, value: string): string => {
  if (/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) return value;
  throw definitionError(`The header ${name} has characters that no header may have`);
};

const keyOf = (step: StepOf<"request">): string => {
  const value = step.headers.find(({ name }) => name.toLowerCase() === "idempotency-key")?.value;
  return typeof value === "string" ? value.slice(0, 300) : "";
};

/** These responses will not change on a retry; all others may. */
const refused = ({ status, body, from }: OutboundAnswer): TaskError => {
  const mayPass = status >= 500 || status === 408 || status === 425 || status === 429;
  const words = body.trim() === "" ? "" : `: ${body.trim().slice(0, answerCharacters)}`;
  return new TaskError(mayPass ? "receiver" : "definition", `${from} answered ${status}${words}`);
};
