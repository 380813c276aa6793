import { uiBase } from "../../../shared/api/ui/ui-api.ts";
import { password, type Try, unless } from "./world.ts";

/** Sessions and keys that should have ended. */
export const sessions: readonly Try[] = [
  [
    "session",
    "one that was chosen before",
    async ({ ask, origin, json, sessionCookie }) => {
      const headers = { ...json, origin, cookie: `${sessionCookie}=chosen-by-the-attacker` };
      const answer = await ask("POST", `${uiBase}/session`, { name: "Vera", password }, headers);
      const made = answer.headers.get("set-cookie") ?? "";
      const before = await ask("GET", `${uiBase}/session`, undefined, headers);
      return (made.includes("chosen-by") || before.status === 200) && made;
    },
  ],
  [
    "session",
    "after signing out",
    async ({ signIn, personal }) => {
      const { cookie } = await signIn("Vera");
      await personal({ cookie })("DELETE", "/session");
      return unless(await personal({ cookie })("GET", "/session"), 401);
    },
  ],
  [
    "session",
    "after its person was let go",
    async ({ person, owner }) => {
      const gone = await person("Gone", "operator");
      await owner("DELETE", "/people/Gone");
      return unless(await gone("GET", "/session"), 401);
    },
  ],
  [
    "session",
    "of a person who comes back by the same name",
    async ({ person, owner }) => {
      const gone = await person("Again", "owner");
      await owner("DELETE", "/people/Again");
      await person("Again", "viewer");
      return unless(await gone("GET", "/people"), 401, 403);
    },
  ],
  [
    "session",
    "after another password was set",
    async ({ person, owner }) => {
      const old = await person("Changed", "operator");
      await owner("PUT", "/people/Changed", { password: "quite another one" });
      return unless(await old("GET", "/session"), 401);
    },
  ],
  [
    "session",
    "with the role from before",
    async ({ person, owner }) => {
      const was = await person("Lowered", "owner");
      await owner("PUT", "/people/Lowered", { role: "viewer" });
      return unless(await was("GET", "/people"), 401, 403);
    },
  ],
  [
    "session",
    "a one-time code twice",
    async ({ owner, personal, person }) => {
      await person("Reset", "viewer");
      const { body } = await owner("POST", "/people/Reset/reset");
      const tries = await Promise.all(
        [1, 2, 3, 4].map((nr) =>
          personal({})("POST", "/reset-session", { code: body.code, password: `a new password ${nr}` }),
        ),
      );
      const let_in = tries.filter(({ status }) => status === 200).length;
      return let_in > 1 && `${let_in} times`;
    },
  ],
  [
    "session",
    "the first owner's code once more",
    async ({ personal, farm }) => {
      const code = /code=(.*)$/.exec(farm.secrets.first_sign_in_url ?? "")?.[1] ?? "";
      return unless(
        await personal({})("POST", "/first-session", { code, name: "Second", password }),
        400,
        401,
        403,
        404,
        409,
      );
    },
  ],
  [
    "keys",
    "a revoked program's token",
    async ({ userOf, programOf, owner }) => {
      const user = await userOf("revoked", {});
      const program = await programOf({ auth_key: user.auth_key, auth_secret: user.auth_secret });
      await owner("DELETE", `/api-users/${user.auth_key}`);
      return unless(await program("GET", "/jobs/info"), 401, 403);
    },
  ],
  [
    "keys",
    "a revoked program's secret, after one of the same name was made",
    async ({ userOf, owner, ask, pair }) => {
      const user = await userOf("phoenix", {});
      await owner("DELETE", `/api-users/${user.auth_key}`);
      await userOf("phoenix", {});
      return unless(
        await ask("POST", "/v1/login", { auth_key: user.auth_key, auth_secret: user.auth_secret }, pair),
        401,
        403,
      );
    },
  ],
  [
    "keys",
    "secrets that are no texts",
    async ({ ask, pair, aliceUser }) => {
      for (const auth_secret of [null, true, {}, [], { length: 1 }, [aliceUser.auth_secret]]) {
        const answer = await ask("POST", "/v1/login", { auth_key: aliceUser.auth_key, auth_secret }, pair);
        if (answer.status === 200 || answer.status >= 500) return answer.text;
      }
      return undefined;
    },
  ],
  [
    "keys",
    "a join token of one use, many at once",
    async ({ owner, farm }) => {
      void farm;
      const made = await owner("POST", "/join-tokens", { name: "one", uses: 1, hours: null, approval: false });
      if (made.status !== 200) return made.text;
      const joined = await joinMany(made.body.join_token, 12);
      return joined > 1 && `${joined} nodes joined`;
    },
  ],
];

const joinMany = async (token: string, count: number): Promise<number> => {
  const { WebSocket } = await import("ws");
  const { decodeJoinToken } = await import("../../../shared/credentials/join-token.ts");
  const { aHello } = await import("./hello.ts");
  const one = () =>
    new Promise<boolean>((resolve) => {
      const socket = new WebSocket(decodeJoinToken(token).url);
      socket.on("open", () => socket.send(JSON.stringify(aHello(token))));
      socket.on("message", (data) => {
        resolve(JSON.parse(String(data)).type === "welcome");
        socket.terminate();
      });
      socket.on("close", () => resolve(false));
      socket.on("error", () => resolve(false));
    });
  return (await Promise.all(Array.from({ length: count }, one))).filter(Boolean).length;
};
