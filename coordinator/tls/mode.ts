import { AppError } from "../../shared/basics/errors.ts";
import type { CoordinatorConfig } from "../config.ts";
import type { Store } from "../store/store.ts";
import { isLoopback } from "./names.ts";

/** plain: HTTP · own: HTTPS with the farm's own certificate · given: HTTPS with the administrator's. */
export type TlsMode = "plain" | "own" | "given";

const recordKey = "network_tls";

/**
 * How a farm is served. On a network that is TLS unless the administrator says otherwise. A farm made by a version
 * without TLS stays on HTTP until it is started with TLS once: its nodes know only its ws:// address.
 */
export const tlsModeOf = async (
  { tls, tlsCert, tlsKey, tlsNewKey, host }: CoordinatorConfig,
  { records }: Pick<Store, "records">,
  isNewFarm: boolean,
): Promise<{ readonly mode: TlsMode; readonly warning?: string }> => {
  const usual = await records.change("farm", recordKey, (known) => known ?? (isNewFarm ? "tls" : "plain"));
  if ((tlsCert === undefined) !== (tlsKey === undefined)) throw refused("--tls-cert and --tls-key belong together");
  if (tls === "off" && (tlsCert !== undefined || tlsNewKey)) throw refused("--no-tls excludes the other --tls flags");
  if (tlsCert !== undefined && tlsNewKey) throw refused("--tls-new-key is for the farm's own certificate");
  const isOpen = !isLoopback(host);
  const isWanted = tls === "on" || tlsCert !== undefined || tlsNewKey;
  if (isWanted && isOpen && usual.after !== "tls") await records.change("farm", recordKey, () => "tls");
  if (tlsCert !== undefined) return { mode: "given" };
  if (isWanted || (tls === "auto" && isOpen && usual.after === "tls")) return { mode: "own" };
  if (!isOpen) return { mode: "plain" };
  return { mode: "plain", warning: tls === "off" ? unencrypted : `${unencrypted}. ${older}` };
};

const unencrypted =
  "the farm is served over plain HTTP: passwords, keys and jobs cross the network unencrypted unless a proxy encrypts them";
const older =
  "It was made by a version without TLS, and its nodes know only its ws:// address. Start it with --tls, and join the nodes again with the new join token; or start it with --no-tls if a proxy encrypts";

const refused = (why: string): AppError => new AppError("VALIDATION_FAILED", why);
