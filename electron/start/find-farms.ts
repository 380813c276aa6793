import { Bonjour } from "bonjour-service";
import { announcement, serviceType } from "../../shared/desktop/discovery.ts";
import type { FoundFarm } from "../../shared/desktop/ipc.ts";

/** No studio network has more farms. */
const mostFarms = 20;

/** Listens for farms in this network. The result is only shown to people. */
export const findFarms = (onProblem: (problem: unknown) => void) => {
  const bonjour = new Bonjour({}, onProblem);
  const browser = bonjour.find({ type: serviceType });
  return {
    found: (): readonly FoundFarm[] =>
      browser.services.slice(0, mostFarms).flatMap((service) => {
        const { data } = announcement.safeParse(service);
        return data ? [{ name: data.name, address: `${data.host.replace(/\.$/, "")}:${data.port}` }] : [];
      }),
    stop: (): void => {
      browser.stop();
      bonjour.destroy();
    },
  };
};
