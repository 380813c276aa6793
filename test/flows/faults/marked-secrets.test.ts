import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, delimiter, dirname, join } from "node:path";
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { isLong, seed, times } from "../../helpers/long.ts";
import { writeWav } from "../../helpers/media/a-wav.ts";
import { type FarmProcesses, startFarm, stop, until } from "../../helpers/processes/farm-processes.ts";
import { startReceiver } from "../../helpers/processes/receiver.ts";
import { markedForms, markedPreset, markForms, markWord } from "../../helpers/secrets/marked-jobs.ts";

/** Jobs: each form once, twice in `.ci/run`, 1,000 in `npm run long`. */
const count = times(Object.keys(markedForms).length, 40, 1000);

const forms = Object.entries(markedForms);
const markOf = (nr: number) => (place: string) => `${markWord}${seed}x${nr}x${place}`;

/** Media below `/media` wants a password or a token; notifications are told all that they said. */
const startServer = (wav: Buffer) =>
  startReceiver(({ method, url, headers, body }, response) => {
    const [path = ""] = url.split("?");
    if (path.endsWith(".wav")) {
      const mayRead = path.startsWith("/open") || (path.startsWith("/media") && headers.authorization !== undefined);
      if (!mayRead) return void response.writeHead(401, { "www-authenticate": "Basic" }).end("who are you?");
      response.writeHead(200, { "content-length": wav.length, "last-modified": new Date(1e12).toUTCString() });
      return void response.end(method === "HEAD" ? undefined : wav);
    }
    if (path.startsWith("/put")) return void response.writeHead(method === "HEAD" ? 404 : 201).end();
    const echo = JSON.stringify({ url, headers, body });
    response.writeHead(path.startsWith("/ok") ? 200 : 503, { "content-type": "application/json" }).end(echo);
  });

/** An engine that does as containers would, and tells all that it is given. */
const fakeEngine = (folder: string): string => {
  mkdirSync(folder);
  copyFileSync(join(import.meta.dirname, "../../helpers/fixtures/fake-podman.mjs"), join(folder, "podman"));
  chmodSync(join(folder, "podman"), 0o755);
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  return folder;
};

/** Every file below the folder that holds a mark, and which. */
const filesWithMarks = (folder: string, isSkipped: (path: string) => boolean): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((each) => {
    const path = join(each.parentPath, each.name);
    if (!each.isFile() || isSkipped(path)) return [];
    const found = marksIn(readFileSync(path, "latin1"));
    return found.length > 0 ? [`${basename(dirname(path))}/${basename(path)}: ${found.join(" ")}`] : [];
  });

/** The places of the marks that a text holds. */
const marksIn = (text: string): string[] => {
  const places = [...text.matchAll(new RegExp(`${markWord}\\d+x\\d+x([A-Za-z]+\\d?)`, "g"))].map(([, place]) => place);
  const encoded = markForms.filter((form) => form !== markWord && text.includes(form));
  return [...new Set([...places, ...encoded])].map(String);
};

/** The cookie of the first owner, or of somebody that it makes. */
const signIn = async (origin: string, path: string, body: object): Promise<string> => {
  const headers = { "content-type": "application/json", origin };
  const answer = await fetch(`${origin}/ui/v1/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  expect(`${path} ${answer.status}`).toBe(`${path} 200`);
  return answer.headers
    .getSetCookie()
    .map((each) => each.split(";")[0])
    .join("; ");
};

const password = "a long enough password";

/** Asks as a viewer, and as a program that reaches everybody's jobs and sent none of them. */
const otherEyes = async (farm: FarmProcesses) => {
  const { origin } = new URL(farm.baseUrl);
  const code = new URL((farm.secrets.first_sign_in_url ?? "").replace("#/", "")).searchParams.get("code");
  const owner = await signIn(origin, "first-session", { code, name: "owner", password });
  const asOwner = (path: string, body: object) =>
    fetch(`${origin}/ui/v1/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", origin, cookie: owner },
      body: JSON.stringify(body),
    });
  await asOwner("people", { name: "viewer", password, role: "viewer" });
  const viewer = await signIn(origin, "session", { name: "viewer", password });
  const scopes = ["jobs:read", "jobs:write", "presets:read", "nodes:read"];
  const user = await (await asOwner("api-users", { name: "other", scopes, reach: "all" })).json();
  const pair = Buffer.from(`${farm.secrets.oapi_key}:${farm.secrets.oapi_secret}`).toString("base64");
  const headers = { authorization: `Basic ${pair}`, "x-service-compliance": "20261101" };
  const signedIn = await fetch(`${farm.baseUrl}/login`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify(user),
  });
  const { token }: { token?: unknown } = JSON.parse(await signedIn.text());
  const asProgram = { ...headers, "x-service-sapiauth": String(token) };
  const streams = [
    listen(`${farm.baseUrl}/events`, asProgram),
    listen(`${origin}/ui/v1/events`, { cookie: viewer }),
    listen(`${origin}/ui/v1/events`, { cookie: owner }),
  ];
  const get = async (url: string, more: Record<string, string>) => {
    const answer = await fetch(url, { headers: more });
    return { path: new URL(url).pathname, status: answer.status, text: await answer.text() };
  };
  return {
    pages: (path: string) => [viewer, owner].map((cookie) => get(`${origin}/ui/v1/${path}`, { cookie })),
    program: (path: string) => get(`${farm.baseUrl}/${path}`, asProgram),
    heard: () => streams.map((each) => each()).join("\n"),
  };
};

/** What a stream of events said so far. */
const listen = (url: string, headers: Record<string, string>): (() => string) => {
  let heard = "";
  const read = async () => {
    const { body } = await fetch(url, { headers });
    for await (const part of body ?? []) heard += Buffer.from(part).toString();
  };
  read().catch(() => undefined); // it ends with the farm
  return () => heard;
};

