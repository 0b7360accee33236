/** What the work of the channels asks the read models. */
import type { ChannelKind } from '@quarterdeck/events';
import type { AlertMessageView, AlertView, ChannelFields, RuleFields } from '@quarterdeck/projections';
import type { Pool } from 'pg';
import { placeIn, type Due, type AlertPlace } from '../alerts';
import { inView } from '../platform/in-view';

interface ChannelView extends ChannelFields {
  id: string;
  workspace: string;
  addedAt: string;
}

const alert = inView<AlertView>('a.view');
const channel = inView<ChannelView>('c.view');
const message = inView<AlertMessageView>('m.view');
const raisedAt = alert.text('raisedAt');

/** An open alert that a channel may be told about, and where that is. */
export interface Tellable extends AlertPlace {
  channel: ChannelView;
  alert: AlertView;
  /** When the channel was last told about it, by its rule. */
  told: string | null;
}

/** What was open before a channel was added is not sent there. */
const TELLABLE = `
  select c.view as channel, a.view as alert,
    ${placeIn('a.workspace', alert.text('subject', 'kind'), 'a."subjectId"')},
    (select max(coalesce(about ->> 'moment', ${raisedAt})) from read.alert_messages m
      cross join lateral jsonb_array_elements(${message.json('alerts')}) about
      where m."alertKeys" @> array[a.id || ' ' || ${raisedAt}] and m."channelId" = c.id
        and about ->> 'id' = a.id) as told
  from read.alert_channels c
  join read.alerts a on a.workspace = c.workspace and a.state = 'open' and ${raisedAt} > ${channel.text('addedAt')}`;

export const tellable = async (db: Pool): Promise<Tellable[]> => (await db.query<Tellable>(TELLABLE)).rows;

export type EnabledRule = RuleFields & { id: string; workspace: string };

export const enabledRules = async (db: Pool): Promise<EnabledRule[]> => {
  const { rows } = await db.query<{ view: EnabledRule }>('select view from read.alert_rules where enabled');
  return rows.map(({ view }) => view);
};

export interface Followed {
  message: AlertMessageView;
  /** Absent if the channel was removed. */
  kind: ChannelKind | null;
  alerts: AlertView[];
  /** A later message repeats it. */
  isRepeated: boolean;
}

/** Messages whose alerts are all over, or whose channel was removed. */
const OVER = `
  select m.view as message, ${channel.text('kind')} as kind,
    array(select a.view from read.alerts a where a.workspace = m.workspace and a.id = any(m."alertIds")) as alerts,
    exists (select from read.alert_messages later where later."channelId" = m."channelId"
      and later."alertKeys" @> m."alertKeys" and later."queuedAt" > m."queuedAt") as "isRepeated"
  from read.alert_messages m
  left join read.alert_channels c on c.workspace = m.workspace and c.id = m."channelId"
  where m."isFollowed" and (c.id is null or not exists (select from read.alerts a
    where a.workspace = m.workspace and a.id = any(m."alertIds") and a.state = 'open'))`;

export const overMessages = async (db: Pool): Promise<Followed[]> => (await db.query<Followed>(OVER)).rows;

export const alertsOf = async (
  db: Pool,
  { workspace, alertIds }: Pick<AlertMessageView, 'workspace' | 'alertIds'>,
): Promise<AlertView[]> => {
  const { rows } = await db.query<{ view: AlertView }>(
    `select view from read.alerts where workspace = $1 and id = any($2) order by "raisedPosition"`,
    [workspace, alertIds],
  );
  return rows.map(({ view }) => view);
};

export const nameOfWorkspace = async (db: Pool, workspace: string): Promise<string> => {
  const { rows } = await db.query<{ name: string }>('select name from read.workspaces where id = $1', [
    workspace,
  ]);
  return rows[0]?.name ?? '';
};

export interface DueMessage extends Due {
  id: string;
  workspace: string;
}

/** The next message of each channel that is not busy. A receiver that wants to be left alone gets none of them earlier. */
const DUE = `
  select m.lane, m.id, m.workspace, greatest(m.at, (
    select max("restsUntil") from read.alert_messages where "channelId" = m.lane and "restsUntil" is not null)) as at
  from (
    select distinct on ("channelId") "channelId" as lane, id, workspace, "nextAttemptAt" as at
    from read.alert_messages where "nextAttemptAt" is not null and "channelId" <> all($1)
    order by "channelId", "nextAttemptAt", "queuedAt", id) m`;

export const dueMessages = async (db: Pool, busy: string[]): Promise<DueMessage[]> =>
  (await db.query<DueMessage>(DUE, [busy])).rows;

export interface Settled {
  workspace: string;
  id: string;
  name: string;
  message: string;
  state: AlertMessageView['state'];
  says: string | null;
}

/** The newest message of each channel that arrived, or failed for good. A test that failed was told where it was asked. */
const SETTLED = `
  select distinct on (m."channelId") c.workspace, c.id, c.name, m.id as message, m.state,
    ${inView<AlertMessageView>('m.view').text('attempts', '-1', 'says')} as says
  from read.alert_channels c
  join read.alert_messages m on m.workspace = c.workspace and m."channelId" = c.id collate "default"
  where m."settledAt" is not null and (m.state = 'delivered' or (m.state = 'failed' and m.is <> 'test'))
  order by m."channelId", m."settledAt" desc`;

export const settledMessages = async (db: Pool): Promise<Settled[]> =>
  (await db.query<Settled>(SETTLED)).rows;

const shown = async (db: Pool, text: string, values: unknown[]): Promise<AlertMessageView[]> =>
  (await db.query<{ view: AlertMessageView }>(text, values)).rows.map(({ view }) => view);

export const newestMessages = (db: Pool, workspace: string): Promise<AlertMessageView[]> =>
  shown(
    db,
    `select distinct on ("channelId") view from read.alert_messages where workspace = $1
     order by "channelId", "queuedAt" desc, id desc`,
    [workspace],
  );

const MAX_SHOWN = 50;

export const messagesTo = (db: Pool, workspace: string, to: string): Promise<AlertMessageView[]> =>
  shown(
    db,
    `select view from read.alert_messages where workspace = $1 and "channelId" = $2
     order by "queuedAt" desc, id desc limit ${MAX_SHOWN}`,
    [workspace, to],
  );
