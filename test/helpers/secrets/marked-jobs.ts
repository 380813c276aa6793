import { aChain, aCopyTo, aFileSource, type ElementJson, type Job } from "../farm/job-builders.ts";

/** What every marked secret contains, and nothing else that a farm writes. */
export const markWord = "zq7Mark";

/** The forms in which a marked secret may be written: itself, and in base64 beside other text. */
export const markForms: readonly string[] = [
  markWord,
  ...[0, 1, 2].map((before) =>
    Buffer.from("#".repeat(before) + markWord)
      .toString("base64")
      .slice(before + 1, -3),
  ),
];

type Places = {
  /** A WAV file on the disk, and a folder for what jobs make. */
  readonly file: string;
  readonly folder: string;
  /** A server on loopback: `/media/` wants the password, `/ok` and `/broken` say back all that they got. */
  readonly server: string;
};
type Marks = (place: string) => string;
type Form = (mark: Marks, places: Places) => Job;

const tell = (payload: object, more: object = {}): ElementJson => ({ uid: "tell", kind: "notify", payload, ...more });
const retried = { retry: { count: 1, delay_sec: 0 } };

const rest = (mark: Marks, server: string, path: string) => ({
  rest: {
    url: `${server}${path}?room=${mark("query")}`,
    headers: { "X-Api-Key": mark("apiKey"), "X-Room": mark("header"), Authorization: `Bearer ${mark("bearer")}` },
    username: "user",
    password: mark("restPassword"),
    body: `{"job": {job_id}, "word": "${mark("body")}"}`,
  },
});

const aContainer = (mark: Marks, how: object): ElementJson => ({
  uid: "script",
  kind: "script",
  ...retried,
  payload: {
    kind: "docker",
    payload: {
      commands: [
        {
          docker_image: {
            image_urn: "docker.io/a/b:1",
            registry: { kind: "dockerhub", access: { username: "user", password: mark("registry") } },
          },
          env: { API_KEY: mark("env") },
          ...{ preserve_stdout: true, preserve_stderr: true },
          ...how,
        },
      ],
    },
  },
});

const remote = (url: string, access: object = {}): ElementJson => ({
  uid: "source",
  kind: "source",
  payload: { kind: "asset_url", payload: { storage_provider: url.split(":")[0], url, access } },
});

