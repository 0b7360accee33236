/** The notifications of a product with what they say in a language: for its own reads, and for the preview. */
import { notification } from '@quarterdeck/events';
import { withOptionNames, type StoredText, type ViewOf } from '@quarterdeck/projections';
import type { ShownNotification } from '@quarterdeck/contract/public-reads';
import type { Language } from '@quarterdeck/texts/languages';
import { inView } from '../platform/in-view';
import type { Pool } from '../platform/tokens';

type Stored = ViewOf<typeof notification>;

const view = inView<Stored>('n.view');
const text = inView<StoredText>('t.view');

/**
 * The last change of a notification or a CMS text of a product, and how many notifications there are: removed ones have
 * no row, so only the number shows that one was removed. `$1`: workspace, `$2`: product.
 */
const VERSION = `(
  select greatest(coalesce(max(n.position), 0), coalesce((
    select max(t.position) from read.texts t where t.workspace = $1 and t.product = $2 and t."isCms"), 0)
  )::text || '.' || count(*)::text
  from read.notifications n where n.workspace = $1 and n.product = $2)`;

/** The version, and when each notification is shown. */
export const NOTIFICATIONS_VERSION = `
  select ${VERSION} as version, (
    select coalesce(json_agg(json_build_object('dateStart', n."dateStart", 'dateEnd', n."dateEnd")), '[]')
    from read.notifications n where n.workspace = $1 and n.product = $2) as windows`;

interface Row {
  version: string;
  notifications: (Pick<
    Stored,
    'id' | 'type' | 'status' | 'isValidationRequired' | 'dateStart' | 'dateEnd'
  > & { cms: { id: string }; key: string | null; own: string | null; english: string | null })[];
}

/** One statement, so they and their version belong together. In the order in which they were added. */
const rowsIn = (language: Language): string => `
  select ${VERSION} as version, (
    select coalesce(json_agg(json_build_object(
      'id', n.id, 'type', n.type, 'status', n.status, 'cms', n.cms, 'isValidationRequired', n."isValidationRequired",
      'dateStart', n."dateStart", 'dateEnd', n."dateEnd", 'key', t.key,
      'own', ${text.text('texts', language)}, 'english', ${text.text('texts', 'en')})
      order by ${view.text('addedAt')}, n.id), '[]')
    from read.notifications n
      left join read.texts t on t.workspace = n.workspace and t.id = n.cms->>'id' and t."isCms" and t."removedAt" is null
    where n.workspace = $1 and n.product = $2) as notifications`;

export interface Reading {
  workspace: string;
  product: string;
  language: Language;
  fallback: 'en' | 'none';
}

type Previewed = Omit<ShownNotification, 'text' | 'language'> &
  Partial<Pick<ShownNotification, 'text' | 'language'>>;

const named = withOptionNames(notification);

/** All notifications of the product, due or not. One without a text says nothing. */
export const previewedIn = async (
  db: Pool,
  { workspace, product, language, fallback }: Reading,
): Promise<{ version: string; all: Previewed[] }> => {
  const { rows } = await db.query<Row>(rowsIn(language), [workspace, product]);
  const [{ version, notifications } = { version: '', notifications: [] }] = rows;
  const all = notifications.map(({ id, cms, key, own, english, ...rest }): Previewed => {
    const shown = own ?? (fallback === 'en' ? english : null);
    const { type, status, ...others } = named(rest) as Pick<Previewed, 'type' | 'status'> & typeof rest;
    return {
      uuid: id,
      type,
      status,
      cms: { uuid: cms.id, key: key ?? '' },
      ...others,
      ...(shown !== null && { text: shown, language: own === null ? 'en' : language }),
    };
  });
  return { version, all };
};

/** Those that say something, due or not. */
export const notificationsIn = async (
  db: Pool,
  reading: Reading,
): Promise<{ version: string; shown: ShownNotification[] }> => {
  const { version, all } = await previewedIn(db, reading);
  return { version, shown: all.filter((one): one is ShownNotification => one.text !== undefined) };
};
