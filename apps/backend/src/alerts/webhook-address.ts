/** The whole address of a webhook: from the vault, or from the log if version 1 recorded it. */
import { streamName, type EventData } from '@quarterdeck/events';
import type { EventStore, Vault } from '../platform/tokens';

type Webhook = NonNullable<EventData<'AlertsConfigured'>['webhook']>;

export const wholeAddress = async (
  { vault, store }: { vault: Vault; store: EventStore },
  { address, url }: Webhook,
  workspace: string,
): Promise<string | undefined> => {
  if (address) return vault.get({ workspace, ref: address.ref });
  const events = await store.readStream(streamName('workspace', workspace));
  const newest = events.findLast(({ type }) => type === 'AlertsConfigured');
  const recorded = newest?.stored?.data as EventData<'AlertsConfigured'> | undefined;
  return recorded?.webhook?.url ?? url;
};
