import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import type { MadePasskey, PasskeyQuestion, PasskeyWish } from "../../../shared/people/second-steps.ts";

type Made = {
  readonly id: Buffer;
  readonly user: string;
  readonly key: KeyObject;
  readonly host: string;
  count: number;
};

/** How an answer may be wrong. */
export type Odd = {
  readonly origin?: string;
  readonly host?: string;
  readonly challenge?: string;
  readonly isUnlocked?: boolean;
  readonly user?: string | null;
  readonly type?: string;
};

const hashOf = (text: string | Buffer) => createHash("sha256").update(text).digest();
const base64 = (bytes: Buffer) => bytes.toString("base64url");

/** CBOR (RFC 8949) of what authenticators write: whole numbers, bytes, texts and maps. */
const cbor = (value: number | string | Buffer | ReadonlyMap<number | string, unknown>): Buffer => {
  const head = (major: number, n: number): Buffer =>
    n < 24
      ? Buffer.from([(major << 5) | n])
      : n < 256
        ? Buffer.from([(major << 5) | 24, n])
        : Buffer.from([(major << 5) | 25, n >> 8, n & 255]);
  if (typeof value === "number") return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === "string") return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  const map = value as ReadonlyMap<number | string, string>; // the last of the kinds
  return Buffer.concat([head(5, map.size), ...[...map].flatMap(([key, each]) => [cbor(key), cbor(each)])]);
};

/** An authenticator in software, which does as it is told, also what real ones refuse. */
export const createAuthenticator = (origin: string) => {
  const kept: Made[] = [];
  let next = 1;
  const clientData = (type: string, challenge: string, odd: Odd): Buffer =>
    Buffer.from(
      JSON.stringify({
        type: odd.type ?? type,
        challenge: odd.challenge ?? challenge,
        origin: odd.origin ?? origin,
        crossOrigin: false,
      }),
    );
  const dataOf = (host: string, count: number, { isUnlocked = true }: Odd, more = Buffer.alloc(0)): Buffer => {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(count);
    const flags = 1 | (isUnlocked ? 4 : 0) | (more.length > 0 ? 64 : 0);
    return Buffer.concat([hashOf(host), Buffer.from([flags]), counter, more]);
  };
  return {
    kept,
    /** What the next answer says its count is. */
    setCount: (count: number): void => {
      next = count;
    },
    make: (wish: PasskeyWish, name = "laptop", odd: Odd = {}): MadePasskey => {
      const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
      const { x = "", y = "" } = publicKey.export({ format: "jwk" });
      const id = randomBytes(16);
      const host = odd.host ?? wish.rp.id;
      const cose = cbor(
        new Map<number, unknown>([
          ...([
            [1, 2],
            [3, -7],
            [-1, 1],
          ] as const),
          ...([
            [-2, Buffer.from(x, "base64url")],
            [-3, Buffer.from(y, "base64url")],
          ] as const),
        ]),
      );
      const length = Buffer.from([0, id.length]);
      const data = dataOf(host, 0, odd, Buffer.concat([Buffer.alloc(16), length, id, cose]));
      const attestation = cbor(
        new Map<string, unknown>([
          ["fmt", "none"],
          ["attStmt", new Map()],
          ["authData", data],
        ]),
      );
      kept.push({ id, user: wish.user.id, key: privateKey, host, count: 0 });
      const client = clientData("webauthn.create", wish.challenge, odd);
      return {
        name,
        id: base64(id),
        client_data: base64(client),
        attestation: base64(attestation),
        transports: ["internal"],
      };
    },
    /** With the passkey made last, or another one. */
    use: ({ challenge, rpId }: PasskeyQuestion, made = kept.at(-1) as Made, odd: Odd = {}) => {
      const client = clientData("webauthn.get", challenge, odd);
      const data = dataOf(odd.host ?? rpId, next, odd);
      next += next > 0 ? 1 : 0;
      const signature = sign("sha256", Buffer.concat([data, hashOf(client)]), made.key);
      return {
        ...{ id: base64(made.id), client_data: base64(client), authenticator_data: base64(data) },
        ...{ signature: base64(signature), user: odd.user === undefined ? made.user : odd.user },
      };
    },
  };
};
