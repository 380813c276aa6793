/** A state machine as a table: state -> event -> next state. A state without exits is final. */
export type Machine<State extends string, Event extends string> = {
  readonly [S in State]: { readonly [E in Event]?: State };
};

export const defineMachine = <State extends string, Event extends string>(
  table: Machine<State, Event>,
): Machine<State, Event> => table;

/** The state after the event, or undefined if the state does not accept the event. */
export const next = <State extends string, Event extends string>(
  machine: Machine<State, Event>,
  state: State,
  event: Event,
): State | undefined => machine[state][event];

export const isFinal = <State extends string, Event extends string>(
  machine: Machine<State, Event>,
  state: State,
): boolean => Object.keys(machine[state]).length === 0;

export const statesOf = <State extends string, Event extends string>(machine: Machine<State, Event>): State[] =>
  Object.keys(machine) as State[]; // Object.keys forgets the literal names
