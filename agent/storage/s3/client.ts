import { Agent as PlainAgent } from "node:http";
import { Agent as TlsAgent } from "node:https";
import { pipeline, Readable, Transform } from "node:stream";
import type { S3Client } from "@aws-sdk/client-s3";
import { getOrInsert } from "../../../shared/basics/get-or-insert.ts";
import { toRevealedJson } from "../../../shared/basics/secret.ts";
import type { CredentialOf } from "../../../shared/credentials/credentials.ts";
import { TaskError } from "../../../shared/model/failure.ts";
import type { Guard } from "../../outbound/guard.ts";
import { guarded } from "../../outbound/guarded-agent.ts";
import { trust } from "../http/request.ts";
import { noCredentials } from "../keys.ts";

/** The client library is large, so it is loaded when first needed. */
export const loadSdk = () => import("@aws-sdk/client-s3");
export type Sdk = Awaited<ReturnType<typeof loadSdk>>;

export type Connected = {
  readonly client: S3Client;
  readonly sdk: Sdk;
  /** Whether the bytes of uploads are part of their signatures. */
  readonly signsPayload: boolean;
};

/** One client per set of credentials. */
export const createClients = (guard: Guard) => {
  const clients = new Map<string, Promise<Connected>>();
  return (credential: CredentialOf<"s3"> | undefined, uri: string): Promise<Connected> => {
    if (!credential) throw noCredentials(uri);
    return getOrInsert(clients, toRevealedJson(credential), () => connect(credential, guard));
  };
};

const connect = async (credential: CredentialOf<"s3">, guard: Guard): Promise<Connected> => {
  const sdk = await loadSdk();
  const { endpoint, region, path_style, access_key_id, secret_access_key, session_token, ca } = credential;
  const { sign_payload: signsPayload = endpoint !== undefined && !/^https:/i.test(endpoint) } = credential;
  const client = new sdk.S3Client({
    region: region ?? "us-east-1",
    ...(endpoint !== undefined && { endpoint }),
    forcePathStyle: path_style ?? endpoint !== undefined,
    credentials: {
      accessKeyId: access_key_id,
      secretAccessKey: secret_access_key.reveal(),
      sessionToken: session_token?.reveal(),
    },
    // Services other than Amazon's do not support checksums after a body.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    followRegionRedirects: true,
    logger: silent, // our own errors say what went wrong
    requestHandler: {
      ...{ connectionTimeout: 10_000, socketTimeout: 60_000 },
      httpAgent: guarded(new PlainAgent({ keepAlive: true }), guard),
      httpsAgent: guarded(new TlsAgent({ keepAlive: true, ...trust(ca) }), guard),
    },
  });
  boundAnswers(client);
  return { client, sdk, signsPayload };
};

/** What a service may say at once, beside the bytes of a file: a page of the longest names that there are. */
const mostAnswerBytes = 16 * 1024 * 1024;

const boundAnswers = (client: S3Client): void => {
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const result = await next(args);
        const response = result.response as { readonly statusCode: number; body: unknown }; // of a request over HTTP
        const isFile = commandName === "GetObjectCommand" && response.statusCode < 300;
        if (!isFile && response.body instanceof Readable) response.body = upTo(mostAnswerBytes, response.body);
        return result;
      },
    // Inside of what parses the answer.
    { step: "deserialize", priority: "low", name: "boundAnswers" },
  );
};

const upTo = (most: number, body: Readable): Readable => {
  let size = 0;
  const counted = new Transform({
    transform: (part: Buffer, _, done) => {
      size += part.length;
      if (size > most) done(new TaskError("storage", `The service answers with more than ${most} bytes`));
      else done(null, part);
    },
  });
  return pipeline(body, counted, () => undefined); // an error reaches whoever reads
};

const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
