import { definitionError } from "../../../shared/model/failure.ts";

/** A bucket and a key in it; an incomplete multipart upload also has an upload id. */
export type S3Address = { readonly bucket: string; readonly key: string; readonly upload?: string };

const uploadMark = "#upload=";

/** Parses `s3://bucket/key`, or an address from `uploadAddress`. Keys are taken literally: nothing is decoded. */
export const readAddress = (uri: string): S3Address => {
  const [, bucket, rest = ""] = /^s3:\/\/([^/]+)(?:\/(.*))?$/is.exec(uri) ?? [];
  if (bucket === undefined) throw definitionError(`${uri} is not an address such as s3://bucket/key`);
  const at = rest.lastIndexOf(uploadMark);
  if (at < 0) return { bucket, key: rest };
  return { bucket, key: rest.slice(0, at), upload: rest.slice(at + uploadMark.length) };
};

/** The address of an upload that only its completion makes visible. */
export const uploadAddress = (uri: string, upload: string): string => `${uri}${uploadMark}${upload}`;

/** The key prefix of a folder's files; empty for the bucket itself. */
export const prefixOf = (key: string): string => (key === "" ? "" : `${key.replace(/\/+$/, "")}/`);
