import { codeAt, stepAt } from "../../../coordinator/second-steps/one-time-passwords.ts";
import { Secret } from "../../../shared/basics/secret.ts";
import { fromOwnPages, goodPassword, type TestDoors } from "../../helpers/farm/doors.ts";

/** The farm as passkeys need it. */
export const secure = { origin: "http://localhost:8700", host: "localhost:8700" };

/** A browser with its cookies, at one address of the farm. */
export const openBrowser = (doors: () => TestDoors, headers: { origin: string; host: string } = secure) => {
  const cookies = new Map<string, string>();
  const request = async (method: "GET" | "POST" | "PUT" | "DELETE", path: string, payload?: object) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await doors().inject({
      ...{ method, url: `/ui/v1${path}`, headers: { ...fromOwnPages, ...headers, cookie } },
      ...(payload && { payload }),
    });
    for (const each of [response.headers["set-cookie"] ?? []].flat()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(each) ?? [];
      if (value === "") cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  };
  return {
    cookies,
    request,
    signIn: (name = "Ada", password = goodPassword) => request("POST", "/session", { name, password }),
    /** Who is signed in here; undefined: nobody. */
    who: async (): Promise<string | undefined> => (await request("GET", "/session")).body.name,
    /** Sets up codes; gives their secret and the recovery codes. */
    setUpCodes: async (password: string | undefined = goodPassword) => {
      const { body } = await request("POST", "/second-steps/codes", { password });
      const code = codeAt(new Secret(body.secret), stepAt(doors().clock.now()));
      const { status, body: made } = await request("PUT", "/second-steps/codes", { one_time_code: code });
      if (status !== 200) throw new Error(`codes were not confirmed: ${made.message}`);
      return { secret: new Secret(body.secret), code, recovery: made.recovery as string[] };
    },
  };
};
export type TestBrowser = ReturnType<typeof openBrowser>;
