import type { Agent, ClientRequestArgs } from "node:http";
import type { Duplex } from "node:stream";
import type { Guard } from "./guard.ts";

type Connect = (
  options: ClientRequestArgs,
  done?: (error: Error | null, socket: Duplex) => void,
) => Duplex | null | undefined;

/**
 * Has every connection of this agent go to an address that the guard checked: of names, of addresses as they are written,
 * and of wherever redirects lead.
 */
export const guarded = <A extends Agent>(agent: A, guard: Guard): A => {
  // What the classes inherit takes a callback too, which their types do not say.
  const connect = agent.createConnection.bind(agent) as Connect;
  const createConnection: Connect = (options, done) => {
    const host = options.host ?? options.hostname ?? "localhost";
    guard.check(host, Number(options.port ?? 0)).then(
      (address) => {
        const socket = connect({ ...options, host: address, hostname: address });
        if (socket) done?.(null, socket);
      },
      (error) => done?.(error, undefined as never), // there is no socket beside an error
    );
    return undefined;
  };
  return Object.assign(agent, { createConnection });
};
