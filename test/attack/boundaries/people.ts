import { aJob, password, type Try, unless } from "./world.ts";

const asViewer: Try[] = (
  [
    ["POST", "/people", { name: "eve", password, role: "owner" }],
    ["PUT", "/people/Vera", { role: "owner" }],
    ["POST", "/people/Olga/reset"],
    ["GET", "/people"],
    ["GET", "/account"],
    ["POST", "/account/oapi", { password }],
    ["GET", "/api-users"],
    ["POST", "/api-users", { name: "x" }],
    ["GET", "/join-token"],
    ["PUT", "/join-token"],
    ["POST", "/join-tokens", { name: "x" }],
    ["GET", "/credentials"],
    ["POST", "/credential-tests", { uri: "file:///etc", kind: "http" }],
    ["PUT", "/retention", {}],
    ["POST", "/jobs", aJob("x")],
    ["DELETE", "/nodes/1"],
    ["POST", "/outbound", { add: ["public"] }],
    ["POST", "/mounts", { set: [] }],
    ["DELETE", "/people/Olga"],
    ["PUT", "/limits", { items: [] }],
    ["POST", "/jobs/actions", { action: "delete", ids: ["1"] }],
  ] as const
)
  .flatMap(([method, path, body]) => [["viewer", path, method, body] as const])
  .map(([who, path, method, body]) => [
    "viewer: beyond the role",
    `${method} ${path}`,
    async (world) => unless(await world[who](method, path, body), 400, 403, 404),
  ]);

const asOperator: Try[] = (
  [
    ["POST", "/people", { name: "eve", password, role: "owner" }],
    ["PUT", "/people/Otto", { role: "owner" }],
    ["POST", "/people/Olga/reset"],
    ["POST", "/account/oapi", { password }],
    ["POST", "/api-users", { name: "x", scopes: ["vault"], reach: "all" }],
    ["GET", "/join-token"],
    ["POST", "/join-tokens", { name: "x" }],
    ["DELETE", "/people/Olga"],
    ["POST", "/outbound", { add: ["public"] }],
    ["POST", "/mounts", { set: [] }],
    ["PUT", "/retention", {}],
  ] as const
).map(([method, path, body]) => [
  "operator: beyond the role",
  `${method} ${path}`,
  async ({ operator }) => unless(await operator(method, path, body), 400, 403, 404),
]);

const names = [
  "olga",
  " Olga",
  "OLGA",
  "Ｏlga",
  "Olga\u200b",
  "O\u006c\u0301ga".normalize("NFD"),
  "Olga\u00a0",
  "Оlga",
  "ｏｌｇａ",
  "Olga\u202e",
  "\u202eaglO",
  "this machine",
  "person 1",
  "..",
  ".",
  "a/b",
  "a\nb",
  "__proto__",
  "x".repeat(101),
];
const lookAlikes: Try[] = names.map((name) => [
  "people: names",
  JSON.stringify(name),
  async ({ owner, signIn }) => {
    const made = await owner("POST", "/people", { name, password: "another password", role: "viewer" });
    if (made.status >= 500) return made.text;
    // Olga's password opens Olga's account and nobody else's, and the new one's opens no owner's.
    const entered = await signIn(name, "another password");
    const isOwner = entered.answer.status === 200 && entered.answer.body.role === "owner";
    if (made.status === 200) await owner("DELETE", `/people/${encodeURIComponent(made.body.name)}`);
    return isOwner && "it opens the owner's account";
  },
]);

/** What people try beyond their role, and names that look alike. */
export const peopleTries: readonly Try[] = [...asViewer, ...asOperator, ...lookAlikes];
