import { z } from "zod";
import { listOf, openObject, optionalObject } from "../../../shared/basics/loose-values.ts";

const text = z.string().max(4000).optional();
const body = z.string().max(64_000).optional();
const named = listOf(z.looseObject({ name: z.string().max(200), value: z.string().max(4000) }), 100);
const headers = z.union([named, z.record(z.string().max(200), z.string().max(4000))]).optional();

const awsAccess = z.looseObject({
  credentials_vault_ref: text,
  computing_group_ref: text,
  basic_aws_credentials: openObject({
    access_key_id: text,
    secret_access_key: text,
    session_token: text,
  }).optional(),
});
const aws = { aws_access: awsAccess.optional(), region: text, user_payload: body };

export const notifyMethods = ["email", "rest", "sns", "sqs"] as const;
export type NotifyMethod = (typeof notifyMethods)[number];

export const notifyPayload = z.looseObject({
  notify_method: z.enum(notifyMethods).default("rest"),
  email: optionalObject({ recipients: text, subject: text, body }),
  rest: optionalObject({
    url: text,
    method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"]).default("POST"),
    headers,
    attributes: headers,
    username: text,
    password: text,
    body,
    user_payload: body,
    proxy: z.unknown().optional(),
  }),
  sns: optionalObject({ topic: text, subject: text, endpoint: text, ...aws }),
  sqs: optionalObject({ queue: text, ...aws }),
});
export type NotifyPayload = z.output<typeof notifyPayload>;
