import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openTestDoors, type TestDoors } from "../../helpers/farm/doors.ts";
import { aFolder, removeFolder } from "../../helpers/farm/farm.ts";

let folder: string;
let doors: TestDoors;

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; media-src 'self' blob:; font-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'";

beforeEach(() => {
  folder = aFolder();
});

afterEach(async () => {
  await doors.close();
  removeFolder(folder);
});

const build = async (): Promise<void> => {
  const pagesDir = join(folder, "dist");
  mkdirSync(join(pagesDir, "assets/deep"), { recursive: true });
  writeFileSync(join(folder, "secret.txt"), "secret");
  writeFileSync(join(pagesDir, "index.html"), "<!doctype html>the pages");
  mkdirSync(join(pagesDir, "docs/design"), { recursive: true });
  writeFileSync(join(pagesDir, "docs/index.html"), "<!doctype html>the docs");
  writeFileSync(join(pagesDir, "docs/install.html"), "<!doctype html>install");
  writeFileSync(join(pagesDir, "docs/design/index.html"), "<!doctype html>design");
  writeFileSync(join(pagesDir, "favicon.svg"), "<svg/>");
  writeFileSync(join(pagesDir, "assets/index-B_x-9.js"), "run()");
  writeFileSync(join(pagesDir, "assets/index-C.css"), "a{}");
  writeFileSync(join(pagesDir, "assets/deep/f.woff2"), "font");
  writeFileSync(join(pagesDir, ".hidden.txt"), "hidden");
  writeFileSync(join(pagesDir, "index.js.map"), "{}");
  symlinkSync(join(folder, "secret.txt"), join(pagesDir, "link.txt"));
  doors = await openTestDoors(folder, { pagesDir });
};

