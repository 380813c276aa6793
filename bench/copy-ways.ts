import { execFile } from "node:child_process";
import { chmod, link, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Credential } from "../shared/credentials.ts";
import { type ServerKind, startServers } from "../test/servers/index.ts";
import { type BenchFarm, folderIn } from "./farm.ts";
import type { Place } from "./jobs.ts";

/** One way of a large file, as the farm goes it and as people do by hand. */
export type CopyWay = {
  readonly name: string;
  readonly from: Place;
  readonly to: Place;
  /** The program to compare with. */
  readonly by: string;
  /** Puts on the server what is received. */
  readonly prepare?: () => Promise<unknown>;
  /** Moves the same bytes by hand; those that come here are put where `received` is. */
  readonly hand: () => Promise<unknown>;
  /** Told without judging where there is none. */
  readonly target?: number;
  /** The bytes come to this machine, and are flushed on both sides. */
  readonly isReceived: boolean;
  /** A film: the whole job is measured, because the look at it fetches it. Makes the file one that was never seen. */
  readonly freshen?: () => Promise<void>;
};

export type CopyWays = AsyncDisposable & { readonly ways: readonly CopyWay[] };

/** Where the farm's files and those made by hand arrive. */
export type Places = { readonly large: string; readonly film: string; readonly out: string; readonly received: string };

const run = (program: string, ...words: readonly string[]) => promisify(execFile)(program, words);
const curl = (...words: readonly string[]) => run("curl", "-sSf", ...words);

/** From a folder into a folder, and from and to every server of the tests that can be started here. */
export const openCopyWays = async (
  farm: BenchFarm,
  { large, film, out, received }: Places,
  kinds: readonly ServerKind[],
): Promise<CopyWays> => {
  await chmod(farm.folder, 0o755); // servers open it as somebody else
  const { servers, stop } = await startServers(folderIn(farm, "servers"), kinds);
  const here = { address: large };
  const local: CopyWay = {
    ...{ name: "file", from: here, to: { address: out }, by: "cp", target: 1.15, isReceived: true },
    hand: () => run("cp", large, received),
  };
  const both = (name: string, at: Place, by: string, hand: Hand, target?: number): CopyWay[] => {
    const judged = { by, ...(target !== undefined && { target }) };
    const file = { ...at, address: `${at.address}/by-hand.bin` };
    return [
      { ...judged, name: `to ${name}`, from: here, to: at, isReceived: false, hand: hand.send },
      {
        ...{ ...judged, name: `from ${name}`, from: file, to: { address: out }, isReceived: true },
        ...{ prepare: hand.send, hand: hand.receive },
      },
    ];
  };
  const ways = [local];
  const { http, ftp, sftp, s3, swift } = servers;
  if (http) {
    const login = ["-u", nameAndPassword(http.credential)];
    ways.push(...both("http", placeOf(http), "curl", curlBoth(http.folder, login, { large, received }), 1.25));
    const films = `${http.openFolder}/film.mov`;
    await link(film, join(farm.folder, "servers", "http", "files", "out", "film.mov"));
    ways.push({
      ...{ name: "a film from http, with the look at it", from: { address: films }, to: { address: out }, by: "curl" },
      ...{ isReceived: true, hand: () => curl("-o", received, films) },
      freshen: () => utimes(film, new Date(), new Date()),
    });
  }
  if (ftp) {
    const login = ["-u", nameAndPassword(ftp.credential)];
    ways.push(...both("ftp", placeOf(ftp), "curl", curlBoth(ftp.folder, login, { large, received }), 1.25));
  }
  if (s3?.credential.kind === "s3") {
    const { endpoint = "", access_key_id, secret_access_key } = s3.credential;
    const key = `${encodeURIComponent(access_key_id)}:${encodeURIComponent(secret_access_key)}`;
    const url = s3.folder.replace("s3:/", endpoint.replace("//", `//${key}@`));
    const signed = ["--aws-sigv4", "aws:amz:us-east-1:s3", "-H", "x-amz-content-sha256: UNSIGNED-PAYLOAD"];
    ways.push(...both("s3", placeOf(s3), "curl", curlBoth(url, signed, { large, received }), 1.25));
  }
  if (swift?.credential.kind === "swift") {
    const { url, token } = await logIn(swift.credential);
    const hand = curlBoth(swift.folder.replace("swift:/", url), ["-H", `x-auth-token: ${token}`], { large, received });
    ways.push(...both("swift", placeOf(swift), "curl", hand));
  }
  if (sftp?.credential.kind === "sftp") {
    const key = join(farm.folder, "user_key");
    await writeFile(key, sftp.privateKey, { mode: 0o600 });
    const { host, port, pathname } = new URL(sftp.folder.replace("sftp:", "http:"));
    const there = `${sftp.credential.username}@${host.replace(`:${port}`, "")}:${pathname}/by-hand.bin`;
    const quiet = ["-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null", "-o", "LogLevel=ERROR"];
    const scp = (from: string, to: string) => run("scp", "-q", "-i", key, "-P", port, ...quiet, from, to);
    const hand = { send: () => scp(large, there), receive: () => scp(there, received) };
    ways.push(...both("sftp", placeOf(sftp), "scp", hand));
  }
  return { ways, [Symbol.asyncDispose]: stop };
};

type Hand = { readonly send: () => Promise<unknown>; readonly receive: () => Promise<unknown> };

const curlBoth = (
  folder: string,
  words: readonly string[],
  { large, received }: Pick<Places, "large" | "received">,
): Hand => ({
  send: () => curl(...words, "-T", large, `${folder}/by-hand.bin`),
  receive: () => curl(...words, "-o", received, `${folder}/by-hand.bin`),
});

const placeOf = ({ folder, credential: { kind, ...fields } }: { folder: string; credential: Credential }): Place => ({
  address: folder,
  access: { [kind]: fields },
});

const nameAndPassword = (credential: Credential): string =>
  "username" in credential && "password" in credential ? `${credential.username}:${credential.password}` : "";

const logIn = async ({ auth_url, username, password }: Extract<Credential, { kind: "swift" }>) => {
  const { headers } = await fetch(auth_url, { headers: { "x-auth-user": username, "x-auth-key": password } });
  return { url: headers.get("x-storage-url") ?? "", token: headers.get("x-auth-token") ?? "" };
};
