import { z } from "zod";
import { vaultWord, wordOrSecret } from "../../credentials/secret-words.ts";
import { stepId } from "./step-id.ts";

const signedFor = { service: z.enum(["sns", "sqs"]), region: z.string().min(1).max(100) };

/** AWS signature version 4, for AWS's services and compatible ones: by keys of the job, or by an entry of the vault. */
const signature = z.union([
  z.strictObject({
    ...signedFor,
    accessKeyId: wordOrSecret,
    secretAccessKey: wordOrSecret,
    sessionToken: wordOrSecret.optional(),
  }),
  z.strictObject({ ...signedFor, entry: vaultWord }),
]);
export type Signature = z.output<typeof signature>;

/** Sends one HTTP request through the node's outbound guard. A response other than 2xx fails the attempt. */
export const requestStep = z.strictObject({
  do: z.literal("request"),
  id: stepId,
  method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"]),
  url: z.string().max(4000),
  headers: z.array(z.strictObject({ name: z.string().max(200), value: wordOrSecret })).max(100),
  body: z.string().max(128_000).optional(),
  basic: z.strictObject({ username: wordOrSecret, password: wordOrSecret }).optional(),
  signature: signature.optional(),
});
