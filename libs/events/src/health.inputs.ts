import { integer, messages, numericId, object, uuid } from './rules';

/** Samples are kept for at most 90 days. */
const MAX_HEALTH_HOURS = 2160;

export const healthHistory = object({ id: uuid, hours: numericId(MAX_HEALTH_HOURS) });

const MAX_PROBES = 20;
const probes = () => numericId(MAX_PROBES);

/** Form schema of `workspaceHealthChecks`. */
const rule = {
  everySeconds: numericId(3600).refine((seconds) => seconds >= 5, { error: messages.tooSmall(5) }),
  failures: probes(),
  outOf: probes(),
};

const attainable = ({ failures, outOf }: { failures: number; outOf: number }): boolean => failures <= outOf;
const unattainable = { path: ['failures'], error: 'more than the number of checks looked at' };

export const healthChecks = object(rule).refine(attainable, unattainable);
/** `revision`: the one that the editor saw. A later change by somebody else is a conflict. */
export const workspaceHealthChecks = object({ ...rule, revision: integer().optional() }).refine(
  attainable,
  unattainable,
);
