/** Parses what containers of services use from the output of a probe. Pure. A line that is no such line is left out. */
import type { ServiceUsage } from '@quarterdeck/projections';

const MAX_SERVICES = 200;
/** Exact in JavaScript, and within the columns. */
const MAX = Number.MAX_SAFE_INTEGER;
const MAX_RESTARTS = 2 ** 31 - 1;

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const CONTAINER = /^[0-9a-f]{12}$/;
const STATES = ['created', 'running', 'paused', 'restarting', 'removing', 'exited', 'dead'] as const;

const number = (written: string, most: number, digits = /^\d{1,17}$/): number | undefined =>
  digits.test(written) && Number(written) <= most ? Number(written) : undefined;

/** @returns an ISO time; undefined also for the year 1, which means never */
const startOf = (written: string): string | undefined => {
  if (!/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/.test(written)) return undefined;
  const time = Date.parse(written);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
};

const usageOf = (values: readonly string[]): ServiceUsage | undefined => {
  const [container = '', state, started = '', restarts = '', exit = '', oom, ...figures] = values;
  const is = STATES.find((one) => one === state);
  const count = number(restarts, MAX_RESTARTS);
  if (!CONTAINER.test(container) || is === undefined || count === undefined) return undefined;
  const [clock, cpuUs, memory, limit, received, sent] = figures.map((written, at) =>
    number(written, MAX, at === 0 ? /^\d{1,10}(\.\d{1,6})?$/ : undefined),
  );
  const start = startOf(started);
  const exitCode = is === 'running' ? undefined : number(exit, 255);
  return {
    container,
    state: is,
    restarts: count,
    ...(start !== undefined && { started: start }),
    ...(exitCode !== undefined && { exitCode }),
    ...(oom === 'true' && { outOfMemory: true }),
    ...(clock !== undefined && { clock }),
    ...(cpuUs !== undefined && { cpuUs }),
    ...(memory !== undefined && { memory }),
    ...(limit !== undefined && limit > 0 && { limit }),
    ...(received !== undefined && { received }),
    ...(sent !== undefined && { sent }),
  };
};

/** By the ids of the services. */
export const parseUsage = (printed: string): Record<string, ServiceUsage> => {
  const found = new Map<string, ServiceUsage>();
  for (const line of printed.split(/\r?\n/)) {
    if (!line.startsWith('usage=') || found.size >= MAX_SERVICES) continue;
    const [id = '', ...values] = line.slice('usage='.length).split('|');
    const usage = ID.test(id) && values.length === 12 ? usageOf(values) : undefined;
    if (usage) found.set(id, usage);
  }
  return Object.fromEntries(found);
};
