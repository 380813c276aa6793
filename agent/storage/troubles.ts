import type { Cause } from "../../shared/model/failure.ts";

/** `isPassing`: a retry may succeed soon. */
type Words = readonly [cause: Cause, what: string, advice: string, isPassing?: boolean];

const giveRight = "give the right ones in the job's access or in the vault";
const checkServer = "check that the server runs, and its address and port";
const tryLater = "retry the task later, and check the server if it goes on";
const setCa = "set the certificate of its issuer as ca in the credentials";
const seeLog = "it may have no space left: look into its log";
const renew = "its owner must renew it";

/** What goes wrong with storage of any kind: the cause, what happened, and what people can do about it. */
export const failures = {
  login: ["definition", "the server refuses the user name or password", giveRight],
  accessKey: ["definition", "the service refuses the access key or its secret", giveRight],
  sshLogin: ["definition", "the server refuses the user name, password or key", giveRight],
  privateKey: ["definition", "the private key cannot be read, or its passphrase is wrong", giveRight],
  noUser: ["definition", "no user name is given for it", giveRight],
  expiredToken: ["definition", "the session token has expired", "store a new one"],
  badToken: ["definition", "the service refuses the session token", "store a new one"],
  denied: ["storage", "the server refuses access", "give this user the permission there, or use other credentials"],
  deniedOrKey: [
    "storage",
    "the service refuses access, or the key and its secret",
    "check both the credentials and what they are allowed to do",
  ],
  missing: ["source", "no such file", "check the address, and whether somebody removed the file"],
  missingOrDenied: [
    "storage",
    "the server has no such file or folder, or refuses access to it",
    "check the address, and this user's permissions",
  ],
  noBucket: ["definition", "there is no such bucket", "create it, or correct the address"],
  archived: ["capability", "the object is archived", "restore it first"],
  full: ["storage", "the server has no space left", "make room there, or choose another target"],
  mayBeFull: ["storage", "the server could not store the file", seeLog],
  notStored: ["storage", "the server could not store the file", seeLog, true],
  stuck: ["storage", "the server ends the transfer at the same byte each time", seeLog],
  tooLarge: ["storage", "the file is too large for the server", "raise the server's limit"],
  inUse: ["storage", "the file is in use", tryLater, true],
  unsupported: ["capability", "the server does not support this", "choose another storage"],
  region: ["definition", "the bucket is in another region", "set the region in the credentials"],
  skewedClock: ["machine", "the clock of this node is wrong", "set it"],
  failing: ["storage", "the server could not complete the request", tryLater, true],
  crowded: ["storage", "the server accepts no more connections now", tryLater, true],
  notThere: ["storage", "nothing answers there", checkServer, true],
  broken: ["storage", "the connection broke off", tryLater, true],
  silent: ["storage", "it did not answer in time", checkServer, true],
  unreachable: ["storage", "this node cannot reach it", "check the network between them", true],
  lookup: ["storage", "its name cannot be looked up now", tryLater, true],
  noHost: ["storage", "no host has this name", "correct the address"],
  certificate: ["storage", "this node does not trust its certificate", setCa],
  expired: ["storage", "its certificate has expired", renew],
  notYetValid: ["storage", "its certificate is not valid yet", "check this node's clock"],
  otherHost: ["storage", "its certificate is for another host", "use the name it is for"],
  noTls: ["storage", "it does not speak TLS as it should", "check the address and port"],
} as const satisfies Readonly<Record<string, Words>>;
export type Failure = keyof typeof failures;
