/** npm packages of client services: their names, and their addresses in the registry. */
import { isIntegrity, npmPackage } from '@quarterdeck/events';
import { DomainError } from '../platform/errors';
import { callOut, type Outbound } from '../platform/outbound';

/** Hexadecimal, as `sha512sum` prints it. */
export const sha512Of = (integrity: string): string =>
  Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex');

/** Folder of a version on a server. Equal contents have the same folder, so a rollback reuses existing files. */
export const versionFolder = (version: string, integrity: string): string =>
  `${version}-${sha512Of(integrity).slice(0, 12)}`;

/** `folder`: the folder of the version on a server. */
export type FoundPackage = Record<'tarball' | 'integrity' | 'folder', string>;

/** A package with known integrity, which a server may still have. It has no address, so nothing is downloaded. */
export const keptPackage = (text: string): FoundPackage | undefined => {
  const { version = '', integrity } = npmPackage(text) ?? {};
  return integrity === undefined
    ? undefined
    : { tarball: '', integrity, folder: versionFolder(version, integrity) };
};

interface Registry {
  url: string;
  outbound: Outbound;
  token: string | undefined;
  signal: AbortSignal;
}

/** Refusals of the registry that are not retried. */
const refusals: Record<number, [code: string, reason: string]> = {
  401: ['login', 'refused the stored token: store a token that may read packages'],
  403: ['login', 'does not let the stored token read the package'],
  404: ['pull', 'does not have the package, or does not show it to the stored token'],
};
const MAX_BYTES = 32 * 1_048_576;
const PATIENCE_MS = 60_000;

const failure = (code: string, reason: string): DomainError =>
  new DomainError('unprocessable', reason, undefined, { code });

/**
 * Asks the registry for a package, in the same way as npm.
 * @throws DomainError
 */
export const findPackage = async (
  text: string,
  { url, outbound, token, signal }: Registry,
): Promise<FoundPackage> => {
  const { name, version, integrity: wanted } = npmPackage(text) ?? { name: text, version: '' };
  const answer = await callOut(outbound, {
    url: `${url}/${name.replace('/', '%2f')}`,
    headers: {
      accept: 'application/vnd.npm.install-v1+json; q=1.0, application/json; q=0.8',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    timeoutMs: PATIENCE_MS,
    maxBytes: MAX_BYTES,
    signal,
  });
  const { host } = new URL(url);
  if (answer.status !== 200) {
    const [code, what] = refusals[answer.status] ?? ['registry', `answered with status ${answer.status}`];
    throw failure(code, `The registry ${host} ${what}.`);
  }
  const dist = distOf(answer.text, version);
  if (dist === undefined) throw failure('pull', `The registry ${host} has no version ${version} of ${name}.`);
  const integrity = String(dist.integrity).split(' ').find(isIntegrity);
  if (integrity === undefined || typeof dist.tarball !== 'string' || !/^https?:\/\/\S+$/.test(dist.tarball))
    throw failure('pull', `The registry ${host} gives no tarball with a SHA-512 checksum for ${text}.`);
  if (wanted !== undefined && wanted !== integrity)
    throw failure('pull', `${name} ${version} has other contents in the registry than it had: ${integrity}.`);
  return { tarball: dist.tarball, integrity, folder: versionFolder(version, integrity) };
};

interface Dist {
  tarball?: unknown;
  integrity?: unknown;
}

const distOf = (text: string, version: string): Dist | undefined => {
  try {
    const { versions } = JSON.parse(text) as { versions?: Record<string, { dist?: Dist }> };
    return versions && Object.hasOwn(versions, version) ? versions[version]?.dist : undefined;
  } catch {
    throw failure('registry', 'The registry did not answer with JSON.');
  }
};