const jobPaths = ["definition", "result", "info", "tasks", "outputs", "watches"];
const viewPaths = ["", "/resolved", "/findings", "/definition", "/result", "/outputs", "/tasks"];

/** All answers about a job that others get, by their path. */
const answersAbout = async (eyes: Awaited<ReturnType<typeof otherEyes>>, id: string) => {
  const tasks: { id: string }[] = JSON.parse((await eyes.program(`jobs/${id}/tasks`)).text).items;
  const ofTasks = tasks.flatMap((task) => [`tasks/${task.id}/log`, `tasks/${task.id}/explain`]);
  return Promise.all([
    ...jobPaths.map((path) => eyes.program(`jobs/${id}/${path}`)),
    ...ofTasks.map((path) => eyes.program(path)),
    ...viewPaths.flatMap((path) => eyes.pages(`jobs/${id}${path}`)),
    ...ofTasks.flatMap((path) => eyes.pages(path)),
  ]);
};

/** Of the jobs in turn. */
const formOf = (at: number): string => forms[(at + 1) % forms.length]?.[0] ?? "";

const submitAll = async (farm: FarmProcesses, file: string, port: number): Promise<string[]> => {
  await farm.client.putPreset(markedPreset(markOf(0), join(farm.folder, "made-preset")));
  const ids: string[] = [];
  for (let nr = 1; nr <= count; nr += 1) {
    const places = { file, folder: join(farm.folder, `made-${nr}`), server: `http://127.0.0.1:${port}` };
    const form = markedForms[formOf(nr - 1)];
    if (form) ids.push(await farm.submit(form(markOf(nr), places)));
  }
  return ids;
};

/** How the jobs of each form ended, in words. Some that failed are retried by hand. */
const endOf = async (farm: FarmProcesses, ids: readonly string[]): Promise<string[]> => {
  const ended = new Map<string, number>();
  for (const [at, id] of ids.entries()) {
    const { status } = await farm.untilEnded(id);
    ended.set(`${formOf(at)}: ${status}`, (ended.get(`${formOf(at)}: ${status}`) ?? 0) + 1);
  }
  const failed = ids.filter((_, at) => formOf(at) === "a notification that fails").slice(0, 5);
  for (const id of failed) await farm.client.retryJob({ job_id: id, scope: "failed" });
  for (const id of failed) await farm.untilEnded(id);
  return [...ended].map(([what, n]) => `${n} x ${what}`);
};

/** Marks in any answer that somebody else gets, and answers that nobody should get. */
const wrongAnswers = async (eyes: Awaited<ReturnType<typeof otherEyes>>, ids: readonly string[]) => {
  const wrong = new Set<string>();
  let asked = 0;
  const take = (answers: readonly { path: string; status: number; text: string }[]): void => {
    asked += answers.length;
    for (const { path, status, text } of answers) {
      const shown = path.replaceAll(/\/\d+/g, "/N");
      if (status !== 200) wrong.add(`${shown}: ${status}`);
      for (const place of marksIn(text)) wrong.add(`${shown}: ${place}`);
    }
  };
  for (const id of ids) take(await answersAbout(eyes, id));
  take(await Promise.all(["presets", "presets/marked"].map(eyes.program)));
  const pages = ["jobs", "overview", "farm", "history", "timeline", "presets/marked", "nodes"];
  take(await Promise.all(pages.flatMap(eyes.pages)));
  await until("events of all jobs", () => ids.every((id) => eyes.heard().includes(`"${id}"`)));
  take([{ path: "events", status: 200, text: eyes.heard() }]);
  return { asked, wrong };
};

test(
  `${count} jobs with marked secrets, completed, failed, retried, notified, backed up: nothing in the clear outside of memory`,
  async () => {
    await using farm = await startFarm();
    const file = writeWav(join(farm.media, "source.wav"));
    const server = await startServer(readFileSync(file));
    await using _ = { [Symbol.asyncDispose]: server.close };
    const engine = fakeEngine(join(farm.folder, "bin"));
    const words = ["--slots", "4", "--containers", "--allow-outbound", `127.0.0.1:${server.port}`];
    const agent = await farm.startAgent("one", words, { PATH: `${engine}${delimiter}${process.env.PATH}` });
    const eyes = await otherEyes(farm);
    const ids = await submitAll(farm, file, server.port);
    const ends = await endOf(farm, ids);
    // They were really sent: what nobody says cannot be found.
    const sent = ["query", "apiKey", "header", "body", "payload", "signature"];
    expect(marksIn(JSON.stringify(server.received))).toEqual(expect.arrayContaining(sent));

    const { asked, wrong } = await wrongAnswers(eyes, ids);
    await new Database(farm.database, { readonly: true }).backup(join(farm.folder, "backup.db"));
    const isEngines = (path: string) => path.startsWith(engine); // what the engine was told is for its command alone
    for (const found of filesWithMarks(farm.folder, isEngines)) wrong.add(`while it runs: ${found}`);
    await stop(agent);
    await stop(farm.coordinator());
    for (const found of filesWithMarks(farm.folder, isEngines)) wrong.add(`at the end: ${found}`);
    for (const { stderr } of [agent, farm.coordinator()])
      for (const place of marksIn(stderr())) wrong.add(`log of a program: ${place}`);
    console.log([`${ids.length} jobs, ${asked} answers, ${wrong.size} in the clear, seed ${seed}`, ...ends].join("\n"));
    expect([...wrong].sort()).toEqual([]);
  },
  isLong ? 1_800_000 : 300_000,
);
