/** What DigitalOcean's refusals mean, in words for operators. Pure. */
import { z } from 'zod';
import { DomainError } from '../platform/errors';
import type { OutboundAnswer } from '../platform/outbound';
import { storable } from './storable';

/** Words that depend on what the call was about. */
export interface About {
  /** Completes "DigitalOcean": of a 404. */
  unknown?: string;
  /** Completes "DigitalOcean refused": of a 422. */
  refused?: string;
}

const errorShape = z.object({ id: z.string(), message: z.string() });

/** The API's own error message, if any, without its request id, which helps nobody here. */
const saidIn = ({ text }: OutboundAnswer): string => {
  try {
    const said = errorShape.safeParse(JSON.parse(text));
    return said.success ? `: ${storable(said.data.message.slice(0, 300))}` : '';
  } catch {
    return '';
  }
};

/** Seconds to wait: Retry-After for bursts. For the hourly quota the API only says when it is renewed. */
export const patience = ({ headers }: OutboundAnswer, nowMs: number): number => {
  const after = Number(headers['retry-after']);
  if (Number.isFinite(after) && after > 0) return Math.ceil(after);
  const reset = Number(headers['ratelimit-reset']) - nowMs / 1000;
  return Number.isFinite(reset) && reset > 0 ? Math.ceil(reset) : 60;
};

const inWords = (seconds: number): string => {
  if (seconds < 120) return `${seconds} seconds`;
  if (seconds < 2 * 3600) return `${Math.ceil(seconds / 60)} minutes`;
  return seconds < 2 * 86_400 ? `${Math.ceil(seconds / 3600)} hours` : `${Math.ceil(seconds / 86_400)} days`;
};

export const failed = (code: string, words: string): DomainError =>
  new DomainError('upstream', `DigitalOcean ${words}`, undefined, { code });

export const refusal = (answer: OutboundAnswer, about: About, nowMs: number): DomainError => {
  const said = saidIn(answer);
  switch (answer.status) {
    case 401:
      return failed('UNAUTHORIZED', 'does not accept the token: enter a new one');
    case 403:
      return failed('FORBIDDEN', `does not allow this token to do that${said}`);
    case 404:
      return failed('NOTFOUND', about.unknown ?? 'does not have this any more');
    case 422:
      return failed('UNPROCESSABLE', `refused ${about.refused ?? 'this'}${said}`);
    case 429: {
      const retryAfter = patience(answer, nowMs);
      const msg = `DigitalOcean limits the calls of this account: try again in ${inWords(retryAfter)}`;
      return new DomainError('unavailable', msg, undefined, { code: 'TOOMANY', retryAfter });
    }
    default:
      return failed(`HTTP${answer.status}`, `answered with status ${answer.status}${said}`);
  }
};

/** With these, the call certainly had no effect: it never arrived, or it was refused. */
const WITHOUT_EFFECT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UNAUTHORIZED',
  'FORBIDDEN',
  'NOTFOUND',
  'UNPROCESSABLE',
  'TOOMANY',
]);

/** Whether a call may have had its effect although it failed: its answer was lost, or said nothing about it. */
export const isAnswerLost = (error: unknown): boolean => {
  if (!(error instanceof DomainError) || error.code !== 'upstream') return false;
  const code = String(error.detail.code);
  return !WITHOUT_EFFECT.has(code) && !/^HTTP4|^CERT_|_CERT|^UNABLE_/.test(code);
};
