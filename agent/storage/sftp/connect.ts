import { createHash } from "node:crypto";
import { Client, type ConnectConfig, type SFTPWrapper } from "ssh2";
import { defined } from "../../../shared/basics/defined.ts";
import { messageOf } from "../../../shared/basics/errors.ts";
import type { CredentialOf } from "../../../shared/credentials/credentials.ts";
import { TaskError } from "../../../shared/model/failure.ts";
import type { Guard } from "../../outbound/guard.ts";
import { readHostAddress } from "../host-address.ts";
import type { HostKeys } from "../host-keys.ts";
import { codeOf, connectionError, failureAt, StorageError } from "../storage-error.ts";

/** A login, and the channel for file requests. */
export type Connection = {
  readonly sftp: SFTPWrapper;
  isClosed: boolean;
  close(): void;
  /**
   * A call of the library as a promise. Also rejects when the connection ends, which the library does not report to
   * calls.
   */
  call<T>(start: (done: Done<T>) => void): Promise<T>;
};

export type Done<T> = (error: Error | undefined | null, value: T) => void;

const silenceMs = 20_000;

export const connect = async (
  uri: string,
  credential: CredentialOf<"sftp"> | undefined,
  { hostKeys, guard }: { readonly hostKeys: HostKeys; readonly guard: Guard },
): Promise<Connection> => {
  const { host, port = credential?.port ?? 22, username = credential?.username } = readHostAddress(uri);
  if (username === undefined) throw failureAt(uri, "noUser");
  const client = new Client();
  let refusal: StorageError | undefined;
  const hostVerifier = (key: Buffer, answer: (isRight: boolean) => void): void => {
    checkKey(key, `${host}:${port}`, credential?.host_key, hostKeys)
      .then((problem) => {
        refusal = problem;
        answer(problem === undefined);
      })
      .catch(() => answer(false));
  };
  try {
    const address = await guard.check(host, port);
    const login = { host: address, port, username, hostVerifier, readyTimeout: silenceMs };
    await ready(client, { ...login, ...secretsOf(credential) });
    return await openChannel(client);
  } catch (error) {
    client.end();
    throw refusal ?? loginError(error, uri);
  }
};

const secretsOf = (credential: CredentialOf<"sftp"> | undefined): Partial<ConnectConfig> => {
  const { password, private_key: privateKey, passphrase } = credential ?? {};
  const texts = {
    password: password?.reveal(),
    privateKey: privateKey?.reveal(),
    passphrase: passphrase?.reveal(),
  };
  return { ...defined(texts), keepaliveInterval: 5000, keepaliveCountMax: 4 };
};

const ready = (client: Client, config: ConnectConfig): Promise<void> =>
  new Promise((resolve, reject) => {
    client.once("ready", resolve);
    client.once("error", reject);
    client.connect(config); // throws for a key that it cannot read
  });

const openChannel = (client: Client): Promise<Connection> =>
  new Promise((resolve, reject) => {
    client.sftp((error, sftp) => {
      if (error) return reject(error);
      const waiting = new Set<(error: Error) => void>();
      const closed = (): void => {
        connection.isClosed = true;
        for (const reject of waiting) reject(new Error("the connection was closed"));
        waiting.clear();
      };
      const connection: Connection = {
        sftp,
        isClosed: false,
        close: () => {
          closed();
          client.end();
        },
        call: (start) =>
          new Promise((resolve, reject) => {
            if (connection.isClosed) return reject(new Error("the connection was closed"));
            waiting.add(reject);
            start((error, value) => {
              waiting.delete(reject);
              if (error) reject(error);
              else resolve(value);
            });
          }),
      };
      client.on("close", closed).on("error", closed);
      sftp.on("close", closed);
      resolve(connection);
    });
  });

/** What is wrong with the key that a host shows. */
const checkKey = async (
  key: Buffer,
  host: string,
  wanted: string | undefined,
  hostKeys: HostKeys,
): Promise<StorageError | undefined> => {
  const advice = "ask its owner whether the key was changed; if so, set the new one in the credentials as host_key";
  const shown = `SHA256:${createHash("sha256").update(key).digest("base64").replace(/=+$/, "")}`;
  if (wanted !== undefined) {
    if (shown === wanted.replace(/=+$/, "")) return undefined;
    return new StorageError(
      "storage",
      `${host} shows the key ${shown}, but the credentials name another one as host_key; ${advice}`,
    );
  }
  if ((await hostKeys.check(host, shown)) !== "changed") return undefined;
  return new StorageError(
    "storage",
    `${host} shows another key than the one this node saw there first: ${shown}; ${advice}`,
  );
};

const loginError = (error: unknown, uri: string): Error => {
  if (error instanceof TaskError) return error;
  const message = messageOf(error);
  if (/authentication methods failed/i.test(message)) return failureAt(uri, "sshLogin");
  if (/parse privateKey|passphrase/i.test(message)) return failureAt(uri, "privateKey");
  if (/timed out/i.test(message)) return failureAt(uri, "silent");
  return codeOf(error) === "" ? failureAt(uri, "broken") : connectionError(error, uri);
};
