import { refusals } from "./errors.ts";

type Json = { readonly [key: string]: unknown };

const bytes: Json = { "application/octet-stream": { schema: { type: "string", format: "binary" } } };

const inPath = (name: string): Json => ({ name, in: "path", required: true, schema: { type: "string" } });

const inHeader = (name: string, description: string): Json => ({
  ...{ name, in: "header", required: false, description },
  schema: { type: "string" },
});

const answers = (refused: readonly number[]): Json => ({
  "200": { description: "The whole file", content: bytes },
  "206": { description: "The range that was asked", content: bytes },
  "304": { description: "If-None-Match names the file as it is" },
  "416": { description: "The range begins after the end of the file" },
  ...refusals(refused),
});

const rangeHeaders: readonly Json[] = [
  inHeader("Range", "One range of bytes, such as bytes=1000-"),
  inHeader("If-Range", "The ETag of what is there already: without a match, the whole file is sent"),
];

/** Answers that are the bytes of a file. */
export const filePaths: Readonly<Record<string, Record<string, Json>>> = {
  "/v1/tasks/{task_id}/outputs/{position}": {
    get: {
      operationId: "readOutput",
      summary: "The bytes of an output file, or a range of them",
      description:
        "Task and position stand in the list of outputs. Repr-Digest has the SHA-256 of the whole file, if known.",
      tags: ["tasks"],
      security: [{ account: [], token: [] }],
      parameters: [inPath("task_id"), inPath("position"), ...rangeHeaders],
      responses: answers([400, 401, 403, 404, 409, 429]),
    },
  },
  "/v1/media/{token}/{name}": {
    get: {
      operationId: "readLinkedOutput",
      summary: "The same by a signed address, without credentials, until it expires",
      description: "The address is the path in the answer of linkOutput.",
      tags: ["media"],
      security: [],
      parameters: [inPath("token"), inPath("name"), ...rangeHeaders],
      responses: answers([400, 401, 403, 404, 409]),
    },
  },
};