/** Jobs with a marked secret in every field that may hold one; most complete, some fail and are tried again. */
export const markedForms: Readonly<Record<string, Form>> = {
  "a notification": (mark, { file, folder, server }) =>
    aChain([aFileSource(file), aCopyTo(folder), tell(rest(mark, server, "/ok"))], { comment: mark("comment") }),
  "a notification that fails": (mark, { file, server }) =>
    aChain([aFileSource(file), tell(rest(mark, server, "/broken"), retried)]),
  "a queue and a topic": (mark, { file, server }) => {
    const aws_access = {
      basic_aws_credentials: {
        ...{ access_key_id: "AKIDEXAMPLE", secret_access_key: mark("awsSecret"), session_token: mark("awsToken") },
      },
    };
    const more = { aws_access, region: "eu-west-1", user_payload: mark("payload") };
    const topic = "arn:aws:sns:eu-west-1:123456789012:topic";
    return aChain([
      aFileSource(file),
      { ...tell({ notify_method: "sqs", sqs: { queue: `${server}/ok`, ...more } }), uid: "queue" },
      tell({ notify_method: "sns", sns: { topic, endpoint: `${server}/ok`, ...more } }),
    ]);
  },
  "a mail": (mark, { file }) =>
    aChain([
      aFileSource(file),
      tell({ notify_method: "email", email: { recipients: "a@farm.test", subject: "done", body: mark("mail") } }),
    ]),
  "a container": (mark, { file }) =>
    aChain([aFileSource(file), aContainer(mark, { args: ["tell", "0", mark("argument")] })]),
  "a container that fails": (mark, { file }) =>
    aChain([aFileSource(file), aContainer(mark, { args: ["tell", "1", `--token=${mark("flag")}`] })]),
  "a shell": (mark, { file }) =>
    aChain([aFileSource(file), aContainer(mark, { shell: `curl -u user:${mark("shell")} x` })]),
  "a password of storage": (mark, { folder, server }) =>
    aChain([
      remote(`${server}/media/a.wav`, { http: { username: "user", password: mark("httpPassword") } }),
      aCopyTo(folder),
    ]),
  "a token of storage": (mark, { folder, server }) =>
    aChain([remote(`${server}/media/b.wav`, { token: mark("httpToken") }), aCopyTo(folder)]),
  "a wrong password": (mark, { folder, server }) =>
    aChain([remote(`${server}/refused/a.wav`, { username: "user", password: mark("wrong") }), aCopyTo(folder)]),
  "keys of object storage": (mark, { folder, server }) =>
    aChain([
      remote("s3://bucket/a.wav", {
        s3: {
          access_key_id: "AKID",
          secret_access_key: mark("s3Secret"),
          session_token: mark("s3Token"),
          endpoint: server,
        },
      }),
      aCopyTo(folder),
    ]),
  "a password in an address": (mark, { folder, server }) =>
    aChain([remote(`${server.replace("//", `//user:${mark("address")}@`)}/media/d.wav`), aCopyTo(folder)]),
  "a signed address": (mark, { folder, server }) =>
    aChain([remote(`${server}/open/c.wav?X-Amz-Signature=${mark("signature")}`), aCopyTo(folder)]),
  "a password in an address that fails": (mark, { folder, server }) =>
    aChain([remote(`${server.replace("//", `//user:${mark("failing")}@`)}/refused/e.wav`), aCopyTo(folder)]),
  "a signed address that fails": (mark, { folder, server }) =>
    aChain([remote(`${server}/refused/f.wav?token=${mark("failingToken")}`), aCopyTo(folder)]),
  "a target with a password in its address": (mark, { file, server }) =>
    aChain([
      aFileSource(file),
      {
        uid: "copy",
        kind: "copy",
        payload: {
          target: {
            location: { storage_provider: "http", path: `${server.replace("//", `//user:${mark("target")}@`)}/put` },
            file_pattern: "a.wav",
            existing_files: "replace",
          },
        },
      },
    ]),
  "a folder with a password in its address": (mark, { folder, server }) => {
    const path = `${server.replace("//", `//user:${mark("folder")}@`)}/dav`;
    const payload = { source: { storage_provider: "http", path } };
    return aChain([{ uid: "all", kind: "folder_enum", payload }, aCopyTo(folder)]);
  },
  "definitions and user data": (mark, { file, folder }) =>
    aChain([aFileSource(file), aCopyTo(folder)], {
      definitions: { login: { password: mark("definition") } },
      user_data: { secret: mark("userData") },
      task: { comment: mark("taskComment") },
    } as Partial<Job>),
  "keys of media": (mark, { folder }) =>
    aChain([
      aFileSource("/nowhere/missing.mov"),
      {
        uid: "transcode",
        kind: "transcode",
        payload: {
          location: { storage_provider: "file", path: folder },
          targets: [
            {
              file_pattern: "a.mp4",
              container: { kind: "mp4", encryption: { type: "cenc", key_id: "0".repeat(32), key: mark("mediaKey") } },
            },
          ],
        },
      },
    ]),
  "a preset": (mark, { file }) => ({
    ...aChain([aFileSource(file), { uid: "copy", kind: "copy", preset: { key: "marked" }, payload: {} }]),
    comment: mark("comment"),
  }),
};

/** The preset that the last form uses. */
export const markedPreset = (mark: Marks, folder: string) => ({
  key: "marked",
  kind: "copy",
  payload: {
    target: {
      location: { storage_provider: "file", path: folder, access: { password: mark("presetPassword") } },
      file_pattern: "{source_name}",
    },
  },
  user_data: { token: "shown", password: mark("presetData") },
});
