/** The events of a workspace as marks on a timeline. */
import type { Role } from '@quarterdeck/events';
import { same, type InstantEvent, type InstantTimeline, type InstantView } from '@quarterdeck/projections';
import type { Pool } from 'pg';
import { askedInstant, type Instant } from '../platform/as-of';
import { positionsBetween } from '../platform/history-times';
import { mayActAs } from '../platform/sessions';

export interface InstantReader {
  workspace: string;
  role: Role;
}

/** The first two query parameters, which limit the history to what the reader may see. */
const visible = ({ workspace, role }: InstantReader): [string, Role[]] => [
  workspace,
  (['member', 'admin', 'superadmin'] as const).filter((audience) => mayActAs(role, audience)),
];

interface Row {
  position: string;
  at: Date;
  actor: string;
  type: string;
  says: string;
  category: string;
  id: string;
  name: string | null;
}

const MINE = `${same('h.workspace', '$1')} and h.audience = any($2)`;

/** The last event at or before the instant, with the name that its subject had then. */
const lastEvent = async (
  db: Pool,
  reader: InstantReader,
  instant: Instant,
): Promise<InstantEvent | undefined> => {
  const { rows } = await askedInstant.run(instant, () =>
    db.query<Row>(
      `select e.*, s.name from (
         select h.position, h.at, h.actor, h.type, h.says, h.category, h."subjectId" as id, h.workspace
         from read.history h where ${MINE} order by h.position desc limit 1) e
       left join read.subjects s on s.workspace = e.workspace and s.id = e.category || '-' || e.id`,
      visible(reader),
    ),
  );
  const [row] = rows;
  if (!row) return undefined;
  const { position, at, actor, type, says, category, id, name } = row;
  return {
    position,
    at: at.toISOString(),
    actor,
    type,
    says,
    subject: { category, id, ...(name !== null && { name }) },
  };
};

const neighbour = (comparison: '<' | '>', order: 'asc' | 'desc'): string =>
  `(select h.position from read.history h where ${MINE} and h.position ${comparison} $3
    order by h.position ${order} limit 1)`;

export const instantDetail = async (
  db: Pool,
  reader: InstantReader,
  instant: Instant,
): Promise<InstantView> => {
  const { position, at } = instant;
  const event = await lastEvent(db, reader, instant);
  const { rows } = await db.query<{ previous: string | null; next: string | null }>(
    `select ${neighbour('<', 'desc')} as previous, ${neighbour('>', 'asc')} as next`,
    [...visible(reader), event?.position ?? position],
  );
  const { previous, next } = rows[0] ?? { previous: null, next: null };
  return {
    position,
    at,
    ...(event && { event }),
    ...(previous !== null && { previous }),
    ...(next !== null && { next }),
  };
};

const STRETCHES = 240;
/** The earliest decision is one of the first events: they are decided nearly in log order. */
const OLDEST = 100;
const [LOWEST, HIGHEST] = ['0', '9223372036854775807'];

export const instantTimeline = async (
  db: Pool,
  reader: InstantReader,
  asked: { from?: string | undefined; to?: string | undefined; stretches?: number | undefined },
  now: Date,
): Promise<InstantTimeline> => {
  const mine = visible(reader);
  const { rows: ends } = await db.query<{ at: Date | null }>(
    `select min(h.at) as at from (
       select h.at from read.history h where ${MINE} order by h.position limit ${OLDEST}) h`,
    mine,
  );
  const from = asked.from ? new Date(asked.from) : (ends[0]?.at ?? now);
  const to = asked.to ? new Date(asked.to) : now;
  const { first = LOWEST, last = HIGHEST } = await positionsBetween(db, {
    from: asked.from && from.toISOString(),
    to: asked.to && to.toISOString(),
  });
  const { rows } = await db.query<{ position: string; at: Date; events: string }>(
    `select max(h.position) as position, max(h.at) as at, count(*) as events from read.history h
     where ${MINE} and h.at >= $3 and h.at <= $4 and h.position between $6::bigint and $7::bigint
     group by floor(extract(epoch from h.at - $3::timestamptz) * $5
       / greatest(extract(epoch from $4::timestamptz - $3::timestamptz), 0.001))
     order by 2`,
    [...mine, from.toISOString(), to.toISOString(), asked.stretches || STRETCHES, first, last],
  );
  const stretches = rows.map(({ position, at, events }) => ({
    position,
    at: at.toISOString(),
    events: Number(events),
  }));
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    events: stretches.reduce((sum, { events }) => sum + events, 0),
    stretches,
  };
};
