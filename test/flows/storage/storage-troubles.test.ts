import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { messageOf } from "../../../shared/basics/errors.ts";
import type { WrittenCredential } from "../../../shared/credentials/credentials.ts";
import { aFolder, fakeFfmpeg, fakeFfprobe, media } from "../../helpers/agent/agent-fixture.ts";
import { bytesAt, openFolder } from "../../helpers/agent/open-storage.ts";
import { aChain, aFileSource, type ElementJson } from "../../helpers/farm/job-builders.ts";
import { share } from "../../helpers/long.ts";
import { type FarmProcesses, startFarm, until } from "../../helpers/processes/farm-processes.ts";
import { canMount, fillDisk, mountSmallDisk, unmountDisk } from "../../helpers/processes/small-disk.ts";
import { type ServerKind, serverKinds, startServers } from "../../servers/index.ts";
import { password, type TestServer } from "../../servers/server.ts";

const kinds = share(serverKinds("trouble with a server"), (kind) => kind === "http" || kind === "s3");
const mayFill = canMount();
if (!mayFill) console.warn("SKIPPED: full disks of servers are not tested: that takes a user who may mount one");

/** Where a job reads or writes, and by which credentials. */
type Place = { readonly folder: string; readonly credential?: WrittenCredential | undefined };
/** What the failure must say. */
type Wanted = { readonly cause: string; readonly words: RegExp };

const giveRight = /; give the right ones in the job's access or in the vault$/.source;
const login = { cause: "definition", words: new RegExp(`refuses the user name or password \\(.+\\)${giveRight}`) };
const wrongPassword: Record<ServerKind, Wanted> = {
  http: login,
  ftp: login,
  sftp: { cause: "definition", words: new RegExp(`refuses the user name, password or key${giveRight}`) },
  s3: { cause: "definition", words: new RegExp(`refuses the access key or its secret \\(.+\\)${giveRight}`) },
  swift: login,
};
const mayBeFull = {
  cause: "storage",
  words: /could not store the file.*; it may have no space left: look into its log$/,
};
/** The server sends its reply or breaks off, whichever comes first. */
const fullOrStuck = {
  cause: "storage",
  words:
    /(could not store the file|ends the transfer at the same byte each time) \(.+\); it may have no space left: look into its log$/,
};
/** One service: once it could not store what one of them sent, it refuses for a moment whatever the other asks. */
const mayRest = { cause: "storage", words: /could not (store the file|complete the request).*; .*(its log|goes on)$/ };
const full: Record<ServerKind, Wanted> = {
  http: mayBeFull,
  ftp: fullOrStuck,
  sftp: mayBeFull,
  s3: mayRest,
  swift: mayRest,
};
const gone = { cause: "source", words: /no such file.*; check the address, and whether somebody removed the file$/ };
const goneMeanwhile = {
  cause: "source",
  // A server may also have looked for it once more before its first byte.
  words: new RegExp(`(vanished while it was read; check who removed it, and retry the task|${gone.words.source})$`),
};
const unknown = {
  cause: "storage",
  words: /does not trust its certificate; set the certificate of its issuer as ca in the credentials$/,
};

