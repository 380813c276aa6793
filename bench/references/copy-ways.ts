import { execFile } from "node:child_process";
import { chmod, link, rm, utimes, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import type { WrittenCredential } from "../../shared/credentials/credentials.ts";
import { type ServerKind, startServers } from "../../test/servers/index.ts";
import { type BenchFarm, folderIn } from "../farms/farm.ts";
import type { Place } from "../farms/jobs.ts";

/** One way of a large file, as the farm goes it and as people do by hand. */
export type CopyWay = {
  readonly name: string;
  /** The file on this machine whose bytes it moves. */
  readonly file: string;
  readonly from: Place;
  readonly to: Place;
  /** The program to compare with. */
  readonly by: string;
  /** Deletes what either side sent. */
  readonly clear?: () => Promise<unknown>;
  /** Puts on the server what is received. */
  readonly prepare?: () => Promise<unknown>;
  /** Moves the same bytes by hand; those that come here are put where `received` is. */
  readonly hand: () => Promise<unknown>;
  /** Told without judging where there is none. */
  readonly target?: number | undefined;
  /** The bytes come to this machine, and are flushed on both sides. */
  readonly isReceived: boolean;
  /** A film: the whole job is measured, because the look at it fetches it. Makes the file one that was never seen. */
  readonly freshen?: () => Promise<void>;
};

export type CopyWays = AsyncDisposable & { readonly ways: readonly CopyWay[] };

/** What is copied: a large file, one for the slow protocols, and a film; and where the farm's files and those made by hand arrive. */
export type Places = Readonly<Record<"large" | "modest" | "film" | "out" | "received", string>>;

const run = (program: string, ...words: readonly string[]) => promisify(execFile)(program, words);
const curl = (...words: readonly string[]) => run("curl", "-sSf", ...words);

/** From a folder into a folder, and from and to every server of the tests that can be started here. */
export const openCopyWays = async (
  farm: BenchFarm,
  { large, modest, film, out, received }: Places,
  kinds: readonly ServerKind[],
): Promise<CopyWays> => {
  await chmod(farm.folder, 0o755); // servers open it as somebody else
  const { servers, stop } = await startServers(folderIn(farm, "servers"), kinds);
  const local: CopyWay = {
    ...{ name: "file", file: large, from: { address: large }, to: { address: out } },
    ...{ by: "cp", target: 1.15, isReceived: true, hand: () => run("cp", large, received) },
  };
  const checked: CopyWay = {
    ...{ name: "file, checksummed", file: modest, from: { address: modest }, to: { address: out } },
    ...{ by: "cp, sha256sum of both", isReceived: true },
    hand: async () => {
      await run("cp", modest, received);
      await run("sha256sum", modest, received);
    },
  };
  const both = (name: string, at: Place, by: string, hand: Hand, { file = large, target }: Judged = {}): CopyWay[] => {
    const there = { ...at, address: `${at.address}/by-hand.bin` };
    const way = { file, by, target };
    return [
      {
        ...{ ...way, name: `to ${name}`, from: { address: file }, to: at, isReceived: false, hand: hand.send },
        clear: () => Promise.all([basename(file), "by-hand.bin"].map(hand.clear)),
      },
      {
        ...{ ...way, name: `from ${name}`, from: there, to: { address: out }, isReceived: true },
        ...{ prepare: hand.send, hand: hand.receive },
      },
    ];
  };
  const removed = (kind: ServerKind) => (name: string) =>
    rm(join(farm.folder, "servers", kind, "files", "out", name), { force: true });
  const ways = [local, checked];
  const { http, ftp, sftp, s3, swift } = servers;
  if (http) {
    const login = ["-u", nameAndPassword(http.credential)];
    const hand = { ...curlBoth(http.folder, login, large, received), clear: removed("http") };
    ways.push(...both("http", placeOf(http), "curl", hand, judged));
    const films = `${http.openFolder}/film.mov`;
    await link(film, join(farm.folder, "servers", "http", "files", "out", "film.mov"));
    ways.push({
      ...{
        name: "a film from http, with the look at it",
        file: film,
        from: { address: films },
        to: { address: out },
        by: "curl",
      },
      ...{ target: 1.25, isReceived: true, hand: () => curl("-o", received, films) },
      freshen: () => utimes(film, new Date(), new Date()),
    });
  }
  if (ftp) {
    const login = ["-u", nameAndPassword(ftp.credential)];
    const hand = { ...curlBoth(ftp.folder, login, large, received), clear: removed("ftp") };
    ways.push(...both("ftp", placeOf(ftp), "curl", hand, judged));
  }
  if (s3?.credential.kind === "s3") {
    const { endpoint = "", access_key_id, secret_access_key } = s3.credential;
    const key = `${encodeURIComponent(access_key_id)}:${encodeURIComponent(secret_access_key)}`;
    const url = s3.folder.replace("s3:/", endpoint.replace("//", `//${key}@`));
    const signed = ["--aws-sigv4", "aws:amz:us-east-1:s3", "-H", "x-amz-content-sha256: UNSIGNED-PAYLOAD"];
    const asCurl = { ...s3, credential: { ...s3.credential, sign_payload: false } };
    ways.push(...both("s3", placeOf(asCurl), "curl", curlBoth(url, signed, large, received), judged));
  }
  if (swift?.credential.kind === "swift") {
    const { url, token } = await logIn(swift.credential);
    const hand = curlBoth(swift.folder.replace("swift:/", url), ["-H", `x-auth-token: ${token}`], modest, received);
    ways.push(...both("swift", placeOf(swift), "curl", hand, { file: modest }));
  }
  if (sftp?.credential.kind === "sftp") {
    const key = join(farm.folder, "user_key");
    await writeFile(key, sftp.privateKey, { mode: 0o600 });
    const { host, port, pathname } = new URL(sftp.folder.replace("sftp:", "http:"));
    const there = `${sftp.credential.username}@${host.replace(`:${port}`, "")}:${pathname}/by-hand.bin`;
    const quiet = ["-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null", "-o", "LogLevel=ERROR"];
    const scp = (from: string, to: string) => run("scp", "-q", "-i", key, "-P", port, ...quiet, from, to);
    const hand = { send: () => scp(modest, there), receive: () => scp(there, received), clear: removed("sftp") };
    ways.push(...both("sftp", placeOf(sftp), "scp", hand, { file: modest }));
  }
  return { ways, [Symbol.asyncDispose]: stop };
};

type Judged = { readonly file?: string; readonly target?: number | undefined };

type Hand = {
  readonly send: () => Promise<unknown>;
  readonly receive: () => Promise<unknown>;
  readonly clear: (name: string) => Promise<unknown>;
};

/** The issue's limit for these protocols. */
const judged = { target: 1.25 };

const curlBoth = (folder: string, words: readonly string[], file: string, received: string): Hand => ({
  send: () => curl(...words, "-T", file, `${folder}/by-hand.bin`),
  receive: () => curl(...words, "-o", received, `${folder}/by-hand.bin`),
  clear: (name) => run("curl", "-sS", ...words, "-X", "DELETE", `${folder}/${name}`), // it may not be there
});

const placeOf = ({
  folder,
  credential: { kind, ...fields },
}: {
  folder: string;
  credential: WrittenCredential;
}): Place => ({
  address: folder,
  access: { [kind]: fields },
});

const nameAndPassword = (credential: WrittenCredential): string =>
  "username" in credential && "password" in credential ? `${credential.username}:${credential.password}` : "";

const logIn = async ({ auth_url, username, password }: Extract<WrittenCredential, { kind: "swift" }>) => {
  const { headers } = await fetch(auth_url, { headers: { "x-auth-user": username, "x-auth-key": password } });
  return { url: headers.get("x-storage-url") ?? "", token: headers.get("x-auth-token") ?? "" };
};
