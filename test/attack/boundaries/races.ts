import { type Answer, aJob, password, type Try } from "./world.ts";

const races: Try[] = [
  [
    "races",
    "two owners remove each other",
    async ({ owner, personal, signIn }) => {
      await owner("POST", "/people", { name: "Zoe", password, role: "owner" });
      const zoe = personal({ cookie: (await signIn("Zoe")).cookie });
      await Promise.all([
        owner("PUT", "/people/Zoe", { role: "viewer" }),
        zoe("PUT", "/people/Olga", { role: "viewer" }),
      ]);
      const [a, b] = await Promise.all([owner("GET", "/people"), zoe("GET", "/people")]);
      const left = [a, b].filter(({ status }) => status === 200);
      // Whoever is left repairs it for the next attack.
      if (a.status !== 200 && b.status === 200) await zoe("PUT", "/people/Olga", { role: "owner" });
      await owner("DELETE", "/people/Zoe");
      return left.length === 0 && "no owner is left";
    },
  ],
  [
    "races",
    "the last owner steps down",
    async ({ owner }) => {
      const answers = [await owner("PUT", "/people/Olga", { role: "viewer" }), await owner("DELETE", "/people/Olga")];
      const { status } = await owner("GET", "/people");
      return (
        (status !== 200 || answers.some(({ status: each }) => each === 200)) && answers.map(({ text }) => text).join()
      );
    },
  ],
  [
    "races",
    "one person made twice",
    async ({ owner }) => {
      const made = await Promise.all(
        [1, 2, 3, 4].map((nr) =>
          owner("POST", "/people", { name: "Twin", password: `${password} ${nr}`, role: "viewer" }),
        ),
      );
      const count = made.filter(({ status }) => status === 200).length;
      await owner("DELETE", "/people/Twin");
      return count !== 1 && `${count} were made`;
    },
  ],
  [
    "races",
    "one submission sent twenty times",
    async ({ alice }) => {
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => alice("POST", "/jobs", aJob("raced"), { "idempotency-key": "raced" })),
      );
      const made = new Set(answers.flatMap(({ body }: Answer) => (body?.id ? [body.id] : [])));
      return made.size !== 1 && `${made.size} jobs`;
    },
  ],
  [
    "races",
    "stop, delete, retry, pause and update at once",
    async ({ alice }) => {
      const { body } = await alice("POST", "/jobs", aJob("torn"));
      const path = `/jobs/${body.id}`;
      const all = await Promise.all([
        alice("PUT", `${path}/stop`),
        alice("POST", `${path}/retry`),
        alice("PUT", `${path}/pause`),
        alice("PUT", path, { priority: 3 }),
        alice("PUT", `${path}/resume`),
        alice("DELETE", path),
        alice("POST", `${path}/retry`),
        alice("PUT", `${path}/stop`),
      ]);
      const odd = all.find(({ status }) => status >= 500);
      const after = await alice("GET", `${path}/info`);
      return odd?.text ?? (after.status !== 404 && `the deleted job is there: ${after.text}`);
    },
  ],
  [
    "races",
    "a preset deleted and put",
    async ({ alice }) => {
      const preset = { key: "torn", name: "torn", kind: "transcode", payload: {} };
      const all = await Promise.all(
        Array.from({ length: 20 }, (_, nr) =>
          nr % 2 ? alice("DELETE", "/presets/torn") : alice("POST", "/presets", preset),
        ),
      );
      return all.find(({ status }) => status >= 500)?.text;
    },
  ],
];

const hostileNames = [
  '"><script>alert(1)</script>',
  "a\r\nSet-Cookie: mediafarm_session=x",
  "\u202Egpj.exe",
  "=HYPERLINK(1)",
  "{{constructor}}",
  "$(id)",
  "'; DROP TABLE jobs; --",
];
const echoes: Try[] = hostileNames.flatMap((name): Try[] => [
  [
    "names that do something",
    `${JSON.stringify(name)} of a job`,
    async ({ alice, viewer }) => {
      const { body, status } = await alice("POST", "/jobs", aJob(name));
      if (status >= 500) return String(status);
      const answer = await viewer("GET", `/jobs/${body?.id}`);
      return (
        (answer.headers.get("set-cookie") !== null || !/json/.test(answer.headers.get("content-type") ?? "json")) &&
        "headers"
      );
    },
  ],
  [
    "names that do something",
    `${JSON.stringify(name)} in a path`,
    async ({ stranger }) => {
      const answer = await stranger("GET", `/ui/v1/${encodeURIComponent(name)}`);
      const type = answer.headers.get("content-type") ?? "";
      return (
        (answer.headers.get("set-cookie") !== null ||
          (type.includes("html") && answer.text.includes("<script>alert"))) &&
        answer.text.slice(0, 200)
      );
    },
  ],
]);

/** Requests at the same moment, and names that do something. */
export const racesTries: readonly Try[] = [...races, ...echoes];
