/** The verdict about a service that was deployed, by the newest probe of its server. Pure. */
import { z } from 'zod';
import type { Verdict } from './verdict';

/** How long a service may take for its answer, in a deploy and afterwards. */
export const ANSWER_SECONDS = 5;

const named = ['serving', 'restarting', '502', 'stopped', 'silent', 'unhealthy'] as const;
/** `answers 500`: it answers, and its answer is that it is not well. */
export const serviceState = z.union([z.enum(named), z.templateLiteral(['answers ', z.int()])]);
export type ServiceState = z.infer<typeof serviceState>;

const verdicts: Readonly<Record<(typeof named)[number], Verdict>> = {
  serving: { label: 'serves', tone: 'good' },
  restarting: { label: 'restarts again and again', tone: 'bad' },
  '502': { label: 'does not answer (502)', tone: 'bad' },
  stopped: { label: 'does not run', tone: 'bad' },
  silent: { label: `does not answer within ${ANSWER_SECONDS} s`, tone: 'bad' },
  unhealthy: { label: 'is unhealthy', tone: 'bad' },
};

const isNamed = (state: ServiceState): state is keyof typeof verdicts => state in verdicts;
export const verdictOfService = (state: ServiceState): Verdict =>
  isNamed(state) ? verdicts[state] : { label: state, tone: 'bad' };

/** What a probe finds out about one service. */
export interface ProbedService {
  /** State of its container, as the engine says it. Absent for a client package. */
  container?: string;
  /** `healthy`, `unhealthy` or `starting`, if its image has a health check. */
  health?: string;
  /** HTTP status of the service; 0 if nothing answers at its port. Absent if it was not asked. */
  status?: number | 'silent';
  /** It was asked at the path of its health check. Otherwise any answer but that of a fault is a good one. */
  atHealthPath?: boolean;
}

/** What nginx answers if it gets no answer itself. */
const GATEWAY = new Set([0, 502, 504]);

export const serviceStateOf = ({
  container,
  health,
  status,
  atHealthPath = false,
}: ProbedService): ServiceState => {
  if (container === 'restarting') return 'restarting';
  if (container !== undefined && container !== 'running') return 'stopped';
  if (status === 'silent') return 'silent';
  if (status !== undefined && GATEWAY.has(status)) return '502';
  if (status !== undefined && status >= (atHealthPath ? 400 : 500)) return `answers ${status}`;
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
  return { is, ...verdictOfService(is) };
};
