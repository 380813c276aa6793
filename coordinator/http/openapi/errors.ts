import { submissionHeaders } from "../../../shared/api/idempotency.ts";
import type { Route } from "../../../shared/api/route.ts";
import { type ErrorCode, errorCodes } from "../../../shared/basics/errors.ts";
import type { Right } from "../../../shared/rights/rights.ts";

type Json = { readonly [key: string]: unknown };

/** A status that an operation may answer, by the name of its response; texts: for clients that read `success` as a text. */
const namesByStatus: Readonly<Record<number, string>> = {
  400: "BadRequest",
  401: "NotAuthenticated",
  403: "NotAllowed",
  404: "NotFound",
  405: "MethodNotAllowed",
  409: "Conflict",
  413: "TooLarge",
  415: "UnsupportedMediaType",
  422: "Unprocessable",
  429: "TooMany",
};

type ErrorForm = "Error" | "TextError";
const nameOf = (status: number, form: ErrorForm): string =>
  `${form === "TextError" ? "Text" : ""}${namesByStatus[status]}`;

/** All responses that refuse something, by name. */
export const errorResponses = (): Json =>
  Object.fromEntries(
    (["Error", "TextError"] as const).flatMap((form) => [
      [form, responseOf(form, Object.keys(errorCodes) as ErrorCode[])], // the table's own names
      ...Object.keys(namesByStatus).map((status) => {
        const codes = Object.entries(errorCodes).filter(([, code]) => code.status === Number(status));
        return [nameOf(Number(status), form), responseOf(form, codes.map(([code]) => code) as ErrorCode[])];
      }),
    ]),
  );

const responseOf = (form: ErrorForm, codes: readonly ErrorCode[]): Json => ({
  description: codes.map((code) => `${errorCodes[code].status} ${code}: ${errorCodes[code].means}.`).join(" "),
  headers: {
    "X-Request-Id": { $ref: "#/components/headers/RequestId" },
    ...(codes.some((code) => [429, 503].includes(errorCodes[code].status)) && {
      "Retry-After": { $ref: "#/components/headers/RetryAfter" },
    }),
  },
  content: { "application/json": { schema: { $ref: `#/components/schemas/${form}` } } },
});

/** The refusals of these statuses, and those that everything may answer when the farm is in trouble. */
export const refusals = (statuses: readonly number[], form: ErrorForm = "Error"): Json => ({
  ...Object.fromEntries(statuses.map((status) => [status, { $ref: `#/components/responses/${nameOf(status, form)}` }])),
  default: { $ref: `#/components/responses/${form}` },
});

/** What a route may answer to mistakes of its caller. */
export const statusesOf = (route: Route, { program }: Pick<Right, "program">, hasBody: boolean): readonly number[] => {
  const { access, path, method } = route;
  if (access === "open") return [];
  const isChange = method !== "GET";
  return [
    ...[400, 401],
    ...(program === "any" || program === "pair" || program === "stranger" ? [] : [403]),
    ...(path.includes("{") || isChange ? [404] : []),
    ...(isChange ? [409] : []),
    ...(hasBody ? [413, 415] : []),
    ...(route.headers === submissionHeaders ? [422] : []),
    429,
  ];
};
