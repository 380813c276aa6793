import { rmSync, unwatchFile, watchFile, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../../shared/basics/clock.ts";
import { messageOf } from "../../shared/basics/errors.ts";
import type { CoordinatorConfig } from "../config.ts";
import type { Log } from "../log.ts";
import type { Vault } from "../secrets/vault.ts";
import type { Store } from "../store/store.ts";
import type { Material } from "./material.ts";
import type { TlsMode } from "./mode.ts";
import { servedNames } from "./names.ts";
import { openOwnAuthority } from "./own-authority.ts";
import { readProvidedCertificate } from "./provided-certificate.ts";

/** The file in the data folder that holds the authority's certificate, for clients such as curl. It is no secret. */
export const authorityFile = "tls-authority.pem";

/** The farm's TLS: the certificate in use, and its replacement when it is renewed. */
export type Tls = {
  readonly current: () => Material;
  /** Calls back with every new certificate. */
  readonly onRenewed: (use: (material: Material) => void) => void;
  /** Checks for a new certificate at once, as on SIGHUP. */
  readonly lookAgain: () => Promise<void>;
  readonly close: () => void;
};

type TlsNeeds = {
  readonly config: CoordinatorConfig;
  readonly store: Pick<Store, "records">;
  readonly vault: Pick<Vault, "seal" | "open">;
  readonly clock: Pick<Clock, "now" | "every">;
  readonly log: Log;
};

const [hourMs, dayMs] = [3600_000, 24 * 3600_000];
/** How often the administrator's files are checked for changes, in milliseconds. */
const fileLookMs = 5000;
/** From this many days before the administrator's certificate ends, the log says so once a day. */
const warnDays = 30;

/** Undefined if the farm is served over HTTP. Throws AppError if the administrator's files cannot be used. */
export const openTls = async (needs: TlsNeeds, mode: TlsMode): Promise<Tls | undefined> => {
  const file = join(needs.config.dataDir, authorityFile);
  if (mode === "plain") {
    rmSync(file, { force: true });
    return undefined;
  }
  const read = readerFor(needs);
  let current = await read(needs.config.tlsNewKey);
  let use: (material: Material) => void = () => {};
  keepAuthority(file, current);

  let warnedOn = "";
  const warn = (): void => {
    const now = needs.clock.now();
    const [warning, today] = [certificateWarning(current, now), new Date(now).toISOString().slice(0, 10)];
    if (warning === undefined || warnedOn === today) return;
    warnedOn = today;
    needs.log.warn(warning);
  };
  warn();

  const lookAgain = async (): Promise<void> => {
    try {
      const found = await read(false);
      if (found.certificate !== current.certificate || found.key !== current.key) {
        current = found;
        keepAuthority(file, current);
        use(current);
        needs.log.info({ until: new Date(current.endsAt).toISOString() }, "the TLS certificate was replaced");
      }
    } catch (problem) {
      needs.log.error({ err: problem }, `the TLS certificate in use stays: ${messageOf(problem)}`);
    }
    warn();
  };
  const { tlsCert, tlsKey } = needs.config;
  const files = [tlsCert, tlsKey].filter((each) => each !== undefined);
  const look = () => void lookAgain();
  for (const each of files) watchFile(each, { interval: fileLookMs, persistent: false }, look);
  const stop = needs.clock.every(hourMs, look);
  return {
    current: () => current,
    onRenewed: (listener) => {
      use = listener;
    },
    lookAgain,
    close: () => {
      stop();
      for (const each of files) unwatchFile(each, look);
    },
  };
};

const readerFor =
  ({ config, store, vault, clock }: TlsNeeds) =>
  async (isNewKey: boolean): Promise<Material> => {
    const { tlsCert, tlsKey, host, hostNames } = config;
    if (tlsCert !== undefined && tlsKey !== undefined) return readProvidedCertificate({ tlsCert, tlsKey });
    return openOwnAuthority({ store, vault, names: servedNames(host, hostNames), now: clock.now(), isNewKey });
  };

const keepAuthority = (file: string, { authority, certificate }: Material): void =>
  writeFileSync(file, authority ?? certificate, { mode: 0o644 });

/** What people should know about the certificate; undefined if it is fine. */
export const certificateWarning = ({ endsAt, isOwn }: Material, now: number): string | undefined => {
  const days = Math.floor((endsAt - now) / dayMs);
  if (isOwn || days >= warnDays) return undefined;
  const when = days < 0 ? "has ended" : `ends in ${days} ${days === 1 ? "day" : "days"}`;
  return `The TLS certificate ${when}: replace the files of --tls-cert and --tls-key. The farm reads them again by itself`;
};
