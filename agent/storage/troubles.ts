import type { Cause } from "../../shared/causes.ts";

/** `isPassing`: a retry may succeed soon. */
type Words = { readonly cause: Cause; readonly what: string; readonly advice: string; readonly isPassing?: boolean };

const giveRight = "give the right ones in the job's access or in the vault";
const checkServer = "check that the server runs, and its address and port";
const tryLater = "retry the task later, and check the server if it goes on";
const setCa = "set the certificate of its issuer as ca in the credentials";
const seeLog = "it may have no space left: look into its log";
const renew = "its owner must renew it";

/** What goes wrong with storage of any kind: the cause, what happened, and what people can do about it. */
export const troubles = {
  login: { cause: "definition", what: "the server refuses the user name or password", advice: giveRight },
  accessKey: { cause: "definition", what: "the service refuses the access key or its secret", advice: giveRight },
  sshLogin: { cause: "definition", what: "the server refuses the user name, password or key", advice: giveRight },
  privateKey: {
    cause: "definition",
    what: "the private key cannot be read, or its passphrase is wrong",
    advice: giveRight,
  },
  noUser: { cause: "definition", what: "no user name is given for it", advice: giveRight },
  expiredToken: { cause: "definition", what: "the session token has expired", advice: "store a new one" },
  badToken: { cause: "definition", what: "the service refuses the session token", advice: "store a new one" },
  denied: {
    cause: "storage",
    what: "the server refuses access",
    advice: "give this user the permission there, or use other credentials",
  },
  deniedOrKey: {
    cause: "storage",
    what: "the service refuses access, or the key and its secret",
    advice: "check both the credentials and what they are allowed to do",
  },
  missing: {
    cause: "source",
    what: "no such file",
    advice: "check the address, and whether somebody removed the file",
  },
  missingOrDenied: {
    cause: "storage",
    what: "the server has no such file or folder, or refuses access to it",
    advice: "check the address, and this user's permissions",
  },
  noBucket: { cause: "definition", what: "there is no such bucket", advice: "create it, or correct the address" },
  archived: { cause: "capability", what: "the object is archived", advice: "restore it first" },
  full: { cause: "storage", what: "the server has no space left", advice: "make room there, or choose another target" },
  mayBeFull: {
    cause: "storage",
    what: "the server could not store the file",
    advice: seeLog,
  },
  notStored: {
    cause: "storage",
    what: "the server could not store the file",
    advice: seeLog,
    isPassing: true,
  },
  stuck: {
    cause: "storage",
    what: "the server ends the transfer at the same byte each time",
    advice: seeLog,
  },
  tooLarge: { cause: "storage", what: "the file is too large for the server", advice: "raise the server's limit" },
  inUse: { cause: "storage", what: "the file is in use", advice: tryLater, isPassing: true },
  unsupported: { cause: "capability", what: "the server does not support this", advice: "choose another storage" },
  region: {
    cause: "definition",
    what: "the bucket is in another region",
    advice: "set the region in the credentials",
  },
  skewedClock: { cause: "machine", what: "the clock of this node is wrong", advice: "set it" },
  failing: { cause: "storage", what: "the server could not complete the request", advice: tryLater, isPassing: true },
  crowded: { cause: "storage", what: "the server accepts no more connections now", advice: tryLater, isPassing: true },
  notThere: { cause: "storage", what: "nothing answers there", advice: checkServer, isPassing: true },
  broken: { cause: "storage", what: "the connection broke off", advice: tryLater, isPassing: true },
  silent: { cause: "storage", what: "it did not answer in time", advice: checkServer, isPassing: true },
  unreachable: {
    cause: "storage",
    what: "this node cannot reach it",
    advice: "check the network between them",
    isPassing: true,
  },
  lookup: { cause: "storage", what: "its name cannot be looked up now", advice: tryLater, isPassing: true },
  noHost: { cause: "storage", what: "no host has this name", advice: "correct the address" },
  certificate: { cause: "storage", what: "this node does not trust its certificate", advice: setCa },
  expired: { cause: "storage", what: "its certificate has expired", advice: renew },
  notYetValid: { cause: "storage", what: "its certificate is not valid yet", advice: "check this node's clock" },
  otherHost: { cause: "storage", what: "its certificate is for another host", advice: "use the name it is for" },
  noTls: { cause: "storage", what: "it does not speak TLS as it should", advice: "check the address and port" },
} as const satisfies Readonly<Record<string, Words>>;
export type Trouble = keyof typeof troubles;
