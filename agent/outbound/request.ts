import http from "node:http";
import https from "node:https";
import { isIP } from "node:net";
import type { Clock } from "../../shared/basics/clock.ts";
import { messageOf } from "../../shared/basics/errors.ts";
import { orAborted } from "../../shared/basics/or-aborted.ts";
import { definitionError, TaskError } from "../../shared/model/failure.ts";
import { redirectedRequest } from "../../shared/outbound/redirect.ts";
import type { Guard } from "./guard.ts";
import { retryAfterMs } from "./retry-after.ts";

export type OutboundRequest = {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly signal: AbortSignal;
};

export type OutboundAnswer = {
  readonly status: number;
  /** Its beginning, as text. */
  readonly body: string;
  readonly isCut: boolean;
  /** What the header Content-Type says; empty without one. */
  readonly type: string;
  /** The origin of the response, without the parts of the address that may be secret. */
  readonly from: string;
  readonly redirects: number;
  /** What the header Retry-After asks for; 0 without one. */
  readonly retryAfterMs: number;
};

/** The limits of one request, including all of its redirects. Without any, a redirect is an answer like others. */
export type OutboundLimits = { readonly timeMs: number; readonly answerBytes: number; readonly redirects: number };

export const usualLimits: OutboundLimits = { timeMs: 30_000, answerBytes: 16_384, redirects: 5 };

export type Send = (request: OutboundRequest) => Promise<OutboundAnswer>;

/** Sends requests to addresses that the guard allows, with limits on time and size; every redirect is checked again. */
export const createSend =
  (guard: Guard, clock: Clock, limits: OutboundLimits = usualLimits): Send =>
  async (request) => {
    const late = new AbortController();
    const stop = clock.after(limits.timeMs, () => late.abort());
    const signal = AbortSignal.any([request.signal, late.signal]);
    try {
      // Name resolution cannot be interrupted.
      return await orAborted(follow({ ...request, signal }, guard, limits), signal);
    } catch (error) {
      request.signal.throwIfAborted();
      if (!late.signal.aborted) throw error;
      throw new TaskError("receiver", `${shownUrl(request.url)} did not answer within ${limits.timeMs / 1000} s`);
    } finally {
      stop();
    }
  };

const follow = async (first: OutboundRequest, guard: Guard, limits: OutboundLimits): Promise<OutboundAnswer> => {
  let request = first;
  for (let redirects = 0; ; redirects++) {
    const { answer, location } = await exchange(request, guard, limits.answerBytes);
    const isFollowed = location !== undefined && limits.redirects > 0;
    const next = isFollowed ? redirectedRequest(request, answer.status, location) : undefined;
    if (next === undefined) return { ...answer, redirects };
    if (redirects >= limits.redirects) {
      throw new TaskError("receiver", `${shownUrl(first.url)} redirects more than ${limits.redirects} times`);
    }
    request = { ...request, ...next };
  }
};

type Exchange = { readonly answer: Omit<OutboundAnswer, "redirects">; readonly location: string | undefined };

const exchange = async (request: OutboundRequest, guard: Guard, most: number): Promise<Exchange> => {
  const url = readUrl(request.url);
  const isSecure = url.protocol === "https:";
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const port = Number(url.port || (isSecure ? 443 : 80));
  const address = await checked(guard, host, port);
  const { method, headers, body, signal } = request;
  const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
  const options: https.RequestOptions = {
    ...{ method, signal, host: address, port, path: `${url.pathname}${url.search}`, agent: false },
    headers: { ...headers, ...length, host: url.host, connection: "close" },
    ...(isSecure && !isIP(host) && { servername: host }),
  };
  try {
    const response = await begin(isSecure ? https.request(options) : http.request(options), body);
    const { text, isCut } = await read(response, most);
    const { "content-type": type = "", location } = response.headers;
    const about = { type, from: shownUrl(request.url), retryAfterMs: retryAfterMs(response.headers) };
    return { answer: { status: response.statusCode ?? 0, body: text, isCut, ...about }, location };
  } catch (error) {
    signal.throwIfAborted();
    throw new TaskError("receiver", `${shownUrl(request.url)}: ${inWords(error)}`);
  }
};

const checked = async (guard: Guard, host: string, port: number): Promise<string> => {
  try {
    return await guard.check(host, port);
  } catch (error) {
    if (error instanceof TaskError) throw error;
    throw new TaskError("receiver", `${host} cannot be found: ${messageOf(error)}`);
  }
};

const readUrl = (text: string): URL => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === "http:" || url?.protocol === "https:") return url;
  throw definitionError(`"${shownUrl(text)}" is no http or https address`);
};

const begin = (request: http.ClientRequest, body: string | undefined): Promise<http.IncomingMessage> =>
  new Promise((resolve, reject) => {
    request.once("response", resolve).on("error", reject);
    request.end(body);
  });

/** The beginning of a response; the rest is not read. */
const read = async (response: http.IncomingMessage, most: number): Promise<{ text: string; isCut: boolean }> => {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    parts.push(part);
    size += part.length;
    if (size > most) break; // leaving the loop closes the connection
  }
  return { text: Buffer.concat(parts).subarray(0, most).toString("utf8"), isCut: size > most };
};

const inWords = (error: unknown): string => {
  const message = messageOf(error);
  if (/aborted|socket hang up/.test(message)) return "the receiver closed the connection before its answer was whole";
  return message;
};

/** Queries and passwords in addresses may be secret. */
export const shownUrl = (text: string): string => {
  if (!URL.canParse(text)) return text.slice(0, 100).replace(/[?#].*$/s, "");
  const { protocol, host, pathname } = new URL(text);
  const whole = `${protocol}//${host}${pathname}`;
  // A part of a path could not be told from a path: whoever hides one would miss it.
  return whole.length > 500 ? `${protocol}//${host}/…` : whole;
};
