import { createHash } from "node:crypto";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createGuard } from "../../agent/outbound/guard.ts";
import { unpaced } from "../../agent/storage/byte-throttle.ts";
import type { WrittenCredential } from "../../shared/credentials/credentials.ts";
import { objectOptionsOf } from "../../shared/files/object-options.ts";
import { parseRule } from "../../shared/outbound/rules.ts";
import { aFolder } from "../helpers/agent/agent-fixture.ts";
import { bytesAt, openFolder } from "../helpers/agent/open-storage.ts";

/** Answers as little as the service must, and keeps what it was asked. */
const asked: IncomingMessage[] = [];
/** What it says to every request, where it sends everybody away. */
let redirect: { readonly status: number; readonly headers: Readonly<Record<string, string>> } | undefined;
const service = createServer((request, response) => {
  asked.push(request);
  request.resume();
  if (redirect) return void response.writeHead(redirect.status, redirect.headers).end();
  response.setHeader("etag", '"1"');
  if (request.method === "POST")
    response.end("<InitiateMultipartUploadResult><UploadId>u</UploadId></InitiateMultipartUploadResult>");
  else response.end(request.method === "GET" ? "bytes" : "");
});
let port = 0;
beforeAll(async () => {
  service.listen(0, "127.0.0.1");
  await once(service, "listening");
  ({ port } = service.address() as AddressInfo); // it listens on a port
});
afterAll(() => {
  service.closeAllConnections();
  service.close();
});

const guard = createGuard(
  () => [parseRule("127.0.0.0/8") ?? []].flat(),
  async () => ["127.0.0.1"],
);
const open = (more: object = {}) => {
  const keys = { access_key_id: "A", secret_access_key: "S", endpoint: `http://s3.test:${port}` };
  const credential = { kind: "s3", ...keys, ...more } as WrittenCredential;
  return openFolder("s3://bucket/out", { credential, guard });
};
const read = async (more: object): Promise<IncomingMessage> => {
  asked.length = 0;
  await bytesAt(open(more), "s3://bucket/out/a.mov");
  const [request] = asked;
  if (!request) throw new Error("nothing was asked");
  return request;
};

