import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import type { Storage } from "../../agent/storage/storage.ts";
import type { WrittenCredential } from "../../shared/credentials/credentials.ts";
import { openFolder } from "../helpers/agent/open-storage.ts";

const names = Array.from({ length: 1000 }, (_, nr) => `in/${String(nr).padStart(4, "0")}.mov`);
const moment = "2026-01-01T00:00:00.000000";
const swiftPage = JSON.stringify(names.map((name) => ({ name, bytes: 1, last_modified: moment, hash: "a" })));
// A page of S3 may be short and still have a next one.
const contents = names
  .slice(0, 40)
  .map((name) => `<Contents><Key>${name}</Key><Size>1</Size></Contents>`)
  .join("");
const s3Page = `<?xml version="1.0"?><ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>again</NextContinuationToken>${contents}</ListBucketResult>`;

/** A page that has no end in sight. */
const padding = " ".repeat(17 * 1024 * 1024);

const servers: ReturnType<typeof createServer>[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** A service that gives the same page for ever, and says of each file that it is removed. */
const repeating = async (page: string, type: string): Promise<string> => {
  const server = createServer((request, response) => {
    if (request.url === "/auth") {
      const { port } = server.address() as AddressInfo;
      return response.writeHead(200, { "x-storage-url": `http://127.0.0.1:${port}`, "x-auth-token": "t" }).end();
    }
    if (request.method === "DELETE") return response.writeHead(204).end();
    return response.writeHead(200, { "content-type": type }).end(page);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const kinds: Readonly<Record<string, (more?: string) => Promise<{ folder: string; credential: WrittenCredential }>>> = {
  swift: async (more = "") => {
    const url = await repeating(swiftPage + more, "application/json");
    return {
      folder: "swift://films/in",
      credential: { kind: "swift", auth_url: `${url}/auth`, username: "u", password: "p" },
    };
  },
  s3: async (more = "") => {
    const endpoint = await repeating(s3Page + more, "application/xml");
    const keys = { access_key_id: "a", secret_access_key: "b" };
    return { folder: "s3://films/in", credential: { kind: "s3", endpoint, region: "us-east-1", ...keys } };
  },
};

const listed = async (storage: Storage, folder: string): Promise<number> => {
  let count = 0;
  for await (const _ of storage.list(folder)) count += 1;
  return count;
};

describe.each(Object.entries(kinds))("a folder whose listing %s repeats for ever", (_kind, open) => {
  test("is not listed for ever", async () => {
    const { folder, credential } = await open();
    await expect(listed(openFolder(folder, { credential }), folder)).rejects.toThrow(
      `${folder}: the service lists the same files again and again`,
    );
  });

  test("is not kept in memory beyond a limit", async () => {
    const { folder, credential } = await open(padding);
    await expect(listed(openFolder(folder, { credential }), folder)).rejects.toThrow(
      /answers with more than \d+ bytes/,
    );
  });

  test("is not removed for ever", async () => {
    const { folder, credential } = await open();
    await expect(openFolder(folder, { credential }).removeFolder(folder)).rejects.toThrow(
      `${folder}: the service lists the same files again and again`,
    );
  });
});
