import { vaultWord, vaultWordOf } from "../../../shared/credentials/secret-words.ts";
import { capabilityError, definitionError } from "../../../shared/model/failure.ts";
import { fillBody, fillLine, type MessageValues } from "../../../shared/texts/message-text.ts";
import type { Signature } from "../../../shared/work/steps/request.ts";
import type { StepOf } from "../../../shared/work/work.ts";
import type { PlanContext } from "../element.ts";
import type { NotifyPayload } from "./schema.ts";
import { keyOf, usualMessage } from "./values.ts";

type Aws = { readonly region?: string | undefined; readonly user_payload?: string | undefined } & Pick<
  NonNullable<NotifyPayload["sqs"]>,
  "aws_access"
>;

/** Publishes to a topic, at Amazon's own endpoint of its region or at the given one. */
export const snsStep = (context: PlanContext<NotifyPayload>, values: MessageValues): StepOf<"request"> => {
  const { sns } = context.payload;
  const what = `${context.uid}.payload.sns`;
  const topic = fillLine(sns?.topic ?? "", values);
  const [, regionOfTopic] = /^arn:aws[a-z-]*:sns:([a-z0-9-]+):\d+:[\w.-]+$/.exec(topic) ?? [];
  if (!sns || regionOfTopic === undefined) {
    throw definitionError(`${what}.topic must be an ARN such as arn:aws:sns:eu-west-1:123456789012:jobs`);
  }
  const region = sns.region ?? regionOfTopic;
  const form = {
    ...{ Action: "Publish", Version: "2010-03-31", TopicArn: topic, Message: messageOf(context, sns, values) },
    ...(sns.subject !== undefined && { Subject: fillLine(sns.subject, values).slice(0, 100) }),
  };
  const url = sns.endpoint ?? `https://sns.${region}.amazonaws.com/`;
  return formStep(context, url, form, signatureOf("sns", region, sns, what));
};

/** Sends to a queue; its address includes the endpoint. */
export const sqsStep = (context: PlanContext<NotifyPayload>, values: MessageValues): StepOf<"request"> => {
  const { sqs } = context.payload;
  const what = `${context.uid}.payload.sqs`;
  const queue = fillLine(sqs?.queue ?? "", values);
  if (!sqs || !/^https?:\/\//.test(queue)) {
    throw definitionError(`${what}.queue must be a queue's address, which begins with https://`);
  }
  const region = sqs.region ?? /^https?:\/\/sqs\.([a-z0-9-]+)\./.exec(queue)?.[1] ?? "us-east-1";
  const isOrdered = queue.endsWith(".fifo");
  const form = {
    ...{ Action: "SendMessage", Version: "2012-11-05", QueueUrl: queue, MessageBody: messageOf(context, sqs, values) },
    ...(isOrdered && { MessageGroupId: "mediafarm", MessageDeduplicationId: keyOf(context) }),
  };
  return formStep(context, queue, form, signatureOf("sqs", region, sqs, what));
};

const messageOf = (context: PlanContext<unknown>, { user_payload }: Aws, values: MessageValues): string =>
  user_payload === undefined ? usualMessage(context) : fillBody(user_payload, values);

const formStep = (
  context: PlanContext<unknown>,
  url: string,
  form: Readonly<Record<string, string>>,
  signature: Signature,
): StepOf<"request"> => ({
  ...{ do: "request", id: "notify", method: "POST", url, signature },
  headers: [
    { name: "Content-Type", value: "application/x-www-form-urlencoded; charset=utf-8" },
    { name: "Idempotency-Key", value: keyOf(context) },
  ],
  body: new URLSearchParams(form).toString(),
});

const signatureOf = (service: "sns" | "sqs", region: string, { aws_access: access }: Aws, what: string): Signature => {
  const { basic_aws_credentials: basic } = access ?? {};
  if (access?.computing_group_ref) {
    const why = "nodes have no accounts of their own at Amazon's";
    throw capabilityError(
      `${what}.aws_access.computing_group_ref is not supported, because ${why}: use basic_aws_credentials or credentials_vault_ref`,
    );
  }
  if (access?.credentials_vault_ref) {
    const entry = vaultWord.safeParse(vaultWordOf(access.credentials_vault_ref));
    if (entry.success) return { service, region, entry: entry.data };
    throw definitionError(`${what}.aws_access.credentials_vault_ref is not the name of an entry of the vault`);
  }
  if (!basic?.access_key_id || !basic.secret_access_key) {
    const wanted = `${what}.aws_access needs credentials_vault_ref, or basic_aws_credentials with access_key_id and secret_access_key`;
    throw definitionError(wanted);
  }
  const at = `${service}/aws_access/basic_aws_credentials`;
  return {
    ...{ service, region, accessKeyId: basic.access_key_id, secretAccessKey: { secret: `${at}/secret_access_key` } },
    ...(basic.session_token && { sessionToken: { secret: `${at}/session_token` } }),
  };
};
