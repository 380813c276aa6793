import { TaskError } from "../../../shared/causes.ts";

/** A bucket and a key in it; a multipart upload that is not complete yet has a number beside them. */
export type S3Address = { readonly bucket: string; readonly key: string; readonly upload?: string };

const uploadMark = "#upload=";

/** `s3://bucket/key`, or what `uploadAddress` made. Keys stand as they are: nothing is decoded. */
export const readAddress = (uri: string): S3Address => {
  const [, bucket, rest = ""] = /^s3:\/\/([^/]+)(?:\/(.*))?$/is.exec(uri) ?? [];
  if (bucket === undefined) throw new TaskError("definition", `${uri} is no address such as s3://bucket/key`);
  const at = rest.lastIndexOf(uploadMark);
  if (at < 0) return { bucket, key: rest };
  return { bucket, key: rest.slice(0, at), upload: rest.slice(at + uploadMark.length) };
};

/** Where an upload waits that only its completion will show. */
export const uploadAddress = (uri: string, upload: string): string => `${uri}${uploadMark}${upload}`;

/** What the keys of a folder's files begin with; the bucket itself has no such words. */
export const prefixOf = (key: string): string => (key === "" ? "" : `${key.replace(/\/+$/, "")}/`);
