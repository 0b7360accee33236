/**
 * `s3://bucket/prefix/name.backup` for the commands. Address and keys come from the variables that Amazon's tools read, so
 * a lost machine is restored where there is no plan, no vault and no data folder.
 */
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { bucketEndpoint } from '@quarterdeck/events/inputs';
import { UsageError, type CommandContext } from '../../platform/cli';
import { Outbound } from '../../platform/outbound';
import { certificatesProblem } from '../../platform/tls';
import { ArchiveRefused } from '../archive/head';
import { chainAmong, EXTENSION, type FolderContent } from '../folder';
import { Bucket, type BucketAddress } from './bucket';
import { BucketFault } from './bucket-limits';
import { S3Target } from './s3-target';

type Environment = Readonly<Record<string, string | undefined>>;

export const isBucketUrl = (text: string): boolean => text.startsWith('s3://');

interface Named {
  bucket: string;
  /** Empty, or with a slash at its end. */
  prefix: string;
  /** Empty for a prefix. */
  name: string;
}

const EXPECTED = 's3://BUCKET/PREFIX or s3://BUCKET/PREFIX/NAME.backup is expected';

/** @throws UsageError */
export const readBucketUrl = (text: string): Named => {
  const [, bucket, key = ''] = /^s3:\/\/([a-z0-9][a-z0-9._-]*)(?:\/(.*))?$/i.exec(text) ?? [];
  if (bucket === undefined) throw new UsageError(`${text}: ${EXPECTED}`);
  const name = key.endsWith(EXTENSION) ? path.posix.basename(key) : '';
  const prefix = key.slice(0, key.length - name.length);
  return { bucket, prefix: prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/`, name };
};

/** @throws UsageError */
const authoritiesIn = async (file = ''): Promise<string | undefined> => {
  if (file === '') return undefined;
  const pem = await fs.readFile(file, 'utf8').catch((error: Error) => error);
  const problem = typeof pem === 'string' ? certificatesProblem(pem) : pem.message;
  if (problem !== undefined) throw new UsageError(`AWS_CA_BUNDLE ${file}: ${problem}`);
  return String(pem);
};

/** @throws UsageError that names the variable that is missing or wrong */
const addressIn = async (bucket: string, env: Environment): Promise<BucketAddress> => {
  const needed = (name: string): string => {
    const value = env[name];
    if (!value) throw new UsageError(`s3://${bucket}: the environment has no ${name}`);
    return value;
  };
  // Amazon's tools read an empty variable as one that is not there.
  const own = env.AWS_ENDPOINT_URL_S3 || env.AWS_ENDPOINT_URL || undefined;
  const region =
    env.AWS_REGION || env.AWS_DEFAULT_REGION || (own === undefined ? needed('AWS_REGION') : 'us-east-1');
  const endpoint = own ?? `https://s3.${region}.amazonaws.com`;
  const problem = bucketEndpoint.safeParse(endpoint).error?.issues[0]?.message;
  // Without the address, which may have a password in it.
  if (problem !== undefined)
    throw new UsageError(`${own === undefined ? 'AWS_REGION' : 'AWS_ENDPOINT_URL'}: ${problem}`);
  return {
    bucket,
    region,
    endpoint,
    // Others than Amazon take the bucket from the path, and not all of them from the host name.
    pathStyle: own !== undefined,
    accessKeyId: needed('AWS_ACCESS_KEY_ID'),
    secretAccessKey: needed('AWS_SECRET_ACCESS_KEY'),
    sessionToken: env.AWS_SESSION_TOKEN || undefined,
    ca: await authoritiesIn(env.AWS_CA_BUNDLE),
  };
};

const opened = async ({ bucket, prefix }: Named, staging: string, env: Environment): Promise<S3Target> => {
  const address = await addressIn(bucket, env);
  // The operator named the host, so it may be called, in the own network too.
  const outbound = new Outbound([new URL(address.endpoint).hostname.replaceAll(/[[\]]/g, '')]);
  const name = `s3://${bucket}/${prefix}`;
  return new S3Target(
    new Bucket({ ...address, prefix }, outbound),
    prefix,
    name,
    staging,
    undefined,
    // Commands only read.
    { left: () => undefined, repeated: () => undefined },
  );
};

/** @throws ArchiveRefused, UsageError */
const orRefused = async <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    if (error instanceof BucketFault) throw new ArchiveRefused(error.message, { cause: error });
    throw error;
  });

/** @throws ArchiveRefused if the bucket cannot be read; UsageError */
export const archivesInBucket = (url: string): Promise<FolderContent> =>
  orRefused(
    opened(readBucketUrl(url), '', process.env).then((target) => target.list({ alive: () => undefined })),
  );

/** @returns the archive in that folder, beside all that it continues */
const fetched = async (
  archive: string,
  { folder, signal, print }: { folder: string; signal: AbortSignal; print: (line: string) => void },
): Promise<string> => {
  const named = readBucketUrl(archive);
  if (named.name === '')
    throw new UsageError(
      `${archive}: an archive is expected, such as ${archive.replace(/\/$/, '')}/NAME${EXTENSION}`,
    );
  const target = await opened(named, path.join(folder, 'on-their-way'), process.env);
  const { archives } = await target.list({ alive: () => undefined });
  const found = archives.find(({ file }) => file === `${named.prefix}${named.name}`);
  if (!found) throw new ArchiveRefused(`${archive}: there is no such archive`);
  const chain = chainAmong(found, archives);
  const bytes = chain.reduce((sum, { head }) => sum + head.bytes, 0);
  print(`reading ${chain.length} archives from ${target.name}, ${(bytes / 1_000_000).toFixed(1)} MB`);
  const attempt = { signal, alive: () => undefined, busy: () => undefined };
  return target.asFiles(
    chain,
    async (files) => {
      for (const { file } of files) await fs.rename(file, path.join(folder, path.basename(file)));
      return path.join(folder, named.name);
    },
    attempt,
  );
};

/**
 * Runs the work with the archive as a local file. One from a bucket is in a folder that is removed afterwards. Only the
 * download can be interrupted.
 * @throws ArchiveRefused if the archive is not there or cannot be read; UsageError
 */
export const asLocalFile = async <T>(
  archive: string,
  { interruptible, print }: Pick<CommandContext, 'interruptible' | 'print'>,
  work: (file: string) => Promise<T>,
): Promise<T> => {
  if (!isBucketUrl(archive)) return work(archive);
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'quarterdeck-archives-'));
  try {
    return await work(
      await interruptible((signal) => orRefused(fetched(archive, { folder, signal, print }))),
    );
  } finally {
    await fs.rm(folder, { recursive: true, force: true });
  }
};
