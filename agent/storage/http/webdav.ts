import type { ReadForeign } from "../../foreign/pool.ts";
import { folderOf, type Writing } from "../hidden-names.ts";
import type { Entry } from "../storage.ts";
import { StorageError } from "../storage-error.ts";
import { type Answer, drain, type Request, textOf } from "./request.ts";
import { expectStatus, statusError, storingError } from "./status.ts";

/** File operations on a web server that supports WebDAV. */
export const createWebdav = (request: Request, read: ReadForeign) => {
  const ask = async (method: string, uri: string, headers: Record<string, string> = {}): Promise<Answer> => {
    const answer = await request({ method, uri, headers });
    await drain(answer);
    return answer;
  };

  /** The answer if it has one of these statuses. */
  const expect = (answer: Answer, uri: string, ...statuses: readonly number[]): Answer => {
    if (statuses.includes(answer.status)) return answer;
    throw statusError(answer, uri);
  };

  /** Creates missing parent folders; a server without folders creates them with the file. */
  const makeFolder = async (uri: string): Promise<void> => {
    const folder = `${uri.replace(/\/+$/, "")}/`;
    if (new URL(folder).pathname === "/") return;
    const { status } = expect(await ask("MKCOL", folder), uri, 200, 201, 405, 501, 301, 404, 409);
    if (status !== 409 && status !== 404) return;
    await makeFolder(folderOf(folder.slice(0, -1)));
    expect(await ask("MKCOL", folder), uri, 200, 201, 405);
  };

  const move = async (from: string, to: string, overwrite: "T" | "F"): Promise<number> => {
    const answer = await ask("MOVE", from, { destination: to, overwrite });
    if (answer.status === 404) throw new StorageError("storage", `${from} is gone`);
    return expect(answer, from, 200, 201, 204, 412).status;
  };

  return {
    makeFolder,
    list: (folder: string) => listFolder(request, read, folder),
    write: async (uri: string, { file, signal }: Writing) => {
      const answer = await request({ method: "PUT", uri, body: file, signal });
      await drain(answer).catch(() => undefined); // the status says enough
      if (![200, 201, 204].includes(answer.status)) throw storingError(answer, uri);
    },
    move: async (from: string, to: string) => {
      await move(from, to, "T");
    },
    moveIfFree: async (from: string, to: string) =>
      (await move(from, to, "F")) === 412 ? ("taken" as const) : ("created" as const),
    remove: async (uri: string) => {
      expect(await ask("DELETE", uri), uri, 200, 202, 204, 404);
    },
    removeFolder: async (uri: string) => {
      expect(await ask("DELETE", `${uri.replace(/\/+$/, "")}/`, { depth: "infinity" }), uri, 200, 202, 204, 404);
    },
  };
};

const wanted = `<?xml version="1.0"?><propfind xmlns="DAV:"><prop><resourcetype/><getcontentlength/><getlastmodified/><getetag/></prop></propfind>`;

/** A listing of many ten thousand files. */
const mostListed = 32 * 1024 * 1024;

async function* listFolder(request: Request, read: ReadForeign, folder: string): AsyncGenerator<Entry> {
  const uri = `${folder.replace(/\/+$/, "")}/`;
  const headers = { depth: "1", "content-type": "application/xml" };
  const answer = await request({ method: "PROPFIND", uri, headers, body: wanted });
  if (answer.status === 404) return drain(answer);
  const text = await textOf(await expectStatus(answer, 207), mostListed);
  const { signal } = new AbortController();
  yield* await read("webdav", { uri, text }, { size: text.length, what: `the listing of ${uri}`, signal });
}
