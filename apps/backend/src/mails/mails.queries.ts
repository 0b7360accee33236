/** Queries that join what the log knows about e-mails with their contents. */
import { emailSources, type ListPage, parseCategories } from '@quarterdeck/projections';
import type { EmailRow, EmailView, StoredEmail } from '@quarterdeck/projections';
import type { ListPageAsked } from '@quarterdeck/events/inputs';
import { notFound } from '../platform/errors';
import { literally } from '../platform/database';
import { inView } from '../platform/in-view';
import type { Pool } from '../platform/tokens';

const email = inView<StoredEmail>('r.view');
const again = inView<StoredEmail>('s.view');

/** Of the answer without pages. */
const MAX_LISTED = 1000;
const PAGE_SIZE = 25;

interface JoinedRow {
  view: StoredEmail;
  sender: string | null;
  recipients: string[] | null;
  subject: string | null;
  envelope_from: string;
  envelope_to: string[];
}

const COLUMNS = 'r.view, e.sender, e.recipients, e.subject, e.envelope_from, e.envelope_to';
const JOINED = 'read.emails r join app.emails e on e.id = r.id::uuid';

/** What is not parsed yet, or cannot be, is listed with what the sending server said. */
const rowOf = ({ view, sender, recipients, subject, envelope_from, envelope_to }: JoinedRow): EmailRow => {
  const { id, product, source, bytes, attachments, state, resentFrom, at, revision } = view;
  return {
    id,
    uuid: id,
    product,
    source,
    bytes,
    attachments,
    state,
    revision,
    from: sender ?? envelope_from,
    recipients: recipients ?? envelope_to,
    subject: subject ?? '',
    logDateAdded: at,
    ...(resentFrom !== undefined && { resentFrom: { id: resentFrom } }),
  };
};

export const listedEmails = async (db: Pool, workspace: string, product: string): Promise<EmailRow[]> => {
  const { rows } = await db.query<JoinedRow>(
    `select ${COLUMNS} from ${JOINED} where r.workspace = $1 and r."productId" = $2
     order by r.at desc, r.id desc limit ${MAX_LISTED}`,
    [workspace, product],
  );
  return rows.map(rowOf);
};

const orders: Readonly<Record<string, string>> = {
  logDateAdded: 'r.at',
  from: 'lower(coalesce(e.sender, e.envelope_from))',
  subject: `lower(coalesce(e.subject, ''))`,
  recipients: `lower(array_to_string(coalesce(e.recipients, e.envelope_to), ','))`,
};

const orderOf = (sort = '-logDateAdded'): string => {
  const by = orders[sort.replace(/^-/, '')] ?? orders['logDateAdded'];
  const way = sort.startsWith('-') ? 'desc' : 'asc';
  return `${by} ${way}, r.id ${way}`;
};

export const pageOfEmails = async (
  db: Pool,
  workspace: string,
  product: string,
  { search = '', sort, filters = {}, page = 1, size = PAGE_SIZE }: ListPageAsked,
): Promise<ListPage<EmailRow>> => {
  const [within, conditions, values] = [
    'r.workspace = $1 and r."productId" = $2',
    [] as string[],
    [workspace, product] as unknown[],
  ];
  const given = (value: unknown): string => `$${values.push(value)}`;
  for (const word of search.toLowerCase().split(/\s+/).filter(Boolean).slice(0, 10))
    conditions.push(`e.search like ${given(`%${literally(word)}%`)}`);
  const sources = filters['source'];
  if (sources !== undefined)
    conditions.push(`${email.text('source')} = any(${given(parseCategories(sources))}::text[])`);
  const matching = [within, ...conditions].join(' and ');
  const count = (where: string) => `(select count(*) from ${JOINED} where ${where})::int`;
  const { rows: counted } = await db.query<{ found: number; total: number }>(
    `select ${count(matching)} as found, ${count(within)} as total`,
    values,
  );
  const { found = 0, total = 0 } = counted[0] ?? {};
  const last = Math.max(1, Math.ceil(found / size));
  const from = (Math.min(page, last) - 1) * size;
  const { rows } = await db.query<JoinedRow>(
    `select ${COLUMNS} from ${JOINED} where ${matching} order by ${orderOf(sort)}
     limit ${given(size)} offset ${given(from)}`,
    values,
  );
  return { rows: rows.map(rowOf), found, total, options: { source: [...emailSources] } };
};

interface DetailRow extends JoinedRow {
  sent_at: string | null;
  message_id: string | null;
  body: string | null;
  cut: boolean;
  html: boolean;
  files: EmailView['files'];
  run: string | null;
  resends: EmailView['resends'];
}

/** @throws DomainError `notFound` */
export const emailDetail = async (db: Pool, workspace: string, id: string): Promise<EmailView> => {
  const { rows } = await db.query<DetailRow>(
    `select ${COLUMNS}, e.sent_at, e.message_id, e.body, e.cut, e.html, e.files, e.run,
       coalesce((
         select json_agg(json_build_object('id', s.id, 'run', n.run, 'at', ${again.text('at')}) order by s.at desc)
         from read.emails s join app.emails n on n.id = s.id::uuid
         where s."resentFrom" = r.id and s.workspace = r.workspace), '[]') as resends
     from ${JOINED} where r.workspace = $1 and r.id = $2`,
    [workspace, id],
  );
  const [row] = rows;
  if (!row) throw notFound('email');
  return {
    ...rowOf(row),
    ...(row.sent_at !== null && { date: row.sent_at }),
    ...(row.message_id !== null && { messageId: row.message_id }),
    body: row.body ?? '',
    cut: row.cut,
    html: row.html,
    envelope: { from: row.envelope_from, recipients: row.envelope_to },
    files: row.files,
    resends: row.resends.map(({ run, ...rest }) => ({ ...rest, ...(run && { run }) })),
    ...(row.run !== null && { run: row.run }),
    editable: row.view.source === 'console',
  };
};

const PART_OF_RAW = 1024 * 1024;

/**
 * The whole message. In parts, because Postgres sends bytes as text: 10 MB would take long to decode at once.
 * @throws DomainError `notFound`
 */
export const rawOf = async (db: Pick<Pool, 'query'>, workspace: string, id: string): Promise<Buffer> => {
  const { rows } = await db.query<{ part: Buffer }>(
    `select substring(e.raw from at for ${PART_OF_RAW}) as part
     from app.emails e, generate_series(1, greatest(octet_length(e.raw), 1), ${PART_OF_RAW}) at
     where e.workspace = $1 and e.id = $2 order by at`,
    [workspace, id],
  );
  if (rows.length === 0) throw notFound('email');
  return Buffer.concat(rows.map(({ part }) => part));
};

/** The whole message of an e-mail that is listed. @throws DomainError `notFound` */
export const rawEmail = async (db: Pool, workspace: string, id: string): Promise<Buffer> => {
  const { rowCount } = await db.query('select from read.emails where workspace = $1 and id = $2', [
    workspace,
    id,
  ]);
  if (rowCount === 0) throw notFound('email');
  return rawOf(db, workspace, id);
};
