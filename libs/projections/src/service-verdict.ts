/** The verdict about a service that was deployed, by the newest probe of its server. Pure. */
import { z } from 'zod';
import type { Verdict } from './verdict';

export const serviceStates = ['serving', 'restarting', '502', 'stopped', 'unhealthy'] as const;
export type ServiceState = (typeof serviceStates)[number];
export const serviceState = z.enum(serviceStates);

export const serviceVerdicts: Readonly<Record<ServiceState, Verdict>> = {
  serving: { label: 'serves', tone: 'good' },
  restarting: { label: 'restarts again and again', tone: 'bad' },
  '502': { label: 'does not answer (502)', tone: 'bad' },
  stopped: { label: 'does not run', tone: 'bad' },
  unhealthy: { label: 'is unhealthy', tone: 'bad' },
};

/** What a probe finds out about one service. */
export interface ProbedService {
  /** State of its container, as the engine says it. Absent for a client package. */
  container?: string;
  /** `healthy`, `unhealthy` or `starting`, if its image has a health check. */
  health?: string;
  /** HTTP status at the port of the service; 0 if nothing answers there. Absent if it was not asked. */
  status?: number;
}

/** What nginx answers if it gets no answer itself. */
const GATEWAY = new Set([0, 502, 504]);

export const serviceStateOf = ({ container, health, status }: ProbedService): ServiceState => {
  if (container === 'restarting') return 'restarting';
  if (container !== undefined && container !== 'running') return 'stopped';
  if (status !== undefined && GATEWAY.has(status)) return '502';
  return health === 'unhealthy' ? 'unhealthy' : 'serving';
};

interface Newest {
  ok: boolean;
  at: string;
  services?: Readonly<Record<string, ServiceState>> | undefined;
}

/**
 * @param release a release that serves, by the record
 * @param newest the newest probe of its server
 * @returns undefined while no probe has looked at this release
 */
export const serviceVerdict = (
  release: { service: { id: string }; served?: { at: string } | undefined },
  newest: Newest | undefined,
): (Verdict & { is: ServiceState }) | undefined => {
  const is = newest?.ok === true ? newest.services?.[release.service.id] : undefined;
  // An older probe saw the release before it.
  if (newest === undefined || is === undefined || newest.at < (release.served?.at ?? '')) return undefined;
  return { is, ...serviceVerdicts[is] };
};
