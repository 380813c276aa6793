import { expect, test } from "vitest";
import type { OutboundRequest } from "../../../../agent/outbound/request.ts";
import { performRequest } from "../../../../agent/steps/messages/request.ts";
import type { StepContext } from "../../../../agent/steps/step.ts";
import { TaskError } from "../../../../shared/model/failure.ts";
import type { StepOf } from "../../../../shared/work/work.ts";
import { noServices } from "../../../helpers/agent/services.ts";

const secrets: Readonly<Record<string, string>> = { "rest/password": "p", key: "SECRET" };

const perform = async (more: object, status = 200) => {
  const sent: OutboundRequest[] = [];
  const kept: unknown[] = [];
  const send = async (request: OutboundRequest) => {
    sent.push(request);
    return { status, body: "the answer", isCut: false, from: "https://x.example/", redirects: 0, retryAfterMs: 0 };
  };
  const context = {
    services: { ...noServices, now: () => Date.UTC(2026, 0, 2), send },
    ...{ log: { line: () => undefined }, signal: new AbortController().signal },
    secret: (word: string | { secret: string }) => (typeof word === "string" ? word : (secrets[word.secret] ?? "")),
    keepResult: (id: string, result: unknown) => void kept.push([id, result]),
  } as unknown as StepContext; // what the performer uses of it
  const step: StepOf<"request"> = {
    do: "request",
    id: "notify",
    method: "POST",
    url: "https://x.example/?a=b",
    headers: [],
    body: "hi",
  };
  await performRequest({ ...step, ...more }, context);
  return { sent, kept };
};

const problem = async (status: number): Promise<string> =>
  perform({}, status).then(
    () => "no problem",
    (error) => (error instanceof TaskError ? `${error.failure.cause}: ${error.message}` : String(error)),
  );

test("a request carries its secrets, and its receipt none of them", async () => {
  const headers = [{ name: "Idempotency-Key", value: "k" }];
  const { sent, kept } = await perform({ headers, basic: { username: "u", password: { secret: "rest/password" } } });
  expect(sent).toMatchObject([{ headers: { "idempotency-key": "k", authorization: "Basic dTpw" }, body: "hi" }]);
  expect(kept).toEqual([
    [
      "notify",
      {
        kind: "receipt",
        value: { method: "rest", receiver: "https://x.example/", status: 200, answer: "the answer", key: "k" },
      },
    ],
  ]);
});

test("a request to AWS's services is signed with the secret key", async () => {
  const signature = { service: "sns", region: "eu-west-1", accessKeyId: "AK", secretAccessKey: { secret: "key" } };
  const { sent, kept } = await perform({ signature });
  expect(sent[0]?.headers).toMatchObject({
    "x-amz-date": "20260102T000000Z",
    authorization: expect.stringMatching(
      /^AWS4-HMAC-SHA256 Credential=AK\/20260102\/eu-west-1\/sns\/aws4_request, SignedHeaders=host;user-agent;x-amz-date, Signature=[0-9a-f]{64}$/,
    ),
  });
  expect(JSON.stringify([sent, kept])).not.toContain("SECRET");
});

test("an answer says by its status whether another try may help", async () => {
  expect(await Promise.all([204, 302, 404, 429, 500].map(problem))).toEqual([
    "no problem",
    "definition: https://x.example/ answered 302: the answer",
    "definition: https://x.example/ answered 404: the answer",
    "receiver: https://x.example/ answered 429: the answer",
    "receiver: https://x.example/ answered 500: the answer",
  ]);
});
