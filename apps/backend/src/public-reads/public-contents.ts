/** What a product reads, from the read models: of the present, or of the instant that is asked about. */
import type { PublicRead, ShownNotification } from '@quarterdeck/contract/public-reads';
import { edgesOf, phaseAt } from '@quarterdeck/events';
import type { StoredText } from '@quarterdeck/projections';
import type { Language } from '@quarterdeck/texts';
import { DomainError } from '../platform/errors';
import { inView } from '../platform/in-view';
import type { Pool } from '../platform/tokens';
import { notificationsIn, NOTIFICATIONS_VERSION } from '../notifications';

export interface ReadRequest {
  what: PublicRead;
  product: string;
  workspace: string;
  language: Language;
  fallback: 'en' | 'none';
}

/** What the answer follows from. */
export interface Version {
  /** Position of the last change. Read models that do not show what was removed add their number of rows. */
  version: string;
  /** The times at which the notifications that are due change, in their order. */
  edges: readonly number[];
}

export interface Content extends Version {
  /** JSON. Of notifications all of them, each with its window. */
  body: string;
}

const MAX_BYTES = 32 * 1024 * 1024;

const text = inView<StoredText>('t.view');

/** `$1`: workspace, `$2`: product, `$3`: whether CMS texts. */
const VERSION = `
  select coalesce(max(t.position), 0)::text as version
  from read.texts t where t.workspace = $1 and t.product = $2 and t."isCms" = $3`;

const saysIn = (language: Language, fallback: ReadRequest['fallback']): string =>
  fallback === 'en'
    ? `coalesce(${text.text('texts', language)}, ${text.text('texts', 'en')})`
    : text.text('texts', language);

/** One statement, so the texts and their version belong together. The database writes the JSON: it may be long. */
const textsIn = (language: Language, fallback: ReadRequest['fallback']): string => `
  with found as (
    select t.key, t.position, case when t."removedAt" is null then ${saysIn(language, fallback)} end as says
    from read.texts t where t.workspace = $1 and t.product = $2 and t."isCms" = $3),
  measured as (
    select coalesce(max(position), 0)::text as version,
      coalesce(sum(octet_length(says)), 0) as bytes from found)
  select version, case when bytes <= ${MAX_BYTES} then '{' || coalesce((
    select string_agg(to_json(key)::text || ':' || to_json(says)::text, ',' order by key collate "C")
    from found where says is not null), '') || '}' end as body
  from measured`;

const isCms = ({ what }: ReadRequest): boolean => what === 'cms';

const tooLarge = (): DomainError =>
  new DomainError(
    'conflict',
    `the texts of this language have more than ${MAX_BYTES / 1024 / 1024} MB together, which is more than an answer may have`,
  );

export const versionOf = async (db: Pool, asked: ReadRequest): Promise<Version> => {
  const { workspace, product, what } = asked;
  if (what !== 'notification') {
    const { rows } = await db.query<{ version: string }>({
      name: 'version-of-texts',
      text: VERSION,
      values: [workspace, product, isCms(asked)],
    });
    return { version: rows[0]?.version ?? '', edges: [] };
  }
  const { rows } = await db.query<{ version: string; windows: Window[] }>(NOTIFICATIONS_VERSION, [
    workspace,
    product,
  ]);
  return { version: rows[0]?.version ?? '', edges: edgesOf(rows[0]?.windows ?? []) };
};

export const contentOf = async (db: Pool, asked: ReadRequest): Promise<Content> => {
  const { workspace, product, language, fallback } = asked;
  if (asked.what === 'notification') {
    const { version, shown } = await notificationsIn(db, { workspace, product, language, fallback });
    return { version, edges: edgesOf(shown), body: JSON.stringify(shown) };
  }
  const { rows } = await db.query<{ version: string; body: string | null }>(textsIn(language, fallback), [
    workspace,
    product,
    isCms(asked),
  ]);
  const [{ version, body } = { version: '', body: '{}' }] = rows;
  if (body === null) throw tooLarge();
  return { version, edges: [], body };
};

type Window = Pick<ShownNotification, 'dateStart' | 'dateEnd'>;

/** Grows with each edge that has passed. @param at milliseconds since 1970 */
export const etagOf = (
  { version, edges }: Version,
  { language, fallback }: ReadRequest,
  at: number,
): string => {
  const passed = edges.filter((edge) => edge <= at).length;
  return `"${[version, language, ...(fallback === 'none' ? [fallback] : []), ...(edges.length > 0 ? [passed] : [])].join('-')}"`;
};

/** The body that is due then. */
export const bodyAt = ({ body }: Content, { what }: ReadRequest, at: number): string =>
  what === 'notification'
    ? JSON.stringify((JSON.parse(body) as ShownNotification[]).filter((one) => phaseAt(one, at) === 'due'))
    : body;
