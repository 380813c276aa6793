import { z } from "zod";
import { defined } from "../basics/defined.ts";
import { listOf } from "../basics/loose-values.ts";
import { capabilityError, definitionError } from "../model/failure.ts";

/** Properties of written files, for storage that supports them. */
export const objectOptions = z.strictObject({
  attributes: listOf(z.strictObject({ name: z.string().max(200), value: z.string().max(4000) }), 100).optional(),
  /** The name of a predefined set of access rights. */
  acl: z.string().max(100).optional(),
  /** How the server encrypts them, and with which of its keys. */
  encryption: z.strictObject({ algorithm: z.string().max(100), keyId: z.string().max(2000).optional() }).optional(),
});
export type ObjectOptions = z.output<typeof objectOptions>;

type Wish = {
  readonly attributes?: readonly { readonly name: string; readonly value: string }[] | undefined;
  readonly permissions?: Readonly<Record<string, unknown>> | undefined;
  readonly encryption?: Readonly<Record<string, unknown>> | undefined;
};

/** The options that a target's location sets on its files. Throws TaskError for unknown ones. */
export const objectOptionsOf = (location: Wish | undefined, path: string): ObjectOptions | undefined => {
  const attributes = location?.attributes?.map(({ name, value }) => ({ name, value })) ?? [];
  const options = defined({
    attributes: attributes.length > 0 ? attributes : undefined,
    acl: aclOf(location?.permissions, `${path}.permissions`),
    encryption: encryptionOf(location?.encryption, `${path}.encryption`),
  });
  return Object.keys(options).length > 0 ? options : undefined;
};

const aclOf = (permissions: Wish["permissions"], path: string): string | undefined => {
  for (const [name, value] of Object.entries(permissions ?? {})) {
    if (name === "acl" && typeof value === "string") return value;
    throw capabilityError(`${path}.${name} is not implemented: rights are given by the name of an acl`);
  }
  return undefined;
};

const algorithms: Readonly<Record<string, string>> = {
  ...{ aes256: "AES256", "sse-s3": "AES256", "aws:s3": "AES256" },
  ...{ "aws:kms": "aws:kms", aws_kms: "aws:kms", "sse-kms": "aws:kms" },
};

const encryptionOf = (encryption: Wish["encryption"], path: string): ObjectOptions["encryption"] => {
  const { kind, algorithm = kind, key_id: keyId, ...rest } = encryption ?? {};
  const [other] = Object.keys(rest);
  if (other !== undefined) throw capabilityError(`${path}.${other} is not implemented`);
  if (algorithm === undefined || algorithm === "none") return undefined;
  const known = algorithms[String(algorithm).toLowerCase()];
  if (!known) throw capabilityError(`${path} "${algorithm}" is not implemented: AES256 and aws:kms are`);
  if (keyId === undefined) return { algorithm: known };
  if (typeof keyId !== "string") throw definitionError(`${path}.key_id is not the name of a key`);
  if (known !== "aws:kms") throw definitionError(`${path}.key_id names a key, but ${known} takes none`);
  return { algorithm: known, keyId };
};
