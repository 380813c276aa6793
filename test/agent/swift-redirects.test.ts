import { createServer, type IncomingHttpHeaders, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { bytesAt, openFolder } from "../helpers/agent/open-storage.ts";

const servers: ReturnType<typeof createServer>[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

const serve = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

/** A server to which others redirect, and the headers that reached it. */
const stranger = async () => {
  const heard: IncomingHttpHeaders[] = [];
  const url = await serve((request, response) => {
    heard.push(request.headers);
    response.writeHead(200, { "content-length": 5 }).end("bytes");
  });
  return { url, heard };
};

const secretsIn = (headers: IncomingHttpHeaders | undefined): string[] =>
  Object.keys(headers ?? {}).filter((name) => name.startsWith("x-auth"));

const opened = (url: string) =>
  openFolder("swift://films/in", {
    credential: { kind: "swift", auth_url: `${url}/auth`, username: "studio", password: "s3cret" },
  });

test("a login that is redirected to another server does not take name and password there", async () => {
  const { url: elsewhere, heard } = await stranger();
  const url = await serve((_request, response) => response.writeHead(302, { location: `${elsewhere}/auth` }).end());
  await expect(opened(url).stat("swift://films/in/a.mov")).rejects.toThrow("the service names no storage");
  expect(heard).toHaveLength(1);
  expect(secretsIn(heard[0])).toEqual([]);
});

test("a file that lies on another server is read there without the token", async () => {
  const { url: elsewhere, heard } = await stranger();
  const url: string = await serve((request, response) =>
    request.url === "/auth"
      ? response.writeHead(200, { "x-storage-url": url, "x-auth-token": "t0ken" }).end()
      : response.writeHead(302, { location: `${elsewhere}/a.mov` }).end(),
  );
  expect(String(await bytesAt(opened(url), "swift://films/in/a.mov"))).toBe("bytes");
  expect(secretsIn(heard[0])).toEqual([]);
});

test("a redirect on the same server keeps the token", async () => {
  const heard: string[] = [];
  const url: string = await serve((request, response) => {
    if (request.url === "/auth")
      return response.writeHead(200, { "x-storage-url": url, "x-auth-token": "t0ken" }).end();
    heard.push(String(request.headers["x-auth-token"]));
    return request.url === "/moved"
      ? response.writeHead(200, { "content-length": 5 }).end("bytes")
      : response.writeHead(302, { location: "/moved" }).end();
  });
  expect(String(await bytesAt(opened(url), "swift://films/in/a.mov"))).toBe("bytes");
  expect(heard).toEqual(["t0ken", "t0ken"]);
});
