import { readFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { createConnection, createServer, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { type FileServer, storageOfServer } from "../../../agent/storage/hidden-names.ts";
import type { Provider } from "../../../agent/storage/storage.ts";
import { abilities } from "../../../shared/files/storage.ts";

/** A server that keeps files in memory and speaks a language of its own: one line of JSON each way. */
export const startMemoryServer = async () => {
  const files = new Map<string, { readonly bytes: string; readonly modified: number }>();
  const asked: string[] = [];
  const answers: Record<string, (question: Question) => unknown> = {
    stat: ({ name = "" }) => {
      const file = files.get(name);
      return file ? { size: Buffer.from(file.bytes, "base64").length, modified: file.modified } : null;
    },
    list: ({ name = "" }) => [...files.keys()].filter((each) => each.startsWith(`${name}/`)),
    read: ({ name = "", from = 0, length = -1 }) => {
      const bytes = Buffer.from(files.get(name)?.bytes ?? "", "base64");
      return bytes.subarray(from, length < 0 ? undefined : from + length).toString("base64");
    },
    write: ({ name = "", bytes = "" }) => void files.set(name, { bytes, modified: 1000 + asked.length }),
    remove: ({ name = "" }) => void files.delete(name),
    move: ({ name = "", to = "" }) => {
      const file = files.get(name);
      if (file) files.set(to, file);
      files.delete(name);
    },
  };
  const serve = (socket: Socket): void => {
    createInterface({ input: socket }).on("line", (line) => {
      const question: Question = JSON.parse(line);
      asked.push(`${question.do} ${question.name}`);
      socket.write(`${JSON.stringify(answers[question.do]?.(question) ?? null)}\n`);
    });
  };
  const server = createServer(serve);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port
  return {
    port,
    asked,
    put: (uri: string, text: string) => files.set(uri, { bytes: Buffer.from(text).toString("base64"), modified: 1 }),
    get: (uri: string) => {
      const file = files.get(uri);
      return file && Buffer.from(file.bytes, "base64").toString();
    },
    names: () => [...files.keys()].sort(),
    stop: () => server.close(),
  };
};

type Question = {
  readonly do: string;
  readonly name?: string;
  readonly to?: string;
  readonly from?: number;
  readonly length?: number;
  readonly bytes?: string;
};

const has = abilities("atomicReplace", "showsWhole", "rename", "ranges", "listing", "writing");

/** The provider of that server, as a newcomer would write one: what a server of files does, and nothing else. */
export const memoryProvider = (port: number): Provider => ({
  abilities: has,
  open: ({ guard, clock, patience }) => {
    const ask = async <T>(question: Question): Promise<T> => {
      const host = await guard.check("127.0.0.1", port);
      const socket = createConnection({ host, port });
      socket.write(`${JSON.stringify(question)}\n`);
      try {
        for await (const line of createInterface({ input: socket })) return JSON.parse(line);
        throw new Error("the server hung up");
      } finally {
        socket.destroy();
      }
    };
    const server: FileServer = {
      stat: async (name) => {
        const found = await ask<{ size: number; modified: number } | null>({ do: "stat", name });
        return found ? { isFile: true, ...found } : undefined;
      },
      list: async function* (folder) {
        for (const name of await ask<string[]>({ do: "list", name: folder }))
          yield { name: name.slice(folder.length + 1), isFile: true };
      },
      read: async function* (name, { from, length }) {
        yield Buffer.from(
          await ask<string>({ do: "read", name, from, ...(length !== undefined && { length }) }),
          "base64",
        );
      },
      write: async (name, { file: { path, onBytes } }) => {
        const bytes = await readFile(path);
        await ask({ do: "write", name, bytes: bytes.toString("base64") });
        onBytes(bytes.length);
      },
      move: (from, to) => ask({ do: "move", name: from, to }),
      remove: (name) => ask({ do: "remove", name }),
      removeFolder: async () => undefined,
      makeFolder: async () => undefined,
    };
    return storageOfServer({ server, abilities: has, clock, patience });
  },
});
