/** The configuration of a domain on its server: the applied text, and what was found in its place. */
import { nameOnDisk, type EventData } from '@quarterdeck/events';
import { command } from '../platform/decider';
import { DomainError, invalidField } from '../platform/errors';
import { ofPresent, type Changes } from './domain-state';

/** Not for another name: the domain was renamed during the apply, and nobody would look for that file. */
export class RecordAppliedConfig extends command('RecordAppliedConfig')(
  ofPresent((data: EventData<'SiteConfigApplied'>, { serverName }) => {
    if (data.file !== `${nameOnDisk(serverName)}.conf`)
      throw new DomainError(
        'conflict',
        `this domain is now called ${serverName}: ${data.file} is still on the server and belongs to no domain`,
      );
    return [{ type: 'SiteConfigApplied', data }];
  }),
) {}

/**
 * The text on the server now; absent if the file is missing. `against`: SHA-256 of the expected text at the time of the
 * look.
 */
export class RecordFoundConfig extends command('RecordFoundConfig', { idempotent: true })(
  ofPresent(
    ({ against, ...data }: EventData<'SiteConfigDrifted'> & { against?: string }, { config, drift }) => {
      // Another configuration has gone live since the look.
      if (!config || (against ?? config.sha256) !== config.sha256) return [];
      const sha256 = data.found?.sha256 ?? '';
      if (sha256 === config.sha256) return drift ? [{ type: 'SiteConfigReturned', data: { sha256 } }] : [];
      // So far only its SHA-256 was known; now the text is too.
      const isRead = drift?.text === '' && Boolean(data.found?.text);
      return drift?.sha256 === sha256 && !isRead ? [] : [{ type: 'SiteConfigDrifted', data }];
    },
  ),
) {}

/** `sha256`: of the text that the operator reviewed. */
export class AdoptConfig extends command('AdoptConfig', { idempotent: true })(
  ofPresent(({ sha256 }: { sha256: string }, { config, drift }) => {
    if (!drift && config?.sha256 === sha256) return [];
    if (drift?.text === undefined || drift.sha256 !== sha256)
      throw invalidField('sha256', 'this is not the configuration that was found on the server: check again');
    return [{ type: 'SiteConfigAdopted', data: { text: drift.text, sha256 } }];
  }),
) {}

export class RecordConfigRemoval extends command('RecordConfigRemoval', { idempotent: true })(
  ofPresent((data: { file: string }, { config }) => (config ? [{ type: 'SiteConfigRemoved', data }] : [])),
) {}

export const configCommands = [
  RecordAppliedConfig,
  RecordFoundConfig,
  AdoptConfig,
  RecordConfigRemoval,
] as const;

export const configChanges: Changes = {
  SiteConfigApplied: (_, { sha256, file, options }) => ({
    config: { sha256, file, options },
    drift: undefined,
  }),
  SiteConfigAdopted: ({ config }, { sha256 }) =>
    config ? { config: { ...config, sha256 }, drift: undefined } : {},
  SiteConfigDrifted: (_, { found }) => ({ drift: found ?? { sha256: '' } }),
  SiteConfigReturned: () => ({ drift: undefined }),
  SiteConfigRemoved: () => ({ config: undefined, drift: undefined, answer: undefined }),
};
