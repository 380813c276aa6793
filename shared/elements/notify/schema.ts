import { z } from "zod";
import { openObject } from "../../loose.ts";

const text = z.string().max(4000).optional();
const body = z.string().max(64_000).optional();
const named = z.array(z.looseObject({ name: z.string().max(200), value: z.string().max(4000) })).max(100);
const awsAccess = openObject({
  credentials_vault_ref: z.unknown().optional(),
  computing_group_ref: z.unknown().optional(),
  basic_aws_credentials: z.unknown().optional(),
});

export const notifyPayload = z.looseObject({
  notify_method: z.enum(["email", "rest", "sns", "sqs"]).default("rest"),
  email: z.looseObject({ recipients: text, subject: text, body }).optional(),
  rest: openObject({
    url: text,
    method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"]).default("POST"),
    headers: z.union([named, z.looseObject({})]).optional(),
    attributes: z.union([named, z.looseObject({})]).optional(),
    username: text,
    password: text,
    body,
    user_payload: body,
    proxy: z.unknown().optional(),
  }).optional(),
  sns: z.looseObject({ topic: text, aws_access: awsAccess.optional(), user_payload: body }).optional(),
  sqs: z.looseObject({ queue: text, aws_access: awsAccess.optional(), user_payload: body }).optional(),
});