describe.skipIf(kinds.length === 0)("trouble with a real server fails the task with a cause and advice", () => {
  let folder: Awaited<ReturnType<typeof aFolder>>;
  let started: Awaited<ReturnType<typeof startServers>>;
  let farm: FarmProcesses;

  beforeAll(async () => {
    folder = await aFolder();
    chmodSync(folder.path, 0o755); // servers go through it as somebody else
    if (mayFill) mountSmallDisk(disk(), 64);
    else mkdirSync(disk());
    [started, farm] = await Promise.all([
      startServers(disk(), kinds),
      startFarm({ timing: { capabilityWaitMs: 600_000 } }), // some tasks wait until their node gets a tag
    ]);
    // A full disk of Swift looks like a server that restarts: nobody needs to wait half a minute for it here.
    const tools = { ffmpegPath: fakeFfmpeg, ffprobePath: fakeFfprobe, storagePatienceSec: 3 };
    await farm.client.changeOutbound({ add: ["127.0.0.1"] }); // where the servers of this test are
    await farm.startMortalAgent({ name: "one", dataDir: farm.dataOf("one"), slots: 4, tags: ["early"], ...tools });
    await farm.startMortalAgent({ name: "two", dataDir: farm.dataOf("two"), slots: 4, ...tools });
    writeFileSync(join(farm.folder, "in.mp4"), media());
    mkdirSync(out().folder);
  }, 120_000);
  afterAll(async () => {
    await started?.stop();
    await farm?.[Symbol.asyncDispose]();
    if (mayFill) unmountDisk(disk());
    await folder.remove();
  });

  const disk = (): string => join(folder.path, "disk");
  const serverOf = (kind: ServerKind): TestServer => {
    const server = started.servers[kind];
    if (server) return server;
    throw new Error(`There is no server of ${kind}`);
  };

  const accessOf = (credential: WrittenCredential | undefined) => {
    if (!credential) return {};
    const { kind, ...fields } = credential;
    return { access: { [kind]: fields } };
  };
  const sourceAt = ({ folder: at, credential }: Place, name: string, task: object = {}): ElementJson => ({
    ...{ uid: "source", kind: "source", ...task },
    payload: { kind: "asset_url", payload: { url: `${at}/${name}`, ...accessOf(credential) } },
  });
  /** Looked at by one node, and copied by another, which has not fetched it. */
  const [early, late] = [{ task: { tags: ["early"] } }, { task: { tags: ["late"] } }];
  const copyTo = ({ folder: path, credential }: Place, more: object = {}, task: object = {}): ElementJson => ({
    ...{ uid: "copy", kind: "copy", ...task },
    payload: { target: { location: { path, ...accessOf(credential) } }, ...more },
  });
  const out = (): Place => ({ folder: join(farm.folder, "out") });

  /** The last failure of a job that must fail. */
  const failureOf = async (id: string): Promise<{ readonly cause: string; readonly message: string }> => {
    expect((await farm.untilEnded(id)).status).toBe("failed");
    const text = JSON.stringify(await farm.client.getResult({ job_id: id }));
    const found = [...text.matchAll(/"cause":"(\w+)","message":("(?:[^"\\]|\\.)*")/g)];
    const [, cause = "", message = '""'] = found.at(-1) ?? [];
    return { cause, message: JSON.parse(message) };
  };

  const expectTrouble = async (id: string, { cause, words }: Wanted, where: string): Promise<void> => {
    const failure = await failureOf(id);
    expect(failure).toEqual({ cause, message: expect.stringMatching(words) });
    expect(failure.message).toContain(where);
    expect(failure.message).not.toContain(password);
  };

  const hostOf = (kind: ServerKind): string => {
    const { credential, folder: at } = serverOf(kind);
    return credential.kind === "swift" ? credential.auth_url : at;
  };

  test("a wrong password for reading and for writing: every kind", async () => {
    const jobs = [];
    for (const kind of kinds) {
      const server = serverOf(kind);
      await server.put("in.mp4", Buffer.from(media()));
      const wrong = { folder: server.folder, credential: server.wrong };
      const reading = await farm.submit(aChain([sourceAt(wrong, "in.mp4")]));
      const writing = await farm.submit(aChain([aFileSource(join(farm.folder, "in.mp4")), copyTo(wrong)]));
      jobs.push({ kind, ids: [reading, writing] });
    }
    for (const { kind, ids } of jobs) for (const id of ids) await expectTrouble(id, wrongPassword[kind], hostOf(kind));
  });

  test("a file that was never there: every kind", async () => {
    for (const kind of kinds) {
      const id = await farm.submit(aChain([sourceAt(serverOf(kind), "never.mp4")]));
      await expectTrouble(id, gone, `${serverOf(kind).folder}/never.mp4`);
    }
  });

  test("a file that goes between the look at it and the copy: every kind", async () => {
    const jobs = await Promise.all(
      kinds.map(async (kind) => {
        await serverOf(kind).put("early.mp4", Buffer.from(media(kind)));
        const id = await farm.submit(aChain([sourceAt(serverOf(kind), "early.mp4"), copyTo(out(), {}, late)]));
        return { kind, id, uri: `${serverOf(kind).folder}/early.mp4` };
      }),
    );
    const isLooked = async (id: string) => {
      const { items } = await farm.client.listTasks({ job_id: id, fields: ["kind", "status"] });
      return items.some(({ kind, status }) => kind === "source" && status === "completed");
    };
    for (const { id } of jobs) await until("the look at the source", () => isLooked(id));
    for (const { kind, uri } of jobs) await openFolder(serverOf(kind).folder, serverOf(kind)).remove(uri);
    const node = (await farm.client.listNodes({})).items.find(({ name }) => name === "two");
    await farm.client.updateNode({ node_id: node?.id ?? "", tags: ["late"] });
    for (const { id, uri } of jobs) await expectTrouble(id, gone, uri);
  });

  test("a file that goes while it is copied: every kind", async () => {
    const bytes = Buffer.concat([Buffer.from(media()), Buffer.alloc(2_000_000, "film")]);
    const jobs = await Promise.all(
      kinds.map(async (kind) => {
        await serverOf(kind).put(`during-${kind}.mp4`, bytes);
        const name = `during-${kind}.mp4`;
        const slowly = { options: { throttle_byte_per_sec: 700_000 } };
        const id = await farm.submit(aChain([sourceAt(serverOf(kind), name, early), copyTo(out(), slowly, late)]));
        return { kind, id, uri: `${serverOf(kind).folder}/during-${kind}.mp4` };
      }),
    );
    const begun = (kind: ServerKind) => readdirSync(out().folder).some((name) => name.includes(`during-${kind}`));
    await Promise.all(
      jobs.map(async ({ kind, uri }) => {
        await until("the copy to begin", () => begun(kind));
        await openFolder(serverOf(kind).folder, serverOf(kind)).remove(uri);
      }),
    );
    for (const { id, uri } of jobs) await expectTrouble(id, goneMeanwhile, uri);
    expect(readdirSync(out().folder).filter((name) => name.includes("during"))).toEqual([]);
  });

  test("but a file that its node has fetched for the look at it needs its server no more: http", async () => {
    const { http } = started.servers;
    if (!http) return;
    const bytes = Buffer.from(media("fetched once"));
    await http.put("fetched.mp4", bytes);
    const id = await farm.submit(aChain([sourceAt(http, "fetched.mp4", early), copyTo(out(), {}, early)]));
    expect(await farm.untilEnded(id)).toMatchObject({ status: "completed" });
    expect(readFileSync(join(out().folder, "fetched.mp4")).equals(bytes)).toBe(true);
    const copy = (await farm.client.listTasks({ job_id: id, fields: ["id", "kind"] })).items.find(
      ({ kind }) => kind === "copy",
    );
    const log = JSON.stringify(await farm.client.getTaskLog({ task_id: copy?.id ?? "" }));
    expect(log).toContain("this node has fetched it already");
  });

  test("throttle_byte_per_sec holds from and to every kind: with a sixteenth of it a copy takes longer", async () => {
    const small = join(farm.folder, "throttled.bin");
    writeFileSync(small, Buffer.alloc(300_000, "film"));
    for (const kind of kinds) await serverOf(kind).put("throttled.bin", readFileSync(small));
    const copyAt = (from: Place, to: Place) => (throttle_byte_per_sec: number) => {
      const file_pattern = `{source_basename}-${throttle_byte_per_sec}.bin`;
      const target = { location: { path: to.folder, ...accessOf(to.credential) }, file_pattern };
      const copy = { uid: "copy", kind: "copy", payload: { target, options: { throttle_byte_per_sec } } };
      return farm.submit(aChain([sourceAt(from, "throttled.bin"), copy]));
    };
    const here = { folder: farm.folder };
    const ways = kinds.flatMap((kind) => {
      const there = serverOf(kind);
      return [
        { name: `from ${kind}`, begin: copyAt(there, { folder: join(out().folder, kind) }) },
        { name: `to ${kind}`, begin: copyAt(here, there) },
      ];
    });
    const begun = await Promise.all(
      ways.map(async ({ name, begin }) => ({ name, ids: await Promise.all([100_000, 1_600_000].map(begin)) })),
    );
    for (const { name, ids } of begun) {
      const [slow = 0, fast = 1] = await Promise.all(ids.map(copyTime));
      expect([name, slow > 1.3 * fast]).toEqual([name, true]);
    }
  });

  /** Milliseconds of the job's copy. */
  const copyTime = async (id: string): Promise<number> => {
    expect(await farm.untilEnded(id)).toMatchObject({ status: "completed" });
    const { items } = await farm.client.listTasks({ job_id: id, fields: ["kind", "start_time", "end_time"] });
    const copy = items.find(({ kind }) => kind === "copy");
    return Date.parse(copy?.end_time ?? "") - Date.parse(copy?.start_time ?? "");
  };

  test.skipIf(!mayFill)("a full disk of the server: every kind", async () => {
    const large = join(farm.folder, "large.mp4");
    writeFileSync(large, Buffer.concat([Buffer.from(media()), Buffer.alloc(1_500_000)]));
    const makeRoom = fillDisk(disk());
    try {
      const begin = (kind: ServerKind) => farm.submit(aChain([aFileSource(large), copyTo(serverOf(kind))]));
      const jobs = await Promise.all([...kinds].reverse().map(async (kind) => ({ kind, id: await begin(kind) })));
      for (const { id, kind } of jobs) await expectTrouble(id, full[kind], serverOf(kind).folder);
    } finally {
      makeRoom();
    }
    for (const kind of kinds) {
      const storage = openFolder(serverOf(kind).folder, serverOf(kind));
      // A store may still answer 503 for a moment after its disk has room again.
      const statOnce = () => storage.stat(`${serverOf(kind).folder}/large.mp4`).catch(messageOf);
      await expect.poll(async () => [kind, await statOnce()], { timeout: 60_000 }).toEqual([kind, undefined]);
    }
  });

  test.skipIf(!mayFill)("a full disk of the node", async () => {
    const small = farm.smallDisk(join(farm.folder, "small"), 1);
    const large = join(farm.folder, "large.mp4");
    writeFileSync(large, Buffer.concat([Buffer.from(media()), Buffer.alloc(1_500_000)]));
    const id = await farm.submit(aChain([aFileSource(large), copyTo({ folder: small })]));
    const words = /has no space left; make room there, or choose another target$/;
    await expectTrouble(id, { cause: "resources", words }, small);
    expect(readdirSync(small)).toEqual([]);
  });

  /** The object stores, as if they spoke through that TLS server. */
  const objectsBehind = (origin: string): (Place & { readonly where: string })[] =>
    [started.servers.s3, started.servers.swift].flatMap((server): (Place & { readonly where: string })[] => {
      const { folder: at, credential } = server ?? {};
      if (at === undefined || !credential) return [];
      if (credential.kind === "s3") return [{ folder: at, credential: { ...credential, endpoint: origin }, where: at }];
      return [
        { folder: at, credential: { ...credential, auth_url: `${origin}/auth` } as WrittenCredential, where: origin },
      ];
    });

  test("a certificate that nobody signed: https, ftps, S3 and Swift behind https", async () => {
    const { http, ftp } = started.servers;
    const places = [http, ftp].flatMap((server) =>
      server ? [{ ...server, folder: server.tlsFolder, where: server.tlsFolder }] : [],
    );
    const behind = http ? objectsBehind(new URL(http.tlsFolder).origin) : [];
    for (const place of [...places, ...behind]) {
      const reading = await farm.submit(aChain([sourceAt(place, "in.mp4")]));
      const writing = await farm.submit(aChain([aFileSource(join(farm.folder, "in.mp4")), copyTo(place)]));
      for (const id of [reading, writing]) await expectTrouble(id, unknown, place.where);
    }
    for (const server of [http, ftp]) {
      if (!server) continue;
      await server.put("trusted.txt", Buffer.from("trusted"));
      const credential = { ...server.credential, ca: server.certificate } as WrittenCredential; // both kinds have a ca
      const storage = openFolder(server.tlsFolder, { credential });
      expect(String(await bytesAt(storage, `${server.tlsFolder}/trusted.txt`))).toBe("trusted");
    }
  });

  test.skipIf(!kinds.includes("sftp"))("a host key that changed: sftp", async () => {
    const { sftp } = started.servers;
    if (!sftp) throw new Error("it was started");
    await sftp.put("keyed.mp4", Buffer.from(media()));
    const first = await farm.submit(aChain([sourceAt(sftp, "keyed.mp4")]));
    expect(await farm.untilEnded(first)).toMatchObject({ status: "completed" });
    await sftp.changeHostKey();
    await sftp.kill();
    await sftp.restart();
    const host = new URL(sftp.folder.replace("sftp:", "http:")).host;
    const advice = "ask its owner whether the key was changed; if so, set the new one in the credentials as host_key";
    const changed = new RegExp(`shows another key than the one this node saw there first: SHA256:\\S+; ${advice}$`);
    const reading = await farm.submit(aChain([sourceAt(sftp, "keyed.mp4")]));
    const writing = await farm.submit(aChain([aFileSource(join(farm.folder, "in.mp4")), copyTo(sftp)]));
    for (const id of [reading, writing]) await expectTrouble(id, { cause: "storage", words: changed }, host);
    const { message } = await failureOf(reading);
    const host_key = /SHA256:[^;]+/.exec(message)?.[0];
    const trusting = { folder: sftp.folder, credential: { ...sftp.credential, host_key } as WrittenCredential };
    const again = await farm.submit(aChain([sourceAt(trusting, "keyed.mp4")]));
    expect(await farm.untilEnded(again)).toMatchObject({ status: "completed" });
  });
});
