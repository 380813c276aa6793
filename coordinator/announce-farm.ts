import { serviceType } from "../shared/desktop/discovery.ts";
import { isLoopback } from "./tls/names.ts";

type AnnounceNeeds = {
  /** The farm's display name. */
  readonly name: string;
  readonly port: number;
  /** A missing network is not fatal: a join token works without discovery. */
  readonly onProblem: (problem: unknown) => void;
};

/**
 * Announces a farm on its network until the returned function is called. It announces only the address: joining needs a
 * token.
 */
export const announceFarm = async ({ name, port, onProblem }: AnnounceNeeds): Promise<() => Promise<void>> => {
  const { Bonjour } = await import("bonjour-service"); // most farms are never announced
  const bonjour = new Bonjour({}, onProblem);
  bonjour.publish({ name: name.slice(0, 60), type: serviceType, port, disableIPv6: true });
  return () =>
    new Promise((resolve) => {
      bonjour.unpublishAll(() => bonjour.destroy(resolve));
    });
};

/** If only this machine can reach the farm, there is nobody to tell. */
export const isWorthAnnouncing = (host: string): boolean => !isLoopback(host);
