import type { WrittenCredential } from "../../shared/credentials/credentials.ts";

/** A real server of some kind, started on loopback for one test file. */
export type TestServer = {
  /** The folder that tests use, as an address. It or the credential names `127.0.0.1:PORT`: `line.ts` replaces it. */
  readonly folder: string;
  readonly credential: WrittenCredential;
  /** The same with a wrong password. */
  readonly wrong: WrittenCredential;
  /** Puts a file there behind the server's back, and reads one. */
  put(name: string, bytes: Buffer): Promise<void>;
  get(name: string): Promise<Buffer | undefined>;
  /** The attributes of a file, for a server that keeps them. */
  attributes?(name: string): Promise<Headers>;
  /** Kills the server and its connections at once. */
  kill(): Promise<void>;
  /** Starts it again with the same files, on the same port. */
  restart(): Promise<void>;
  stop(): Promise<void>;
};

export const username = "lender";
export const password = "s3cret-of-the-test";
