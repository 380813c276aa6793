import { systemClock } from "../../../shared/basics/system-clock.ts";
import type { GivenIdentityProvider } from "../../../shared/people/identity.ts";
import { fromOwnPages, openTestDoors, type TestDoors } from "./doors.ts";
import { clientId, clientSecret, startIdentityProvider } from "./identity-provider.ts";

/** The cookies of a browser. */
export type Browser = Map<string, string>;
type Method = "POST" | "PUT" | "GET" | "DELETE";

/** Requests of the pages, with the cookies of a browser, which keeps those that it gets. */
export const requestsTo =
  (doors: Pick<TestDoors, "inject">) => async (browser: Browser, method: Method, path: string, payload?: object) => {
    const cookie = [...browser].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { ...fromOwnPages, cookie };
    const response = await doors.inject({ method, url: `/ui/v1${path}`, headers, ...(payload && { payload }) });
    for (const each of [response.headers["set-cookie"] ?? []].flat()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(each) ?? [];
      if (value === "") browser.delete(name);
      else browser.set(name, value);
    }
    return response;
  };

export type IdentityStory = Awaited<ReturnType<typeof openIdentityStory>>;

/** A farm with an owner, Root, at whose provider `studio` people sign in; its clock is moved on by what passes. */
export const openIdentityStory = async (folder: string) => {
  const provider = await startIdentityProvider("http://farm.test");
  const doors = await openTestDoors(folder, { askOutside: provider.ask });
  doors.clock.jump(systemClock.now() - doors.clock.now());
  let seen = systemClock.now();
  const root: Browser = new Map([["mediafarm_session", await doors.enter("owner", "Root")]]);

  const request = requestsTo(doors);
  const studio = (changes: Partial<GivenIdentityProvider> = {}): GivenIdentityProvider => ({
    ...{ name: "studio", issuer: provider.issuer, client_id: clientId, client_secret: clientSecret },
    ...{ scopes: ["openid", "profile"], roles: { owner: ["admins"], operator: ["editors"], viewer: ["staff"] } },
    ...changes,
  });
  const put = (changes: Partial<GivenIdentityProvider> = {}) =>
    request(root, "POST", "/identity/providers", studio(changes));
  /** The provider's time is the machine's, and the farm's stands still. */
  const keepUp = (): void => {
    const now = systemClock.now();
    doors.clock.jump(now - seen);
    seen = now;
  };
  const visit = (address: string, who: string, there?: Browser) => {
    keepUp();
    return provider.visit(address, who, there);
  };
  /** The whole way of somebody through the provider; `there`: the browser's cookies of the provider. */
  const signInAt = async (who: string, browser: Browser = new Map(), there?: Browser) => {
    const { body } = await request(browser, "POST", "/sign-ins/studio", {});
    const url = await visit(body.go_to, who, there);
    return request(browser, "PUT", "/sign-ins/studio", answerIn(url));
  };

  return {
    ...{ doors, provider, root, request, studio, put, keepUp, visit, signInAt },
    /** Somebody with a password, signed in with it. */
    withPassword: async (role: "owner" | "operator" | "viewer", name: string): Promise<Browser> =>
      new Map([["mediafarm_session", await doors.enter(role, name)]]),
    close: async () => {
      await doors.close();
      await provider.close();
    },
  };
};

/** What the page sends on of where the provider sent the browser. */
export const answerIn = (url: URL) => {
  const { state = "", ...answer }: Record<string, string> = Object.fromEntries(url.searchParams);
  return { ...answer, oauth_state: state };
};
