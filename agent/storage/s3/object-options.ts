import type { ObjectOptions } from "../../../shared/files/object-options.ts";
import { definitionError } from "../../../shared/model/failure.ts";

/** Attributes of a job -> fields of the request that creates an object. */
const fields: Readonly<Record<string, string>> = {
  contenttype: "ContentType",
  cachecontrol: "CacheControl",
  contentdisposition: "ContentDisposition",
  contentencoding: "ContentEncoding",
  contentlanguage: "ContentLanguage",
  expires: "Expires",
  "x-amz-tagging": "Tagging",
  "x-amz-storage-class": "StorageClass",
  "x-amz-website-redirect-location": "WebsiteRedirectLocation",
};

const metaPrefix = "x-amz-meta-";

/** Converts a job's object options to the service's form. Throws `definition` for unknown ones. */
export const objectFields = (options: ObjectOptions | undefined): Record<string, unknown> => {
  const { attributes = [], acl, encryption } = options ?? {};
  const metadata: Record<string, string> = {};
  const found: Record<string, unknown> = {};
  for (const { name, value } of attributes) {
    const plain = name.toLowerCase();
    const field = fields[plain.replaceAll(/^(content|cache)-/g, "$1")];
    if (plain.startsWith(metaPrefix)) metadata[plain.slice(metaPrefix.length)] = value;
    else if (field === "Expires") found.Expires = dateOf(value);
    else if (field) found[field] = value;
    else throw definitionError(`attributes: objects of S3 have no attribute "${name}"`);
  }
  return {
    ...found,
    ...(Object.keys(metadata).length > 0 && { Metadata: metadata }),
    ...{ ACL: acl, ServerSideEncryption: encryption?.algorithm, SSEKMSKeyId: encryption?.keyId },
  };
};

const dateOf = (text: string): Date => {
  const date = new Date(text);
  if (!Number.isNaN(date.getTime())) return date;
  throw definitionError(`attributes: Expires "${text}" is not a date`);
};