test("pages that nobody has built say in words how to, and the API is there", async () => {
  doors = await openTestDoors(folder);
  const { status, headers, text } = await doors.inject({ url: "/" });
  expect([status, headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
  expect(text).toContain("npm run build");
  expect(headers["content-security-policy"]).toBe(policy);
  expect((await doors.inject({ url: "/readyz" })).status).toBe(200);
});

test("the page is asked for anew, its parts are kept for ever", async () => {
  await build();
  const page = await doors.inject({ url: "/?theme=dark" });
  expect([page.status, page.text]).toEqual([200, "<!doctype html>the pages"]);
  expect(page.headers).toMatchObject({
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-cache",
    "content-security-policy": policy,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
  });
  const script = await doors.inject({ url: "/assets/index-B_x-9.js" });
  expect(script.text).toBe("run()");
  expect(script.headers).toMatchObject({
    "content-type": "text/javascript; charset=utf-8",
    "cache-control": "public, max-age=31536000, immutable",
    "x-content-type-options": "nosniff",
  });
});

test.each([
  ["/assets/index-C.css", "text/css; charset=utf-8"],
  ["/assets/deep/f.woff2", "font/woff2"],
  ["/favicon.svg", "image/svg+xml"],
])("%s is of type %s", async (url, type) => {
  await build();
  const { status, headers } = await doors.inject({ url });
  expect([status, headers["content-type"]]).toEqual([200, type]);
});

test.each([
  "/..%2fsecret.txt",
  "/%2e%2e/secret.txt",
  "/../secret.txt",
  "/assets/..%2f..%2fsecret.txt",
  "/assets/%2e%2e/%2e%2e/secret.txt",
  "/..%5csecret.txt",
  "/assets/%252e%252e%252fsecret.txt",
  "/%2fetc/passwd",
  "/link.txt",
  "/.hidden.txt",
  "/index.js.map",
  "/docs/..%2f..%2fsecret.txt",
  "/docs/%2e%2e/%2e%2e/secret.txt",
  "/docs/nothing.html",
  "/assets/",
  "/nothing",
])("%s is not served", async (url) => {
  await build();
  const { status, body } = await doors.inject({ url });
  expect([url, status, body.error]).toEqual([url, 404, "NOT_FOUND"]);
});

test("a long text goes out packed to who takes it, and as it is to who does not", async () => {
  const script = `run(${"1,".repeat(5000)}1)`;
  mkdirSync(join(folder, "dist/assets"), { recursive: true });
  writeFileSync(join(folder, "dist/index.html"), "<!doctype html>");
  writeFileSync(join(folder, "dist/assets/index.js"), script);
  doors = await openTestDoors(folder, { pagesDir: join(folder, "dist") });
  const get = async (encoding?: string) => {
    const headers = encoding === undefined ? {} : { "accept-encoding": encoding };
    const { headers: answered, rawPayload } = await doors.app.inject({ url: "/assets/index.js", headers });
    return { encoding: answered["content-encoding"], vary: answered.vary, body: rawPayload };
  };
  for (const takes of ["gzip", "gzip, deflate, br, zstd", "br;q=1.0, gzip;q=0.5", "*"]) {
    const { encoding, vary, body } = await get(takes);
    expect([takes, encoding, vary, body.length < 500]).toEqual([takes, "gzip", "accept-encoding", true]);
    expect(gunzipSync(body).toString()).toBe(script);
  }
  for (const takes of [undefined, "identity", "gzip;q=0", "br, gzip;q=0.0"]) {
    const { encoding, body } = await get(takes);
    expect([takes, encoding, body.toString() === script]).toEqual([takes, undefined, true]);
  }
  expect((await doors.inject({ url: "/", headers: { "accept-encoding": "gzip" } })).text).toBe("<!doctype html>");
});

describe("the docs", () => {
  test.each([
    ["/docs/", "the docs"],
    ["/docs/index.html", undefined],
    ["/docs/install.html", "install"],
    ["/docs/design/", "design"],
  ])("%s is open to everybody, with the policy of the pages", async (url, text) => {
    await build();
    const answer = await doors.inject({ url });
    expect([answer.status, answer.text]).toEqual(
      text === undefined ? [404, expect.any(String)] : [200, `<!doctype html>${text}`],
    );
    if (text !== undefined) expect(answer.headers["content-security-policy"]).toBe(policy);
  });

  test.each([
    ["/docs", "docs/"],
    ["/docs?x=1", "docs/"],
    ["/docs/design", "design/"],
  ])("%s leads into the folder, from which its links begin", async (url, location) => {
    await build();
    const { status, headers } = await doors.inject({ url });
    expect([status, headers.location]).toEqual([301, location]);
  });

  test("that nobody has built say so", async () => {
    doors = await openTestDoors(folder);
    const { status, text } = await doors.inject({ url: "/docs/" });
    expect(status).toBe(200);
    expect(text).toContain("npm run build");
  });

  test("are only read", async () => {
    await build();
    const head = await doors.app.inject({ method: "HEAD", url: "/docs/install.html" });
    expect([head.statusCode, head.body, head.headers["content-type"]]).toEqual([200, "", "text/html; charset=utf-8"]);
    for (const method of ["POST", "PUT", "DELETE"] as const) {
      const { status, headers } = await doors.inject({ method, url: "/docs/install.html" });
      expect([method, status, headers.allow]).toEqual([method, 405, "GET, HEAD"]);
    }
  });
});

test("who has a page already is told that it is still the same", async () => {
  await build();
  for (const url of ["/", "/docs/", "/docs/install.html", "/favicon.svg"]) {
    const etag = String((await doors.inject({ url })).headers.etag);
    expect(etag).toMatch(/^W\/"[\w-]{27}"$/);
    const again = async (known: string) => doors.inject({ url, headers: { "if-none-match": known } });
    for (const known of [etag, `"other", ${etag}`, etag.slice(2)]) {
      const { status, text, headers } = await again(known);
      expect([url, status, text, headers.etag]).toEqual([url, 304, "", etag]);
    }
    expect((await again('W/"other"')).status).toBe(200);
  }
});
