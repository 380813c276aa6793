import { createHash, createHmac } from "node:crypto";

export type AwsKey = {
  readonly service: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
};

type Unsigned = {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** The request's headers with AWS signature version 4. The time is in Unix milliseconds. */
export const signed = ({ method, url, headers, body }: Unsigned, key: AwsKey, now: number): Record<string, string> => {
  const { host, pathname, searchParams } = new URL(url);
  const time = new Date(now).toISOString().replaceAll(/[-:]|\.\d{3}/g, "");
  const all: Record<string, string> = {
    ...headers,
    "x-amz-date": time,
    ...(key.sessionToken !== undefined && { "x-amz-security-token": key.sessionToken }),
  };
  const lines = Object.entries({ ...all, host })
    .map(([name, value]) => [name.toLowerCase(), value.trim().replaceAll(/ +/g, " ")] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const names = lines.map(([name]) => name).join(";");
  const query = [...searchParams].map((pair) => pair.map(encoded).join("=")).sort();
  const canonical = [
    method,
    pathname
      .split("/")
      .map((part) => encoded(decodeURIComponent(part)))
      .map(encoded)
      .join("/"),
    query.join("&"),
    ...lines.map(([name, value]) => `${name}:${value}`),
    "",
    names,
    sha256(body),
  ].join("\n");
  const scope = `${time.slice(0, 8)}/${key.region}/${key.service}/aws4_request`;
  const text = `AWS4-HMAC-SHA256\n${time}\n${scope}\n${sha256(canonical)}`;
  const signing = [time.slice(0, 8), key.region, key.service, "aws4_request"].reduce<string | Buffer>(
    (secret, part) => hmac(secret, part),
    `AWS4${key.secretAccessKey}`,
  );
  const credential = `Credential=${key.accessKeyId}/${scope}`;
  const signature = hmac(signing, text).toString("hex");
  return { ...all, authorization: `AWS4-HMAC-SHA256 ${credential}, SignedHeaders=${names}, Signature=${signature}` };
};

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const hmac = (key: string | Buffer, text: string): Buffer => createHmac("sha256", key).update(text).digest();

/** RFC 3986: everything except letters, digits and -._~ */
const encoded = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
