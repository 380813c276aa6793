import { isIP } from "node:net";
import { hostname, networkInterfaces } from "node:os";

/** A certificate with more names is only slower to send. */
const mostNames = 100;

/** Whether an address stands for all interfaces of this machine. */
export const isEveryAddress = (host: string): boolean => host === "0.0.0.0" || host === "::";

/** Whether only this machine can reach an address. */
export const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));

/** The names and addresses under which a farm that listens on `host` is reached, for its own certificate. */
export const servedNames = (host: string, given: readonly string[]): string[] => {
  const machine = hostname().toLowerCase();
  const names = [machine, `${machine}.local`, "localhost", "127.0.0.1", "::1", ...given];
  const all = isEveryAddress(host) ? [...names, ...ownAddresses()] : [host, ...names];
  return [...new Set(all.map((name) => name.toLowerCase()))].filter(fitsCertificate).slice(0, mostNames);
};

const ownAddresses = (): string[] =>
  Object.values(networkInterfaces())
    .flat()
    .flatMap((found) => (found && !found.internal && !found.address.startsWith("fe80") ? [found.address] : []));

const fitsCertificate = (name: string): boolean =>
  isIP(name) !== 0 ? !name.includes("%") : /^[\w-]+(\.[\w-]+)*$/.test(name) && name.length <= 253;
