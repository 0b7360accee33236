/** A run over many servers as it is asked for, and its parts: one run a server, of which the ids follow. Pure. */
import { runLabel } from '@quarterdeck/events';
import { v5 as uuidv5 } from 'uuid';
import { fixedCommand } from '../servers';
import type { RunRequest } from '../runs';
import type { ScriptInput } from '../scripts';

export interface FleetServer {
  id: string;
  /** As it was called then. */
  name: string;
}

/** What runs on each server. */
export type FleetWork = { cmdType: number } | ScriptInput;

export type FleetInput = FleetWork & {
  servers: FleetServer[];
  concurrency: number;
  /** Done anew on those that did not succeed in that run. */
  rerunOf?: string;
};

export const fleetRequest = (run: string, input: FleetInput): Omit<RunRequest, 'kind'> => {
  const [only, ...others] = input.servers;
  const name = only && others.length === 0 ? only.name : `${input.servers.length} servers`;
  return { subject: { kind: 'fleet', id: run, name }, input: JSON.parse(JSON.stringify(input)) };
};

/** Only `fleetRequest` makes it. */
export const fleetInput = ({ input }: Pick<RunRequest, 'input'>): FleetInput =>
  input as unknown as FleetInput;

export const workOf = (input: FleetInput): FleetWork => {
  if ('cmdType' in input) return { cmdType: input.cmdType };
  const { script, version, name, changes, timeoutSeconds } = input;
  return { script, version, name, changes, timeoutSeconds };
};

export const labelOf = (input: FleetInput): string =>
  runLabel('fleet', input as unknown as RunRequest['input']);

/** The same for whoever asks: a run that is taken up finds the parts that are there. */
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

/** Reaching a server and waiting for a place on it come on top of what the work itself may take. */
const AROUND_MS = 5 * 60_000;
/** No timer holds more. */
const LONGEST_MS = 2 ** 31 - 1;

export const timeoutOf = (input: FleetInput): number => {
  const work = workOf(input);
  const each = 'cmdType' in work ? (fixedCommand(work.cmdType)?.timeoutMs ?? 0) : work.timeoutSeconds * 1000;
  return Math.min(Math.ceil(input.servers.length / input.concurrency) * (each + AROUND_MS), LONGEST_MS);
};
