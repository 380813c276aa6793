import type { Agent, ClientRequestArgs } from "node:http";
import type { OnReadOpts, Socket } from "node:net";
import type { Guard } from "./guard.ts";
import { withReadMemory } from "./read-memory.ts";

type Options = ClientRequestArgs & { readonly onread?: OnReadOpts };
type Connect = (options: Options, done?: (error: Error | null, socket: Socket) => void) => Socket | undefined;

/**
 * Has every connection of this agent go to an address that the guard checked: of names, of addresses as they are written,
 * and of wherever redirects lead.
 */
export const guarded = <A extends Agent>(agent: A, guard: Guard): A => {
  // Without a callback the classes return the socket, which their types leave open.
  const connect = agent.createConnection.bind(agent) as (options: Options) => Socket;
  const createConnection: Connect = (options, done) => {
    const host = options.host ?? options.hostname ?? "localhost";
    guard.check(host, Number(options.port ?? 0)).then(
      (address) => {
        const checked = { ...options, host: address, hostname: address };
        done?.(
          null,
          withReadMemory((onread) => connect({ ...checked, onread })),
        );
      },
      (error) => done?.(error, undefined as never), // there is no socket beside an error
    );
    return undefined;
  };
  return Object.assign(agent, { createConnection });
};
