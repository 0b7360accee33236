/** Which log of a server is meant, and which part of it. */
import { z } from 'zod';
import { array, boolean, exactText, instant, integer, line, object, oneOf, uuid } from './rules';

export const logLevels = ['error', 'warning', 'info', 'debug', 'none'] as const;
/** `none`: the line does not say. */
export type LogLevel = (typeof logLevels)[number];

/** Of one server at the same time: each needs a session of the server's SSH, of which runs need some, too. */
export const MAX_LOGS_AT_ONCE = 4;
/** Lines of one answer about the past. */
export const MAX_PAST_LINES = 10_000;

const container = line(128).regex(/^[A-Za-z0-9][A-Za-z0-9_.-]*$/, {
  error: 'the name or the id of a container is expected',
});
/** systemd's own rule, without the characters that begin an option. */
const unit = line(255).regex(/^[A-Za-z0-9_@:][A-Za-z0-9:_.@\\-]*$/, {
  error: 'the name of a systemd unit is expected, such as nginx.service',
});
const nginxLog = oneOf(['access', 'error']);

export const logSource = z.discriminatedUnion(
  'kind',
  [
    object({ kind: z.literal('container'), name: container }),
    /** The container that serves: also the next one, after a deploy. */
    object({ kind: z.literal('service'), id: uuid }),
    object({ kind: z.literal('unit'), name: unit }),
    /** The log of nginx for what has none of its own. */
    object({ kind: z.literal('nginx'), log: nginxLog }),
    /** Of a domain: all its locations. */
    object({ kind: z.literal('site'), id: uuid, log: nginxLog }),
  ],
  { error: () => 'expected type container | service | unit | nginx | site' },
);
export type LogSource = z.output<typeof logSource>;

/** The same text for the same log, in browsers and back ends. */
export const logKey = (source: LogSource): string => {
  if (source.kind === 'nginx') return `nginx ${source.log}`;
  if (source.kind === 'site') return `site ${source.id} ${source.log}`;
  return source.kind === 'service' ? `service ${source.id}` : `${source.kind} ${source.name}`;
};

const part = {
  since: instant.optional(),
  until: instant.optional(),
  search: exactText(200).optional(),
  regexp: boolean.optional(),
  matchCase: boolean.optional(),
  levels: array(oneOf(logLevels), logLevels.length).optional(),
};

interface LogPart {
  since?: string | undefined;
  until?: string | undefined;
  search?: string | undefined;
  regexp?: boolean | undefined;
}

const isExpression = (text: string): boolean => {
  try {
    return new RegExp(text, 'u') instanceof RegExp;
  } catch {
    return false;
  }
};

const fits = ({ since, until, search, regexp }: LogPart, context: z.RefinementCtx): void => {
  const tell = (path: string, message: string): void =>
    context.addIssue({ code: 'custom', path: [path], message });
  if (since && until && Date.parse(until) <= Date.parse(since)) tell('until', 'this must be after since');
  if (regexp === true && search !== undefined && !isExpression(search))
    tell('search', 'this is not a regular expression');
};

const ofServer = { server: object({ id: uuid }) };

export const logPast = object({ ...ofServer, source: logSource, ...part }).superRefine(fits);
export const logSave = object({
  ...ofServer,
  sources: array(logSource, MAX_LOGS_AT_ONCE).refine((all) => all.length > 0, {
    error: 'choose at least one log',
  }),
  ...part,
  runId: uuid.optional(),
}).superRefine(fits);
/** `from`: what a browser that comes back has already. */
export const logFollow = object({
  ...ofServer,
  source: logSource,
  from: object({ reader: line(32), at: integer() }).optional(),
});
