import { serviceType } from "../shared/discovery.ts";

type AnnounceNeeds = {
  /** What people call the farm. */
  readonly name: string;
  readonly port: number;
  /** No network is no reason to stop: a token works without being found. */
  readonly onProblem: (problem: unknown) => void;
};

/** Makes a farm known in its network until the function returned is called. Its address only: joining takes a token. */
export const announceFarm = async ({ name, port, onProblem }: AnnounceNeeds): Promise<() => Promise<void>> => {
  const { Bonjour } = await import("bonjour-service"); // most farms never leave their machine
  const bonjour = new Bonjour({}, onProblem);
  bonjour.publish({ name: name.slice(0, 60), type: serviceType, port, disableIPv6: true });
  return () =>
    new Promise((resolve) => {
      bonjour.unpublishAll(() => bonjour.destroy(resolve));
    });
};

/** A farm that only this machine reaches has nobody to tell. */
export const isWorthAnnouncing = (host: string): boolean =>
  host !== "localhost" && host !== "::1" && !host.startsWith("127.");
