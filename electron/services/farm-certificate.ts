import { X509Certificate } from "node:crypto";
import { request } from "node:https";
import type { Duplex } from "node:stream";
import { pinProblem } from "../../agent/session/pinned.ts";
import { connectPinned } from "../../agent/session/secure-socket.ts";
import { decodeJoinToken } from "../../shared/credentials/join-token.ts";
import type { Settings } from "../desktop/settings.ts";

/** The farm whose TLS authority is pinned: the one that this computer joined with a token. */
export type PinnedFarm = { readonly host: string; readonly pins: readonly string[] };

export const pinnedFarm = ({ farm }: Pick<Settings, "farm">): PinnedFarm | undefined => {
  if (farm.mode !== "node") return undefined;
  const { url, pins = [] } = decodeJoinToken(farm.joinToken);
  return pins.length === 0 ? undefined : { host: new URL(url).hostname.replace(/^\[|\]$/g, ""), pins };
};

/** Whether the window may show a server's pages; undefined if Chromium decides. `chain`: PEM, the server's own first. */
export const mayShow = (
  host: string,
  chain: readonly string[],
  farm: PinnedFarm | undefined,
  now: number,
): boolean | undefined => {
  if (!farm || host.replace(/^\[|\]$/g, "") !== farm.host) return undefined;
  try {
    const certificates = chain.map((pem) => new X509Certificate(pem));
    return pinProblem(certificates, farm, now) === undefined;
  } catch {
    return false; // not a certificate
  }
};

/**
 * `fetch` for the farm. Over pinned TLS it only asks with GET whether the server answers: it sends nothing to another
 * server, and its responses have no body.
 */
export const fetchFromFarm =
  (send: typeof fetch, farm: () => PinnedFarm | undefined, now: () => number): typeof fetch =>
  (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const pinned = farm();
    if (url.protocol !== "https:" || !pinned) return send(input, init);
    const open = connectPinned(pinned.pins, now);
    const port = Number(url.port) || 443;
    // The types allow only a returned connection; Node also accepts one passed to the callback.
    const createConnection = (_: object, opened: (problem: Error | null, socket: Duplex) => void) =>
      void open({ host: pinned.host, port }, opened) as unknown as Duplex;
    return new Promise((resolve, reject) => {
      request(url, { createConnection, ...(init.signal && { signal: init.signal }) }, (response) => {
        response.resume();
        resolve(new Response(null, { status: response.statusCode ?? 500 }));
      })
        .on("error", reject)
        .end();
    });
  };
