import { describe, expect, test } from "vitest";
import type { PlanContext } from "../../../../media/elements/element.ts";
import { notify } from "../../../../media/elements/notify/index.ts";
import type { Asset } from "../../../../shared/model/asset.ts";
import { TaskError } from "../../../../shared/model/failure.ts";

const made: Asset = { version: "mp4", files: [{ uri: "file:///out/film.mp4", size: 12 }] };
const from: Asset = { version: "src", files: [{ uri: "file:///in/a%20film.mov", size: 34 }] };

const context = (payload: object, more: Partial<PlanContext<unknown>> = {}): PlanContext<unknown> => ({
  uid: "tell",
  payload: notify.payload.parse(payload),
  job: { id: 7, name: 'The "film"', userTag: "tag", ownerEmail: "owner@studio.example" },
  inputs: [made],
  source: [from],
  factsOf: () => undefined,
  ...more,
});

const failures = [
  { uid: "tc", kind: "transcode", name: "Transcode", failure: { cause: "media", message: "broke" } },
] as const;

const compiled = (payload: object, more: Partial<PlanContext<unknown>> = {}) => {
  const it = context(payload, more);
  const plan = notify.plan(it);
  if (!("tasks" in plan)) throw new Error("it asks for facts");
  const [task] = plan.tasks;
  if (!task) throw new Error("it plans nothing");
  return { requires: task.requires, work: notify.compile(task, it) };
};

const problem = (payload: object, more: Partial<PlanContext<unknown>> = {}): string => {
  try {
    compiled(payload, more);
    return "no problem";
  } catch (error) {
    return error instanceof TaskError ? `${error.failure.cause}: ${error.message}` : String(error);
  }
};

describe("rest", () => {
  test("sends the words of the payload, and names secrets without their texts", () => {
    const rest = {
      url: "https://hooks.example/{job_id}/{source_basename}",
      headers: [
        { name: "X-Job", value: "{job_name}\r\nX-Evil: 1" },
        { name: "Authorization", value: "Bearer abc" },
      ],
      username: "u",
      password: "p",
      body: '{"job": {job_id}, "name": "{job_name}", "mine": "{unknown}"}',
    };
    expect(compiled({ rest })).toEqual({
      requires: ["request"],
      work: {
        assets: {},
        outputs: {},
        steps: [
          {
            ...{ do: "request", id: "notify", method: "POST", url: "https://hooks.example/7/a%20film" },
            headers: [
              { name: "X-Job", value: 'The "film" X-Evil: 1' },
              { name: "Authorization", value: { secret: "rest/headers/1/value" } },
              { name: "Content-Type", value: "application/json" },
              { name: "Idempotency-Key", value: "mediafarm-7-tell" },
            ],
            body: '{"job": 7, "name": "The \\"film\\"", "mine": "{unknown}"}',
            basic: { username: "u", password: { secret: "rest/password" } },
          },
        ],
        notes: ["{unknown} is not a placeholder of notifications and stays unchanged"],
      },
    });
  });

  test("tells what became of the job where the payload has no words", () => {
    const { work } = compiled({ rest: { url: "https://hooks.example/" } }, { failures });
    const [step] = work.steps;
    expect(step?.do === "request" && JSON.parse(step.body ?? "")).toEqual({
      ...{ event: "notify", key: "mediafarm-7-tell", element: "tell", status: "failed" },
      job: { id: 7, name: 'The "film"', user_tag: "tag" },
      errors: [{ element: "tc", cause: "media", message: "broke" }],
      files: [{ url: "file:///out/film.mp4", size: 12 }],
    });
  });

  test("has no body where it gets or heads, and takes headers as an object", () => {
    const rest = { url: "https://x.example/", method: "GET", attributes: { "x-api-key": "k", "X-A": "b" } };
    expect(compiled({ rest }).work.steps).toEqual([
      {
        ...{ do: "request", id: "notify", method: "GET", url: "https://x.example/" },
        headers: [
          { name: "x-api-key", value: { secret: "rest/attributes/x-api-key" } },
          { name: "X-A", value: "b" },
          { name: "Idempotency-Key", value: "mediafarm-7-tell" },
        ],
      },
    ]);
  });

  test("is refused without an address, with a password in it, and with a proxy", () => {
    expect(problem({})).toBe("definition: tell.payload.rest.url is missing");
    expect(problem({ rest: { url: "https://u:p@x.example/" } })).toBe(
      "definition: tell.payload.rest.url must hold no user name or password: rest.username and rest.password do",
    );
    expect(problem({ rest: { url: "https://x.example/", proxy: "p" } })).toBe(
      "capability: tell.payload.rest.proxy is not supported: requests go out directly",
    );
  });
});

