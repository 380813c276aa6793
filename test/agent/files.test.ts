import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFiles } from "../../agent/files/index.ts";
import { storageViewsOf } from "../helpers/agent/agent-fixture.ts";
import { scratchFolder } from "../helpers/media/media-tools.ts";
import { readCredential } from "../helpers/secrets/credentials.ts";

const openServer = async (answer: RequestListener) => {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/films`, // it listens on a port
    [Symbol.asyncDispose]: async () => void server.close(),
  };
};

/** A node that lends `root`, with a secret beside it that a link leads to. */
const aNode = (folder: string) => {
  const path = realpathSync(folder);
  const root = join(path, "root");
  mkdirSync(join(root, "day 1/.hidden"), { recursive: true });
  writeFileSync(join(path, "secret.mov"), "secret");
  writeFileSync(join(root, "day 1/a.mov"), "0123456789");
  writeFileSync(join(root, "day 1/.hidden/a.mov"), "0123456789");
  symlinkSync(join(path, "secret.mov"), join(root, "link.mov"));
  const mounts = [{ prefix: "smb://nas/films", folder: root }];
  return {
    root,
    path,
    files: createFiles({
      roots: [root],
      own: [],
      mounts: () => mounts,
      flavour: "posix",
      viewOf: storageViewsOf(root),
      previews: { answer: async (ask, at) => ({ is: "refused", message: `${ask.do} of ${at}` }) },
    }),
  };
};

test("a piece of a file is read by its path or by an address that a mount covers", async () => {
  await using folder = scratchFolder();
  const { files, root } = aNode(folder.path);
  const piece = { is: "piece", size: 10, data: Buffer.from("234").toString("base64") };
  const read = { do: "read", size: 10, from: 2, length: 3 } as const;
  expect(await files({ ...read, uri: join(root, "day 1/a.mov") })).toEqual(piece);
  expect(await files({ ...read, uri: "smb://nas/films/day%201/a.mov" })).toEqual(piece);
  expect(await files({ ...read, uri: "smb://nas/films/day%201/a.mov", from: 9 })).toMatchObject({ data: "OQ==" });
});

test("what lies outside of the lent folders, is another file now or is none is refused in words", async () => {
  await using folder = scratchFolder();
  const { files, root, path } = aNode(folder.path);
  const read = { do: "read", from: 0, length: 10 } as const;
  const told = async (uri: string, size?: number) => {
    const answer = await files({ ...read, uri, size });
    return answer.is === "refused" ? answer.message : answer;
  };
  expect(await told(join(path, "secret.mov"))).toMatch(/outside of the folders/);
  expect(await told(join(root, "link.mov"))).toMatch(/outside of the folders/);
  expect(await told(join(root, "day 1/a.mov"), 7)).toBe("Another file lies there now: 10 bytes, and 7 were made");
  expect(await told(root)).toMatch(/not a regular file/);
  expect(await told("s3://bucket/a.mov")).toMatch(/no mount of this node covers it/);
  expect(await files({ do: "list", path })).toMatchObject({ is: "refused" });
});

test("folders are listed from the lent ones down, without what is hidden", async () => {
  await using folder = scratchFolder();
  const { files, root } = aNode(folder.path);
  expect(await files({ do: "list", path: "" })).toEqual({
    is: "folder",
    listing: {
      ...{ path: "", parent: null, isCut: false },
      entries: [{ name: root, path: root, isFolder: true, size: null }],
    },
  });
  expect(await files({ do: "list", path: join(root, "day 1") })).toEqual({
    is: "folder",
    listing: {
      ...{ path: join(root, "day 1"), parent: root, isCut: false },
      entries: [{ name: "a.mov", path: join(root, "day 1/a.mov"), isFolder: false, size: 10 }],
    },
  });
});

test("a preview is made only of a file in the lent folders", async () => {
  await using folder = scratchFolder();
  const { files, root, path } = aNode(folder.path);
  const plan = async (uri: string) => {
    const answer = await files({ do: "preview", uri });
    return answer.is === "refused" ? answer.message : answer;
  };
  expect(await plan("smb://nas/films/day%201/a.mov")).toBe(`preview of ${join(root, "day 1/a.mov")}`);
  expect(await plan(join(path, "secret.mov"))).toMatch(/outside of the folders/);
  expect(await plan(join(root, "link.mov"))).toMatch(/outside of the folders/);
  expect(await plan(join(root, "../secret.mov"))).toMatch(/outside of the folders/);
  expect(await files({ do: "segment", uri: join(root, "link.mov"), state: "", segment: 0 })).toMatchObject({
    is: "refused",
  });
});

test("a file is found by its name and size, hidden folders and links aside", async () => {
  await using folder = scratchFolder();
  const { files, root } = aNode(folder.path);
  expect(await files({ do: "find", name: "a.mov", size: 10 })).toEqual({
    is: "found",
    paths: [join(root, "day 1/a.mov")],
  });
  expect(await files({ do: "find", name: "a.mov", size: 11 })).toEqual({ is: "found", paths: [] });
  expect(await files({ do: "find", name: "link.mov" })).toEqual({ is: "found", paths: [] });
});

test("keys are tried on their address: the node says whether it opens, and never what the keys are", async () => {
  await using folder = scratchFolder();
  const { files } = aNode(folder.path);
  await using server = await openServer((request, response) => {
    const isKnown = request.headers.authorization === `Basic ${Buffer.from("me:hush, a secret").toString("base64")}`;
    response.writeHead(isKnown ? 200 : 401, { "content-length": 0 }).end();
  });
  const ask = (password: string) => {
    const credential = readCredential({ kind: "http", username: "me", password });
    return files({ do: "try", uri: server.url, keys: [{ prefix: server.url, credential }] });
  };
  expect(await ask("hush, a secret")).toEqual({ is: "opened", message: "It opens." });
  const wrong = await ask("hush, another");
  expect(wrong).toMatchObject({ is: "refused" });
  expect(JSON.stringify(wrong)).not.toContain("hush");
});
