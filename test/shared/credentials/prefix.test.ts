import { describe, expect, test } from "vitest";
import { isBelow } from "../../../shared/credentials/prefix.ts";

describe("below its prefix", () => {
  test.each([
    ["s3://bucket", "s3://bucket"],
    ["s3://bucket/key", "s3://bucket/"],
    ["https://host/in/a.mov", "https://host/in"],
    ["https://HOST/in/a.mov", "https://host/in/"],
    ["HTTPS://host:443/in/a.mov", "https://host/in"],
    ["https://host/in//a.mov", "https://host/in"],
    ["https://host/in/a%20%2520b%ff.mov", "https://host/in"],
    ["https://host/in/..a/b..", "https://host/in"],
    ["ftp://user@host:21/in/a.mov", "ftp://user@host/in"],
  ])("%s is below %s", (uri, prefix) => expect(isBelow(uri, prefix)).toBe(true));

  test.each([
    ["s3://bucket-evil/key", "s3://bucket"],
    ["s3://Bucket/key", "s3://bucket"],
    ["s3://bucket/in/../out", "s3://bucket/in"],
    ["http://host/in/a", "https://host/in"],
    ["ftps://host/in/a", "ftp://host/in"],
    ["https://host.evil.test/in/a", "https://host"],
    ["https://host@evil.test/in/a", "https://host"],
    ["https://host:pw@evil.test/in/a", "https://host"],
    ["https://evil.test\\@host/in/a", "https://host/in"],
    ["https://host./in/a", "https://host/in"],
    ["https://host:8443/in/a", "https://host/in"],
    ["https://host:80/in/a", "https://host/in"],
    ["https://host/inner/a", "https://host/in"],
    ["https://host//in/a", "https://host/in"],
    ["https://host/in/../out", "https://host/in"],
    ["https://host/in/..", "https://host/in"],
    ["https://host/in/%2e%2E/out", "https://host/in"],
    ["https://host/in/.%2e/out", "https://host/in"],
    ["https://host/in/%252e%252e/out", "https://host/in"],
    ["https://host/in/..%2fout", "https://host/in"],
    ["https://host/in/..%5cout", "https://host/in"],
    ["https://host/in/..\\out", "https://host/in"],
    ["https://host/in/..;a=b/out", "https://host/in"],
    ["https://host/in/.\t./out", "https://host/in"],
    ["https://host/in/.%0a./x", "https://host/in"],
  ])("%j is not below %s", (uri, prefix) => expect(isBelow(uri, prefix)).toBe(false));
});
