/** The request for a run over many servers, and its parts: one run per server, with derived ids. Pure. */
import { runLabel } from '@quarterdeck/events';
import { v5 as uuidv5 } from 'uuid';
import { fixedCommand } from '../servers';
import type { RunRequest } from '../runs';
import type { ScriptInput } from '../scripts';

export interface FleetServer {
  id: string;
  /** Name of the server at the time. */
  name: string;
}

/** What runs on each server. */
export type FleetWork = { cmdType: number } | ScriptInput;

export type FleetInput = FleetWork & {
  servers: FleetServer[];
  concurrency: number;
  /** The run whose unsuccessful servers this one repeats. */
  rerunOf?: string;
};

export const fleetRequest = (run: string, input: FleetInput): Omit<RunRequest, 'kind'> => {
  const [only, ...others] = input.servers;
  const name = only && others.length === 0 ? only.name : `${input.servers.length} servers`;
  return { subject: { kind: 'fleet', id: run, name }, input: JSON.parse(JSON.stringify(input)) };
};

/** Only `fleetRequest` creates this input. */
export const fleetInput = ({ input }: Pick<RunRequest, 'input'>): FleetInput =>
  input as unknown as FleetInput;

export const workOf = (input: FleetInput): FleetWork => {
  if ('cmdType' in input) return { cmdType: input.cmdType };
  const { script, version, name, changes, timeoutSeconds } = input;
  return { script, version, name, changes, timeoutSeconds };
};

export const labelOf = (input: FleetInput): string =>
  runLabel('fleet', input as unknown as RunRequest['input']);

/** The same id in every process, so that a resumed run finds its existing parts. */
export const partId = (fleet: string, server: string): string => uuidv5(server, fleet);

/** The run on one of the servers. */
export const partOf = (
  fleet: string,
  input: FleetInput,
  { id, name }: FleetServer,
): { kind: string; what: Omit<RunRequest, 'kind'> } => {
  const work = workOf(input);
  return {
    kind: 'cmdType' in work ? 'command' : 'script',
    what: { subject: { kind: 'server', id, name }, input: { ...work }, parent: fleet },
  };
};

/** Added to the time for the work itself, for connecting to a server and waiting for a free slot. */
const AROUND_MS = 5 * 60_000;
/** The longest delay that a timer supports. */
const LONGEST_MS = 2 ** 31 - 1;

/** @param waitMs for how long a part may wait in line for its server */
export const timeoutOf = (input: FleetInput, waitMs: number): number => {
  const work = workOf(input);
  const each = 'cmdType' in work ? (fixedCommand(work.cmdType)?.timeoutMs ?? 0) : work.timeoutSeconds * 1000;
  return Math.min(
    Math.ceil(input.servers.length / input.concurrency) * (each + waitMs + AROUND_MS),
    LONGEST_MS,
  );
};
