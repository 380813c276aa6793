import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { createPolling, mostSilentMs } from "../../../agent/files/polling.ts";
import type { Selection } from "../../../shared/files/file-selection.ts";
import type { PollResponse } from "../../../shared/protocol/polling.ts";
import { aFolder, storageViewsOf } from "../../helpers/agent/agent-fixture.ts";
import { readForeign } from "../../helpers/agent/read-foreign.ts";
import { createTestClock } from "../../helpers/clock.ts";

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

const everything: Selection = { pattern: { wildcard: "*" }, isRecursive: true };
const folderEntry = (path: string): string =>
  `<D:response><D:href>${path}</D:href><D:propstat><D:prop><D:resourcetype><D:collection/></D:resourcetype></D:prop></D:propstat></D:response>`;

/** A WebDAV server whose every folder has so many folders more. Counts what it was asked. */
const endlessTree = async (wide: number) => {
  let asked = 0;
  const server = createServer((request, response) => {
    asked += 1;
    const path = (request.url ?? "/").replace(/\/*$/, "/");
    const below = Array.from({ length: wide }, (_, nr) => folderEntry(`${path}${nr}/`));
    response.writeHead(207).end(`<D:multistatus xmlns:D="DAV:">${below.join("")}</D:multistatus>`);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  ends.push(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo; // it listens on a port
  return { folder: `http://127.0.0.1:${port}/films`, asked: () => asked };
};

const anAgent = async () => {
  const { path, remove } = await aFolder();
  ends.push(remove);
  const clock = createTestClock();
  const polling = createPolling({ viewOf: storageViewsOf(path), clock, read: readForeign });
  ends.push(polling.stop);
  return {
    path,
    clock,
    look: async (folder: string): Promise<PollResponse[]> => {
      const answers: PollResponse[] = [];
      for await (const answer of polling.poll({ what: "folder", folder, selection: everything, last: {} }))
        answers.push(answer);
      return answers;
    },
  };
};

test("looks at a tree of folders without end do not keep others waiting, and end before they are asked for again", async () => {
  const tree = await endlessTree(2);
  const { path, clock, look } = await anAgent();
  writeFileSync(join(path, "a.mov"), "12345");
  const endless = Array.from({ length: 5 }, () => look(tree.folder));
  const [answer] = await look(`file://${path}`);
  expect(answer).toMatchObject({ what: "folder", isLast: true, files: [{ size: 5 }] });
  const passing = setInterval(() => void clock.advance(mostSilentMs), 50);
  ends.push(() => clearInterval(passing));
  for (const answers of await Promise.all(endless))
    expect(answers).toMatchObject([
      { what: "failure", failure: { cause: "storage", message: expect.stringContaining("name a folder below") } },
    ]);
});

test("a tree of too many folders is refused after as many", async () => {
  const tree = await endlessTree(10_000);
  const { look } = await anAgent();
  expect(await look(tree.folder)).toMatchObject([
    {
      what: "failure",
      failure: { cause: "definition", message: `${tree.folder} holds more than 100,000 folders` },
    },
  ]);
  expect(tree.asked()).toBeLessThan(15);
});
