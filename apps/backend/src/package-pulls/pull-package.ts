/** Calls the address of a package's continuous delivery, which deploys it, and reads the deployed version. */
import { looksSecret } from '@quarterdeck/events/inputs';
import { DomainError } from '../platform/errors';
import { callOut, type Outbound, type OutboundAnswer } from '../platform/outbound';

export type PullResult = { version: string } | { reason: string; status?: number; code: string };

/** The other side deploys during the call. Users do not wait longer than this. */
export const PULL_TIMEOUT_MS = 25_000;
/** Limit of the answer, of which only the version is needed. */
const MAX_BYTES = 256 * 1024;
const LONGEST_VERSION = 200;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

/** `version.version`, as text. */
const versionIn = (answer: unknown): string | undefined => {
  const version = isRecord(answer) && isRecord(answer.version) ? answer.version.version : undefined;
  const text = typeof version === 'number' ? String(version) : version;
  if (typeof text !== 'string' || text.trim() === '' || text.length > LONGEST_VERSION) return undefined;
  // Text that cannot be stored or shown on one line is not a version.
  return /[\p{Cc}\p{Surrogate}]/u.test(text) ? undefined : text.trim();
};

/** The version in an answer, or why there is none. */
export const versionOf = ({ status, headers, text }: OutboundAnswer): PullResult => {
  if (status >= 300 && status < 400 && headers.location !== undefined)
    return {
      status,
      code: 'redirect',
      reason: `the address answered with status ${status} and a redirect, which is not followed`,
    };
  if (status !== 200)
    return { status, code: 'status', reason: `the address answered with status ${status} instead of 200` };
  const answer = parsed(text);
  if (answer === undefined)
    return { status, code: 'notJson', reason: 'the address did not answer with JSON' };
  const version = versionIn(answer);
  return version === undefined
    ? { status, code: 'noVersion', reason: 'the answer has no version at version.version' }
    : { version };
};

/** Default name of a package: the last part of its address that is not a secret. */
export const slugOf = (cdUrl: string): string => {
  const { pathname, host } = new URL(cdUrl);
  const last = pathname.split('/').findLast((part) => part !== '' && !looksSecret(part));
  if (last === undefined) return host;
  try {
    const name = decodeURIComponent(last);
    return /[\p{Cc}\p{Surrogate}]/u.test(name) ? last : [...name].slice(0, 200).join('');
  } catch {
    return last.slice(0, 200);
  }
};

interface PullOptions {
  timeoutMs?: number;
  signal?: AbortSignal;
}

/** Never throws for a fault of the other side: such a fault is an outcome, which is recorded. */
export const pullPackage = async (
  outbound: Outbound,
  cdUrl: string,
  { timeoutMs = PULL_TIMEOUT_MS, signal }: PullOptions = {},
): Promise<PullResult> => {
  try {
    const headers = { accept: 'application/json' };
    const call = { url: cdUrl, headers, timeoutMs, maxBytes: MAX_BYTES, ...(signal ? { signal } : {}) };
    return versionOf(await callOut(outbound, call));
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { reason: error.msg, code: error.detail.code ?? 'refused' };
  }
};
