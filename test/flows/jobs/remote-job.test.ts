import { chmodSync, globSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aFolder } from "../../helpers/agent/agent-fixture.ts";
import { clip } from "../../helpers/media/clips.ts";
import { ffmpegPath } from "../../helpers/media/media-tools.ts";
import { type FarmProcesses, kill, startFarm, until } from "../../helpers/processes/farm-processes.ts";
import { nginxLacks, startNginx, type WebServer } from "../../servers/nginx.ts";
import { password, username } from "../../servers/server.ts";
import { type SwiftServer, startSwift, swiftLacks } from "../../servers/swift.ts";

const lacks = nginxLacks() ?? swiftLacks() ?? (ffmpegPath === undefined ? "there is no ffmpeg" : undefined);
if (lacks) console.warn(`SKIPPED: jobs over remote storage are not tested: ${lacks}`);

describe.skipIf(lacks)("a job whose files lie elsewhere", () => {
  let folder: Awaited<ReturnType<typeof aFolder>>;
  let web: WebServer;
  let swift: SwiftServer;

  beforeAll(async () => {
    folder = await aFolder();
    chmodSync(folder.path, 0o755);
    for (const each of ["web", "swift"]) await mkdir(join(folder.path, each));
    [web, swift] = await Promise.all([startNginx(join(folder.path, "web")), startSwift(join(folder.path, "swift"))]);
    await clip(join(folder.path, "clip.mkv"));
    await web.put("clip.mkv", await readFile(join(folder.path, "clip.mkv")));
  }, 120_000);
  afterAll(async () => {
    await web?.stop();
    await swift?.stop();
    await folder.remove();
  });

  const source = () => ({
    uid: "source",
    kind: "source",
    payload: {
      kind: "asset_url",
      payload: {
        ...{ storage_provider: "http", url: `${web.folder}/clip.mkv` },
        access: { http: { username, password } },
      },
    },
  });
  const connect = (from: string, to: string) => ({
    from: [{ element: from }],
    to: { success: [{ element: to }] },
  });
  const element = (uid: string, kind: string, payload: object) => ({ uid, kind, payload });

  test("is read with the job's credentials, written with the vault's, and leaves no secret anywhere", async () => {
    await using farm = await startFarm();
    await farm.client.changeOutbound({ add: ["127.0.0.1"] }); // where the servers of this test are
    const agent = await farm.startAgent();
    const { credential } = swift.s3;
    if (credential.kind !== "s3") throw new Error("it is one of S3");
    await farm.client.putCredential({ name: "bucket", prefix: "s3://bucket", credential });
    const container = { kind: "mp4" };
    const target = { file_pattern: "made.mp4", container, video: { codec: "h264", width: 160, height: 90 } };
    const location = { storage_provider: "s3", path: "s3://bucket/out", access: { credentials_key: "bucket" } };
    const id = await farm.submit({
      name: "remote",
      payload: {
        elements: [
          source(),
          element("make", "transcode", { location, targets: [target] }),
          element("copy", "copy", {
            target: {
              location: { storage_provider: "http", path: web.folder, access: { http: { username, password } } },
            },
          }),
          element("clear", "delete_asset", {
            asset_selector: "config",
            location: { ...location, path: undefined, url: "s3://bucket/out/made.mp4" },
          }),
        ],
        connections: [connect("source", "make"), connect("make", "copy"), connect("copy", "clear")],
      },
    });
    expect(await farm.untilEnded(id)).toMatchObject({ status: "completed", error: null });
    expect((await web.get("made.mp4"))?.subarray(4, 8).toString()).toBe("ftyp");
    expect(await swift.s3.get("made.mp4")).toBeUndefined(); // it was made there, copied, and deleted
    const result = await farm.client.getResult({ job_id: id });
    const secrets = [password, credential.secret_access_key, Buffer.from(`${username}:${password}`).toString("base64")];
    const said = [JSON.stringify(result), farm.coordinator().stderr(), agent.stderr()];
    const files = globSync("**/*", { cwd: farm.folder }).map((name) => join(farm.folder, name));
    const texts = files.filter((path) => statSync(path).isFile()).map((path) => readFileSync(path, "latin1"));
    for (const secret of secrets) {
      expect([...said, ...texts].filter((text) => text.includes(secret))).toEqual([]);
    }
    expect(texts.length).toBeGreaterThan(5);
  });

  test("shows no secret in the arguments and environment of any program while it runs", async () => {
    await using farm = await startFarm();
    await farm.client.changeOutbound({ add: ["127.0.0.1"] }); // where the servers of this test are
    await farm.startAgent();
    const target = {
      ...{ file_pattern: "slow.mp4", container: { kind: "mp4" } },
      video: { codec: "h264", width: 1280, height: 720, preset: "veryslow" },
    };
    mkdirSync(join(farm.folder, "out"));
    const id = await farm.submit({
      name: "watched",
      payload: {
        elements: [
          source(),
          element("make", "transcode", { location: { path: join(farm.folder, "out") }, targets: [target] }),
        ],
        connections: [connect("source", "make")],
      },
    });
    let looks = 0;
    let isOver = false;
    const ended = farm.untilEnded(id).finally(() => {
      isOver = true;
    });
    while (!isOver) {
      for (const { path, text } of programs()) {
        if (path.endsWith("cmdline") && text.includes("ffmpeg")) looks += 1;
        expect(text.includes(password) ? path : "").toBe("");
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(await ended).toMatchObject({ status: "completed" });
    expect(looks).toBeGreaterThan(0);
  });

  test("leaves its secrets only sealed on a farm that is killed at work and started again", async () => {
    await using farm = await startFarm();
    await farm.client.changeOutbound({ add: ["127.0.0.1"] }); // where the servers of this test are
    const agent = await farm.startAgent();
    const [events, cookie] = [collected(farm), await ownerCookie(farm)];
    // Each is made up for its place, and never right: what is searched for cannot be there by accident.
    const made = {
      job: "madeup-job-1f7c",
      definition: "madeup-def-9d2e",
      preset: "madeup-pre-44aa",
      vault: "madeup-vau-c0de",
    };
    const credential = { kind: "http" as const, username, password: made.vault };
    await farm.client.putCredential({ name: "wrong", prefix: web.folder, credential });
    const to = (secret: string) => ({
      location: { storage_provider: "http", path: web.folder, access: { http: { username, password: secret } } },
    });
    const target = {
      file_pattern: "never.mp4",
      container: { kind: "mp4" },
      video: { codec: "h264", width: 160, height: 90 },
    };
    await farm.client.putPreset({
      ...{ key: "secretive", name: "secretive", kind: "transcode" },
      payload: { ...to(made.preset), targets: [target] },
    });
    const job = {
      name: "secretive",
      definitions: { word: made.definition },
      payload: {
        elements: [
          source(),
          { uid: "make", kind: "transcode", preset: { key: "secretive" } },
          element("copy", "copy", { target: to("{{word}}") }),
          element("again", "copy", { target: to(made.job) }),
          element("vaulted", "copy", {
            target: { location: { ...to("").location, access: { credentials_key: "wrong" } } },
          }),
        ],
        connections: ["make", "copy", "again", "vaulted"].map((uid) => connect("source", uid)),
      },
    };
    const id = await farm.submit(job);
    await until("an event of a task", () => events.heard().includes("task"));
    await kill(agent);
    await kill(farm.coordinator());
    await farm.restartCoordinator();
    const second = await farm.startAgent();
    expect((await farm.untilEnded(id)).status).toBe("failed"); // none of these passwords is right
    const tasks = (await farm.client.listTasks({ job_id: id, fields: ["id"] })).items;
    const logs = await Promise.all(tasks.map(({ id = "" }) => farm.client.getTaskLog({ task_id: id })));
    const pages = await pagesOf(farm, id, cookie);
    const streams = [await events.end(), await collected(farm).end()];
    const said = [
      JSON.stringify([await farm.client.getResult({ job_id: id }), logs]),
      ...[...pages, ...streams],
      ...[farm.coordinator(), agent, second].map((program) => program.stderr()),
      ...programs().flatMap(({ text }) => (text.includes(farm.folder) ? [text] : [])),
    ];
    const files = globSync("**/*", { cwd: farm.folder }).map((name) => join(farm.folder, name));
    const texts = files.filter((path) => statSync(path).isFile()).map((path) => readFileSync(path, "latin1"));
    expect(texts.length).toBeGreaterThan(5);
    for (const secret of Object.values(made)) {
      for (const form of [secret, Buffer.from(`${username}:${secret}`).toString("base64")])
        expect([...said, ...texts].filter((text) => text.includes(form))).toEqual([]);
    }
    // The API echoes what it was sent, and nothing else does.
    expect(JSON.stringify(await farm.client.getDefinition({ job_id: id }))).toContain(made.job);
    expect(JSON.stringify(await farm.client.listCredentials({}))).not.toContain(made.vault);
  });

  test("that lacks credentials fails in words", async () => {
    await using farm = await startFarm();
    await farm.client.changeOutbound({ add: ["127.0.0.1"] }); // where the servers of this test are
    await farm.startAgent();
    const open = { kind: "asset_url", payload: { storage_provider: "http", url: `${web.folder}/clip.mkv` } };
    const id = await farm.submit({
      name: "locked out",
      payload: { elements: [element("source", "source", open)], connections: [] },
    });
    const ended = await farm.untilEnded(id);
    expect(ended).toMatchObject({
      status: "failed",
      error: expect.stringContaining("refuses the user name or password"),
    });
  });
});

/** Listens to the farm's events until it is ended. A coordinator that dies ends it too. */
const collected = (farm: FarmProcesses) => {
  const end = new AbortController();
  let text = "";
  const listen = async () => {
    const stream = await farm.client.events({ signal: end.signal });
    for await (const part of stream.pipeThrough(new TextDecoderStream())) text += part;
  };
  const listening = listen().catch(() => undefined);
  return {
    heard: (): string => text,
    end: async (): Promise<string> => {
      await Promise.race([listening, pause(300)]);
      end.abort();
      return text;
    },
  };
};

/** What the pages show of a job and of everything that may hold secrets. */
const pagePaths = (id: string): string[] => [
  ...["", "/resolved", "/findings", "/definition", "/result", "/outputs"].map((part) => `jobs/${id}${part}`),
  ...["jobs", "overview", "farm", "history", "timeline", "credentials", "presets", "nodes", "mounts", "outbound"],
];

/** Signs in the farm's first owner. */
const ownerCookie = async (farm: FarmProcesses): Promise<string> => {
  const { origin } = new URL(farm.baseUrl);
  const code = new URL((farm.secrets.first_sign_in_url ?? "").replace("#/", "")).searchParams.get("code");
  const signedIn = await fetch(`${origin}/ui/v1/first-session`, {
    method: "POST",
    headers: { "content-type": "application/json", origin },
    body: JSON.stringify({ code, name: "owner", password: "a long enough password" }),
  });
  return signedIn.headers
    .getSetCookie()
    .map((each) => each.split(";")[0])
    .join("; ");
};

/** The answers that an owner's pages get. */
const pagesOf = async (farm: FarmProcesses, id: string, cookie: string): Promise<string[]> => {
  const { origin } = new URL(farm.baseUrl);
  const answers = await Promise.all(
    pagePaths(id).map((path) => fetch(`${origin}/ui/v1/${path}`, { headers: { cookie } })),
  );
  expect(answers.filter(({ ok }) => !ok).map(({ url, status }) => `${status} ${url}`)).toEqual([]);
  return Promise.all(answers.map((answer) => answer.text()));
};

/** The arguments and environment of every program on the machine. */
const programs = (): { path: string; text: string }[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => ["cmdline", "environ"].map((name) => `/proc/${pid}/${name}`))
    .map((path) => ({ path, text: textOf(path) }));

/** Of a process that may be over by now, or somebody else's. */
const textOf = (path: string): string => {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
};
