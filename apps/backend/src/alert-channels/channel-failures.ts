/** Raises an alert when a message to a channel failed for good, and ends it when a later one arrives. */
import type { AlertView } from '@quarterdeck/projections';
import { v5 as uuidv5 } from 'uuid';
import { Watch } from '../alerts';
import { inView } from '../platform/in-view';
import { settledMessages } from './channels.queries';

const NAMESPACE = '0c5b1c52-7a4c-4d0a-8a0e-61f4d5a3b9d4';

const OPEN = `
  select id, workspace, "subjectId" as channel from read.alerts
  where state = 'open' and ${inView<AlertView>('view').text('about')} = 'channelFailed'`;

export class ChannelFailures extends Watch {
  protected readonly everyMs = 5 * 60_000;
  protected override readonly after = [
    'AlertMessageDelivered',
    'AlertMessageFailed',
    'AlertChannelRemoved',
    'AlertChannelRestored',
  ];

  protected async settle(): Promise<void> {
    const settled = await settledMessages(this.deps.db);
    const failing = new Map(settled.filter(({ state }) => state === 'failed').map((one) => [one.id, one]));
    const { rows } = await this.deps.db.query<{ id: string; workspace: string; channel: string }>(OPEN);
    const open = new Set(rows.map(({ channel }) => channel));
    for (const { id, workspace, channel } of rows)
      if (!failing.has(channel))
        await this.resolve(id, 'a message arrived, or the channel was removed', workspace);
    for (const { workspace, id, name, message, says } of failing.values()) {
      if (open.has(id)) continue;
      const subject = { kind: 'alertChannel', id, name };
      const text = `Alerts do not reach the channel ${name}: ${says ?? 'no answer'}.`;
      await this.raise(
        uuidv5(message, NAMESPACE),
        { subject, about: 'channelFailed', says: text },
        workspace,
      );
    }
  }
}