describe("email", () => {
  test("goes to all recipients, with placeholders filled in", () => {
    const email = {
      recipients: "a@x.example, {account_owner_email}; b@x.example",
      subject: "{job_name}\n: {status}",
      body: "{failed_element} {error_cause} {error}\n{source_name} {target_url}",
    };
    expect(compiled({ notify_method: "email", email }, { failures })).toEqual({
      requires: ["email"],
      work: {
        assets: {},
        outputs: {},
        steps: [
          {
            ...{ do: "email", id: "notify", key: "mediafarm-7-tell" },
            recipients: ["a@x.example", "owner@studio.example", "b@x.example"],
            subject: 'The "film" : failed',
            body: "tc media broke\na film.mov file:///out/film.mp4",
          },
        ],
      },
    });
  });

  test("has words of its own where the payload has none", () => {
    const { work } = compiled({ notify_method: "email", email: { recipients: "a@x.example" } }, { failures });
    expect(work.steps).toMatchObject([
      {
        subject: 'Job 7 (The "film"): failed',
        body: 'Job 7, The "film"\na film.mov is failed.\n\ntc: broke\n',
      },
    ]);
  });

  test.each([
    [{}, "definition: tell.payload.email.recipients is missing"],
    [{ recipients: " , " }, "definition: tell.payload.email.recipients contains no address"],
    [{ recipients: "nobody" }, 'definition: tell.payload.email.recipients: "nobody" is not an e-mail address'],
    [
      { recipients: "Evil <a@x.example>" },
      'definition: tell.payload.email.recipients: "Evil <a@x.example>" is not an e-mail address',
    ],
    [
      { recipients: "a@x.example\r\nBcc: b@x.example" },
      'definition: tell.payload.email.recipients: "a@x.example Bcc: b@x.example" is not an e-mail address',
    ],
  ])("refuses %j", (email, expected) => {
    expect(problem({ notify_method: "email", email })).toBe(expected);
  });

  test("says what to do where the farm knows no address of its owner", () => {
    const email = { recipients: "{account_owner_email}" };
    expect(problem({ notify_method: "email", email }, { job: { id: 7, name: "x" } })).toBe(
      "capability: {account_owner_email}: this farm does not know its owner's address; its operator names one with --owner-email",
    );
  });
});

describe("AWS's services", () => {
  const aws_access = { basic_aws_credentials: { access_key_id: "AK", secret_access_key: "SK" } };

  test("a topic is published to at its region's endpoint, or at the one that is named", () => {
    const sns = {
      topic: "arn:aws:sns:eu-west-1:123456789012:jobs",
      aws_access,
      user_payload: "{job_id}",
      subject: "s",
    };
    const step = {
      ...{ do: "request", id: "notify", method: "POST", url: "https://sns.eu-west-1.amazonaws.com/" },
      headers: [
        { name: "Content-Type", value: "application/x-www-form-urlencoded; charset=utf-8" },
        { name: "Idempotency-Key", value: "mediafarm-7-tell" },
      ],
      body: "Action=Publish&Version=2010-03-31&TopicArn=arn%3Aaws%3Asns%3Aeu-west-1%3A123456789012%3Ajobs&Message=7&Subject=s",
      signature: {
        ...{ service: "sns", region: "eu-west-1", accessKeyId: "AK" },
        secretAccessKey: { secret: "sns/aws_access/basic_aws_credentials/secret_access_key" },
      },
    };
    expect(compiled({ notify_method: "sns", sns }).work.steps).toEqual([step]);
    const elsewhere = { ...sns, endpoint: "http://localhost:4566/" };
    expect(compiled({ notify_method: "sns", sns: elsewhere }).work.steps).toEqual([
      { ...step, url: "http://localhost:4566/" },
    ]);
  });

  test("an entry of the vault signs, by its name alone", () => {
    const sns = {
      topic: "arn:aws:sns:eu-west-1:123456789012:jobs",
      aws_access: { credentials_vault_ref: "our-topics" },
    };
    expect(compiled({ notify_method: "sns", sns }).work.steps).toMatchObject([
      { signature: { service: "sns", region: "eu-west-1", entry: { secret: "vault/our-topics" } } },
    ]);
  });

  test("a message goes to its queue's address, in order where the queue has one", () => {
    const queue = "https://sqs.us-east-2.amazonaws.com/123456789012/jobs.fifo";
    const sqs = { queue, aws_access, user_payload: "hello" };
    expect(compiled({ notify_method: "sqs", sqs }).work.steps).toMatchObject([
      {
        url: queue,
        body: `Action=SendMessage&Version=2012-11-05&QueueUrl=${encodeURIComponent(queue)}&MessageBody=hello&MessageGroupId=mediafarm&MessageDeduplicationId=mediafarm-7-tell`,
        signature: { service: "sqs", region: "us-east-2" },
      },
    ]);
  });

  test.each([
    ["sns", { topic: "jobs" }, /^definition: tell\.payload\.sns\.topic must be an ARN/],
    ["sns", { topic: "arn:aws:sns:eu-west-1:1:jobs" }, /^definition: .* with access_key_id and secret_access_key$/],
    [
      "sqs",
      { queue: "https://q.example/", aws_access: { credentials_vault_ref: "../a" } },
      /^definition: tell\.payload\.sqs\.aws_access\.credentials_vault_ref is not the name of an entry/,
    ],
    ["sqs", { queue: "jobs" }, /^definition: tell\.payload\.sqs\.queue must be a queue's address/],
    [
      "sqs",
      { queue: "https://q.example/", aws_access: { computing_group_ref: "g" } },
      /^capability: tell\.payload\.sqs\.aws_access\.computing_group_ref is not supported/,
    ],
  ])("%s refuses %j", (method, fields, expected) => {
    expect(problem({ notify_method: method, [method]: fields })).toMatch(expected);
  });
});
