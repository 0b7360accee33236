/** Opens the target of the plan. */
import path from 'node:path';
import type { Outbound } from '../../platform/outbound';
import type { Logger } from '../../platform/tokens';
import type { Vault } from '../../platform/vault';
import type { Plan } from '../plan';
import type { Reserve } from '../room';
import { Bucket } from './bucket';
import type { BucketLimits } from './bucket-limits';
import { FolderTarget } from './folder-target';
import { S3Target } from './s3-target';
import type { Target } from './target';

/** Secrets of the installation belong to no workspace. */
export const INSTALLATION = '-';

interface Around {
  dataDir: string;
  reserve: Reserve | undefined;
  vault: Pick<Vault, 'get'>;
  outbound: Outbound;
  logger: Pick<Logger, 'warn'>;
}

export const targetName = (target: Plan['target'], dataDir: string): string =>
  target.kind === 'folder'
    ? (target.path ?? path.join(dataDir, 'backups'))
    : `${target.endpoint.replace(/\/$/, '')}/${target.bucket}/${target.prefix}`;

export const openTarget = async (
  target: Plan['target'],
  { dataDir, reserve, vault, outbound, logger }: Around,
  limits: Partial<BucketLimits> = {},
): Promise<Target> => {
  const name = targetName(target, dataDir);
  if (target.kind === 'folder') return new FolderTarget(name);
  const { secret, session, ...address } = target;
  const kept = async ({ ref }: { ref: string }, what: string): Promise<string> => {
    const value = await vault.get({ workspace: INSTALLATION, ref });
    if (value === undefined) throw new Error(`the ${what} is not in the vault any more`);
    return value;
  };
  const secretAccessKey = await kept(secret, 'secret access key');
  const sessionToken = session && (await kept(session, 'session token'));
  const bucket = new Bucket({ ...address, secretAccessKey, sessionToken }, outbound, limits);
  const staging = path.join(dataDir, 'backups-on-their-way');
  return new S3Target(bucket, target.prefix, name, staging, reserve, {
    left: (err) => logger.warn({ err, target: name }, 'an unfinished upload was left alone'),
    repeated: (calls) => logger.warn({ calls, target: name }, 'calls of an upload were made again'),
  });
};
