import { expect, test } from "vitest";
import { secretsSentElsewhere, withStoredSecrets } from "../../../shared/credentials/bound-secrets.ts";
import { redact } from "../../../shared/credentials/redact.ts";

const access = { username: "u", password: "a password" };
const location = { storage_provider: "sftp", path: "sftp://host/out", access };
const rest = { url: "https://hooks.test/a?key=b", headers: { "X-Key": "a header" }, password: "pw", body: "a body" };
const given = { target: { location, file_pattern: "a" }, rest };

type Part = Record<string, unknown>;
const changed = (change: { location?: Part; access?: Part; rest?: Part; target?: Part }) => ({
  target: {
    ...given.target,
    ...change.target,
    location: { ...location, ...change.location, access: { ...access, ...change.access } },
  },
  rest: { ...rest, ...change.rest },
});

test.each<[string, Parameters<typeof changed>[0], readonly string[]]>([
  ["nothing", {}, []],
  ["another name of the file", { target: { file_pattern: "b" } }, []],
  ["another text for the same receiver", { rest: { body: "{}" } }, []],
  ["another server", { location: { path: "sftp://evil/out" } }, ["target.location.access"]],
  ["another folder of the server", { location: { path: "sftp://host/private" } }, ["target.location.access"]],
  ["another port in the access", { access: { port: 2222 } }, ["target.location.access"]],
  ["another server with a password of its own", { location: { path: "sftp://b/x" }, access: { password: "new" } }, []],
  ["another receiver", { rest: { url: "https://evil.test/" } }, ["rest.headers.X-Key", "rest.password", "rest.body"]],
  [
    "another path of the receiver",
    { rest: { url: "https://hooks.test/b?key=b" } },
    ["rest.headers.X-Key", "rest.password", "rest.body"],
  ],
])("a secret that is used by others stays with its address: %s", (_what, change, refused) => {
  expect(secretsSentElsewhere(given, changed(change))).toEqual(refused);
});

test("keys of media stay where they are published, whichever field says so", () => {
  const preset = { location: { path: "/out" }, targets: [{ container: { encryption: { type: "aes", key: "00ff" } } }] };
  expect(secretsSentElsewhere(preset, preset)).toEqual([]);
  expect(secretsSentElsewhere(preset, { ...preset, location: { path: "/mine" } })).toEqual([
    "targets.0.container.encryption.key",
  ]);
});

test.each([
  ["sftp://host/out/{{day}}", "sftp://host/out/monday", true],
  ["sftp://host/out/{{day}}", "sftp://host/out/../private", false],
  ["sftp://{{host}}/out", "sftp://evil/out", false],
  ["sftp://host{{host}}/out", "sftp://host.evil/out", false],
  ["{{place}}", "sftp://evil/out", false],
])("a definition completes %s to %s below what is written: %s", (path, filled, isFine) => {
  const secret = { location: { path, access } };
  expect(secretsSentElsewhere(secret, { location: { path: filled, access } })).toEqual(
    isFine ? [] : ["location.access"],
  );
});

test("a secret that the job itself puts in goes where the job says", () => {
  const template = { location: { path: "{{place}}", access: { username: "u", password: "{{word}}" } } };
  const filled = { location: { path: "sftp://mine/", access: { username: "u", password: "my own" } } };
  expect(secretsSentElsewhere(template, filled)).toEqual([]);
});

test("what is stored as it was read keeps its secrets", () => {
  expect(redact(given)).not.toEqual(given);
  expect(withStoredSecrets(given, redact(given))).toEqual({ made: given, refused: [] });
  const renamed = redact(changed({ target: { file_pattern: "b" } }));
  expect(withStoredSecrets(given, renamed)).toEqual({ made: changed({ target: { file_pattern: "b" } }), refused: [] });
});

test.each<[string, unknown, readonly string[]]>([
  ["another server", redact(changed({ location: { path: "sftp://evil/out" } })), ["target.location.access"]],
  [
    "another receiver",
    redact(changed({ rest: { url: "https://evil.test/" } })),
    ["rest.headers.X-Key", "rest.password", "rest.body"],
  ],
  ["a place where none was", { comment: "(hidden)" }, ["comment"]],
  ["a text that says more", { rest: { ...rest, url: "https://evil.test/?(hidden)" } }, ["rest.url"]],
])("a hidden secret is not stored for %s", (_what, received, refused) => {
  expect(withStoredSecrets(given, received).refused).toEqual(refused);
});
