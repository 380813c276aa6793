import type { Socket } from "node:net";
import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { uiBase } from "../../../shared/api/ui/ui-api.ts";
import { AppError, errorCodes, messageOf } from "../../../shared/basics/errors.ts";
import { endWith } from "../../tls/first-byte.ts";
import { bodyLimit } from "../body.ts";

/** Bytes of a request's line and headers: 250 long values fit into a query. */
export const headLimit = 64 * 1024;

/** What is too much now, or not there now, is usually over by then. */
const retryAfterSeconds = 1;

/** Translates Fastify's own refusals; any other error is a bug and stays in the log. */
export const answerError = (request: FastifyRequest, reply: FastifyReply, problem: unknown): void => {
  const limit = request.routeOptions?.bodyLimit ?? bodyLimit;
  const known = problem instanceof AppError ? problem : translate(problem as Partial<FastifyError>, limit); // what hooks throw
  if (!known) request.log.error(problem);
  const told = known ?? new AppError("INTERNAL", "Internal error; the coordinator's log says more");
  const { status } = errorCodes[told.code];
  request.refusal = told.code;
  // Pages have their own form: the Basic header would open a useless browser dialog.
  if (status === 401 && !request.url.startsWith(uiBase)) reply.header("www-authenticate", 'Basic realm="mediafarm"');
  const success = request.routeOptions?.config.saysSuccessAsText ? "false" : false;
  if (told.code === "TOO_LARGE") dropRest(request, reply);
  if (status === 429 || status === 503) reply.header("retry-after", retryAfterSeconds);
  reply.header("x-request-id", request.id);
  // A route may have allowed caching; a browser that tries again must not get this error from its cache.
  reply.header("cache-control", "no-store");
  reply.code(status).send({ ...errorBody(told), success });
};

/** Many clients send their whole body before they read: a closed connection would cost them the answer. */
const dropRest = (request: FastifyRequest, reply: FastifyReply): void => {
  reply.removeHeader("connection");
  request.raw.resume();
};

/** Fastify does not answer here: there is no request, only invalid bytes. */
export const answerNoHttp = (problem: Error, socket: Socket): void => {
  if (!socket.writable) return void socket.destroy(problem);
  const isLong = (problem as NodeJS.ErrnoException).code === "HPE_HEADER_OVERFLOW"; // Node's parser says so
  const told = isLong
    ? new AppError("TOO_LARGE", `The request's line and headers are longer than ${headLimit} bytes`)
    : new AppError("VALIDATION_FAILED", "This is not a valid HTTP request");
  endWith(socket, isLong ? "413 Payload Too Large" : "400 Bad Request", errorBody(told));
};

const errorBody = ({ code, message, details }: AppError) => ({ success: false, error: code, message, details });

const translate = (problem: Partial<FastifyError>, limit: number): AppError | undefined => {
  const status = problem.statusCode ?? 500;
  if (problem.code === "FST_ERR_MAX_PARAM_LENGTH")
    return new AppError("NOT_FOUND", "There is nothing with so long a name");
  if (status === 413) return new AppError("TOO_LARGE", `The body is larger than ${limit} bytes`);
  if (status === 415) return new AppError("UNSUPPORTED_MEDIA_TYPE", messageOf(problem));
  if (problem instanceof SyntaxError || problem.code === "FST_ERR_CTP_INVALID_JSON_BODY") {
    return new AppError("INVALID_JSON", `The body is not JSON: ${messageOf(problem)}`);
  }
  return status < 500 ? new AppError("VALIDATION_FAILED", messageOf(problem)) : undefined;
};