describe("credentials of S3 go into the requests", () => {
  test("the region is signed", async () => {
    expect((await read({})).headers.authorization).toMatch(/Credential=A\/\d{8}\/us-east-1\/s3\//);
    expect((await read({ region: "eu-north-1" })).headers.authorization).toMatch(/\/eu-north-1\/s3\//);
  });

  test.each([301, 302, 303, 307, 308])(
    "they go to no other server that a %d names, nor to the region that it claims",
    async (status) => {
      const elsewhere = createServer((_request, response) => response.end("thanks")).listen(0, "127.0.0.1");
      await once(elsewhere, "listening");
      const heard: string[] = [];
      elsewhere.on("request", ({ url }: IncomingMessage) => heard.push(url ?? ""));
      const { port: other } = elsewhere.address() as AddressInfo; // it listens on a port
      const location = `http://127.0.0.1:${other}/bucket/out/a.mov`;
      redirect = { status, headers: { location, "x-amz-bucket-region": `127.0.0.1:${other}/x` } };
      asked.length = 0;
      await expect(bytesAt(open({}), "s3://bucket/out/a.mov")).rejects.toThrow("s3://bucket/out/a.mov");
      redirect = undefined;
      elsewhere.closeAllConnections();
      elsewhere.close();
      expect(heard).toEqual([]);
      expect(new Set(asked.map(({ headers }) => headers.host))).toEqual(new Set([`s3.test:${port}`]));
    },
  );

  test("the token of a session goes along", async () => {
    expect((await read({})).headers["x-amz-security-token"]).toBeUndefined();
    expect((await read({ session_token: "T" })).headers["x-amz-security-token"]).toBe("T");
  });

  test("the bucket is in the path, or in the host's name if path_style is false", async () => {
    const where = ({ headers, url = "" }: IncomingMessage) => [headers.host, url.split("?")[0]];
    expect(where(await read({}))).toEqual([`s3.test:${port}`, "/bucket/out/a.mov"]);
    expect(where(await read({ path_style: false }))).toEqual([`bucket.s3.test:${port}`, "/out/a.mov"]);
  });

  test("conditional_writes says that a file is created only if its name is free", () => {
    expect([open().abilities.createOnly, open({ conditional_writes: true }).abilities.createOnly]).toEqual([
      ...[false, true],
    ]);
  });
});

/** Sends a file of four bytes. */
const send = async (more: object, location: object): Promise<void> => {
  const folder = await aFolder();
  const path = join(folder.path, "made.mov");
  await writeFile(path, "made");
  asked.length = 0;
  await open(more).stage({
    ...{ path, object: objectOptionsOf(location, "target.location"), pace: unpaced },
    move: { size: 4, identity: "", temp: "s3://bucket/out/.made.mov.1.1.part", final: "s3://bucket/out/made.mov" },
    ...{ opened: async () => {}, onBytes: () => {}, onBreak: () => {}, signal: new AbortController().signal },
  });
  await folder.remove();
};

test("without TLS the bytes of an upload are signed, unless sign_payload is false", async () => {
  const hashFor = async (more: object): Promise<unknown> => {
    await send(more, {});
    return asked.find(({ method }) => method === "PUT")?.headers["x-amz-content-sha256"];
  };
  expect(await hashFor({})).toBe(createHash("sha256").update("made").digest("hex"));
  expect(await hashFor({ sign_payload: false })).toBe("UNSIGNED-PAYLOAD");
});

describe("what a location says of its files goes into the request that opens an upload", () => {
  const headersFor = async (location: object): Promise<IncomingMessage["headers"]> => {
    await send({}, location);
    return asked.find(({ method }) => method === "POST")?.headers ?? {};
  };

  test("attributes, the name of an acl, and encryption with a key", async () => {
    const pairs = {
      ContentType: "video/quicktime",
      "Cache-Control": "max-age=60",
      ContentDisposition: "attachment",
      ContentEncoding: "identity",
      ContentLanguage: "de",
      Expires: "2030-01-01T00:00:00Z",
      "x-amz-tagging": "team=one&kind=two",
      "x-amz-storage-class": "STANDARD_IA",
      "x-amz-website-redirect-location": "/other",
      "x-amz-meta-Title": "dailies",
    };
    const attributes = Object.entries(pairs).map(([name, value]) => ({ name, value }));
    const encryption = { kind: "aws:kms", key_id: "key-1" };
    expect(
      await headersFor({ attributes, permissions: { acl: "bucket-owner-full-control" }, encryption }),
    ).toMatchObject({
      "content-type": "video/quicktime",
      "cache-control": "max-age=60",
      "content-disposition": "attachment",
      "content-encoding": "identity",
      "content-language": "de",
      expires: "Tue, 01 Jan 2030 00:00:00 GMT",
      "x-amz-tagging": "team=one&kind=two",
      "x-amz-storage-class": "STANDARD_IA",
      "x-amz-website-redirect-location": "/other",
      "x-amz-meta-title": "dailies",
      "x-amz-acl": "bucket-owner-full-control",
      "x-amz-server-side-encryption": "aws:kms",
      "x-amz-server-side-encryption-aws-kms-key-id": "key-1",
    });
  });

  test("the service's own encryption takes no key; none is none", async () => {
    for (const algorithm of ["AES256", "sse-s3"])
      expect(await headersFor({ encryption: { algorithm } })).toMatchObject({
        "x-amz-server-side-encryption": "AES256",
      });
    expect((await headersFor({ encryption: { kind: "none" } }))["x-amz-server-side-encryption"]).toBeUndefined();
  });

  test.each([
    [{ attributes: [{ name: "Colour", value: "red" }] }, 'objects of S3 have no attribute "Colour"'],
    [{ attributes: [{ name: "Expires", value: "soon" }] }, 'Expires "soon" is not a date'],
    [{ permissions: { owner: "me" } }, "target.location.permissions.owner is not implemented"],
    [{ encryption: { kind: "rot13" } }, 'target.location.encryption "rot13" is not implemented'],
    [{ encryption: { kind: "aes256", key_id: "k" } }, "names a key, but AES256 takes none"],
    [{ encryption: { kind: "aws:kms", context: "x" } }, "target.location.encryption.context is not implemented"],
  ])("%j is refused by name", async (location, words) => {
    await expect(headersFor(location)).rejects.toThrow(words);
  });
});

test("a bearer token opens a web server, instead of a name and a password", async () => {
  const uri = `http://web.test:${port}/in`;
  asked.length = 0;
  await bytesAt(openFolder(uri, { credential: { kind: "http", token: "T" }, guard }), `${uri}/a.mov`);
  await bytesAt(openFolder(uri, { credential: { kind: "http", username: "u", password: "p" }, guard }), `${uri}/a.mov`);
  expect(asked.map(({ headers }) => headers.authorization)).toEqual(["Bearer T", "Basic dTpw"]);
});
