import { Bonjour } from "bonjour-service";
import { announcement, serviceType } from "../shared/discovery.ts";
import type { FoundFarm } from "../shared/ipc.ts";

/** More than this is no network of a studio. */
const mostFarms = 20;

/** Listens for farms in this network. What is heard is shown to people and decides nothing. */
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
