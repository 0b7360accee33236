/** The configuration of a domain on its server: the applied text, and what was found in its place. */
import { nameOnDisk, type EventData, type EventsOf } from '@quarterdeck/events';
import type { domainEvents } from '@quarterdeck/events/catalogue';
import { command, type CommandOf } from '../platform/decider';
import { DomainError, invalidField } from '../platform/errors';

export type ConfigEvent = Extract<EventsOf<typeof domainEvents>, { type: `SiteConfig${string}` }>;
type AppliedConfig = EventData<'SiteConfigApplied'>;

export interface ConfigState {
  config?: Pick<AppliedConfig, 'sha256' | 'file' | 'options'>;
  /** The text that was found in its place; `''` if the file was missing. */
  drift?: { sha256: string; text?: string };
}

export class RecordAppliedConfig extends command('RecordAppliedConfig')<AppliedConfig>() {}
/**
 * The text on the server now; absent if the file is missing. `against`: SHA-256 of the expected text at the time of the
 * look.
 */
export class RecordFoundConfig extends command('RecordFoundConfig', { idempotent: true })<
  EventData<'SiteConfigDrifted'> & { against?: string }
>() {}
/** `sha256`: of the text that the operator reviewed. */
export class AdoptConfig extends command('AdoptConfig', { idempotent: true })<{ sha256: string }>() {}
export class RecordConfigRemoval extends command('RecordConfigRemoval', { idempotent: true })<{
  file: string;
}>() {}
export const configCommands = [RecordAppliedConfig, RecordFoundConfig, AdoptConfig, RecordConfigRemoval];

/** For another name: the domain was renamed during the apply, and nobody would look for that file. */
const apply = ({ data }: RecordAppliedConfig, serverName: string): ConfigEvent[] => {
  if (data.file !== `${nameOnDisk(serverName)}.conf`)
    throw new DomainError(
      'conflict',
      `this domain is now called ${serverName}: ${data.file} is still on the server and belongs to no domain`,
    );
  return [{ type: 'SiteConfigApplied', data }];
};

const found = (
  { data: { against, ...data } }: RecordFoundConfig,
  { config, drift }: ConfigState,
): ConfigEvent[] => {
  // Another configuration has gone live since the look.
  if (!config || (against ?? config.sha256) !== config.sha256) return [];
  const sha256 = data.found?.sha256 ?? '';
  if (sha256 === config.sha256) return drift ? [{ type: 'SiteConfigReturned', data: { sha256 } }] : [];
  // So far only its SHA-256 was known; now the text is too.
  const isRead = drift?.text === '' && Boolean(data.found?.text);
  return drift?.sha256 === sha256 && !isRead ? [] : [{ type: 'SiteConfigDrifted', data }];
};

const adopt = ({ data }: AdoptConfig, { config, drift }: ConfigState): ConfigEvent[] => {
  if (!drift && config?.sha256 === data.sha256) return [];
  if (drift?.text === undefined || drift.sha256 !== data.sha256)
    throw invalidField('sha256', 'this is not the configuration that was found on the server: check again');
  return [{ type: 'SiteConfigAdopted', data: { text: drift.text, sha256: drift.sha256 } }];
};

export const decideConfig = (
  given: CommandOf<typeof configCommands>,
  state: ConfigState & { serverName: string },
): ConfigEvent[] => {
  switch (given.type) {
    case 'RecordAppliedConfig':
      return apply(given, state.serverName);
    case 'RecordFoundConfig':
      return found(given, state);
    case 'AdoptConfig':
      return adopt(given, state);
    case 'RecordConfigRemoval':
      return state.config ? [{ type: 'SiteConfigRemoved', data: given.data }] : [];
  }
};

export const evolveConfig = ({ config, drift }: ConfigState, event: ConfigEvent): ConfigState => {
  const known = config && { config };
  switch (event.type) {
    case 'SiteConfigApplied': {
      const { sha256, file, options } = event.data;
      return { config: { sha256, file, options } };
    }
    case 'SiteConfigAdopted':
      return config ? { config: { ...config, sha256: event.data.sha256 } } : { ...(drift && { drift }) };
    case 'SiteConfigDrifted':
      return { ...known, drift: event.data.found ?? { sha256: '' } };
    case 'SiteConfigReturned':
      return { ...known };
    case 'SiteConfigRemoved':
      return {};
  }
};
