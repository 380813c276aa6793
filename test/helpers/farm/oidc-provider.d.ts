/** As much of the package as tests use: it has no types of its own. */
declare module "oidc-provider" {
  import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";

  export type Account = {
    readonly accountId: string;
    readonly claims: () => Promise<{ readonly sub: string; readonly [claim: string]: unknown }>;
  };
  export type Grant = { addOIDCScope(scope: string): void; save(): Promise<string> };
  export type Context = {
    readonly oidc: {
      readonly client?: { readonly clientId: string };
      readonly session?: { readonly accountId?: string };
      readonly provider: { readonly Grant: new (of: { clientId: string; accountId: string }) => Grant };
    };
  };
  /** Keeps what a model has to keep, by its id. */
  export type Adapter = {
    upsert(id: string, payload: Payload): Promise<void>;
    find(id: string): Promise<Payload | undefined>;
    findByUid(uid: string): Promise<Payload | undefined>;
    findByUserCode(code: string): Promise<Payload | undefined>;
    consume(id: string): Promise<void>;
    destroy(id: string): Promise<void>;
    revokeByGrantId(grantId: string): Promise<void>;
  };
  export type Payload = { readonly uid?: string; readonly grantId?: string; readonly consumed?: number };
  export type Settings = {
    readonly adapter: (model: string) => Adapter;
    readonly clients: readonly object[];
    readonly claims: Readonly<Record<string, readonly string[]>>;
    readonly features: object;
    readonly pkce: { readonly required: () => boolean };
    /** Seconds. */
    readonly ttl: Readonly<Record<string, number>>;
    readonly cookies: { readonly keys: readonly string[] };
    readonly jwks: { readonly keys: readonly object[] };
    readonly interactions: { readonly url: (context: Context, interaction: { readonly uid: string }) => string };
    readonly findAccount: (context: Context, id: string) => Account;
    /** By which it asks others, such as clients that it tells of sign-outs. */
    readonly fetch: (url: string, options: { readonly method: string; readonly body?: unknown }) => Promise<Response>;
    readonly loadExistingGrant: (context: Context) => Promise<Grant>;
  };
  export class Provider {
    constructor(issuer: string, settings: Settings);
    on(event: "server_error", heard: () => void): this;
    callback(): RequestListener;
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>;
  }
}
