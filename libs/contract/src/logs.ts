/** Logs of what runs on a server. What is added to a log comes over the socket. */
import { byId, logLevels, logPast, logSave, logSource } from '@quarterdeck/events/inputs';
import { z } from 'zod';
import { started } from './answers';
import { calls } from './call';
import { demo, newRunId } from './demo';

const found = z.strictObject({
  source: logSource,
  /** `shop`, `nginx.service`, `app.example.org`. */
  name: z.string(),
  /** `Up 3 hours`, `active`, if the server says so. */
  state: z.string().optional(),
});

export const logLine = z.strictObject({
  /** Of the line in its log: the same line has the same id, followed or read again. */
  id: z.string(),
  /** When it was written, in nanoseconds if the log says so; otherwise the time of the line before. */
  at: z.string(),
  level: z.enum(logLevels),
  text: z.string(),
});
export type LogLine = z.output<typeof logLine>;

export type LogState =
  | { is: 'connecting' }
  /** `name`: of the container that prints at present. */
  | { is: 'live'; name?: string }
  /** It goes on by itself. */
  | { is: 'waiting'; says: string }
  /** It does not. */
  | { is: 'ended'; says: string };

/** What the socket pushes to a browser that follows a log. */
export interface LogPush {
  state?: LogState;
  /** The reader that numbers the lines, and the number of the last of these. A browser that comes back names both. */
  reader?: string;
  at?: number;
  lines?: readonly LogLine[];
  /** So many lines were left out before these, because the browser was too slow. */
  missed?: number;
}

const past = z.strictObject({
  lines: z.array(logLine),
  /** How many lines were looked at. */
  read: z.number(),
  /** Why there may be more than these lines, in a sentence. */
  left: z.string().optional(),
});

const example = {
  server: { id: demo.server },
  since: '2026-11-30T12:00:00Z',
  until: '2026-11-30T13:00:00Z',
  search: 'timeout',
  regexp: false,
  matchCase: false,
  levels: ['error', 'warning'],
} as const;
const source = { kind: 'site', id: demo.domain, log: 'error' } as const;

export const logs = calls('log', 'admin', {
  sources: {
    summary: 'Asks a server which logs it has: containers, systemd units, nginx, sites',
    input: byId,
    example: { id: demo.server },
    answer: z.strictObject({
      sources: z.array(found),
      /** What the server did not answer, in sentences. */
      problems: z.array(z.string()),
    }),
    shows: 'domains',
    wide: true,
    volatile: true,
    costs: 'waiting',
  },
  past: {
    summary: 'Reads a part of a log from its server, the newest 10,000 lines of it',
    input: logPast,
    example: { ...example, source },
    answer: past,
    shows: [],
    volatile: true,
    costs: 'waiting',
  },
  save: {
    summary: 'Keeps a part of logs as the output of a recorded run',
    input: logSave,
    example: { ...example, sources: [source], runId: newRunId },
    answer: started,
    stales: 'servers',
    receipt: false,
  },
});
