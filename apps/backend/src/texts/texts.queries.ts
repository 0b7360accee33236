/** Queries on the read model of texts. Texts of removed products are not returned. */
import type { InputOf, texts as calls } from '@quarterdeck/contract';
import { product as productNoun } from '@quarterdeck/events';
import { textStates } from '@quarterdeck/events/inputs';
import {
  stateOf,
  type ListPage,
  type StoredText,
  type TextRow,
  type TextUnitView,
  type TextView,
} from '@quarterdeck/projections';
import { idOfLanguage, languageCodes, languages, type Language } from '@quarterdeck/texts';
import type { Pool } from 'pg';
import { literally } from '../platform/database';
import { DomainError, notFound } from '../platform/errors';
import { inView } from '../platform/in-view';
import { requireNamed } from '../platform/kit';

/** A connection, or the database as of an instant. */
export type Queries = Pick<Pool, 'query'>;

const text = inView<StoredText>('t.view');

/** @throws DomainError `notFound` */
export const requireProduct = (db: Queries, workspace: string, id: string): Promise<{ name: string }> =>
  requireNamed(productNoun, db as Pool, workspace, id);

/** The keys of a product. `$1` to `$3` are the workspace, the product and whether they are CMS texts. */
const OF_PRODUCT = `from read.texts t
  where t.workspace = $1 and t.product = $2 and t."isCms" = $3 and t."removedAt" is null`;

/** Only columns: the views are large. */
const ROW = `t.id, t.id as uuid, t.key, t.english, t."isCms", t."isIcu", t.states, t."changedBy", t.revision,
  to_char(t."changedAt" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "changedAt"`;

export const textRows = async (
  db: Queries,
  workspace: string,
  product: string,
  isCms: boolean,
): Promise<TextRow[]> => {
  const { rows } = await db.query<TextRow>(`select ${ROW} ${OF_PRODUCT} order by lower(t.key), t.id`, [
    workspace,
    product,
    isCms,
  ]);
  return rows;
};

const ORDERS: Readonly<Record<string, string>> = {
  key: 'lower(t.key)',
  english: 'lower(t.english)',
  changed: 't.position',
};

const orderOf = (sort: string = 'key'): string => {
  const isDown = sort.startsWith('-');
  const by = ORDERS[isDown ? sort.slice(1) : sort] ?? ORDERS['key'];
  return `${by} ${isDown ? 'desc' : 'asc'}, t.id`;
};

/** The same expression as in the index of trigrams, and then exactly: JSON escapes some characters of texts. */
const SEARCHED = `lower(t.key || ' ' || ${text.text('texts')})`;
const matching = (search: string, add: (value: unknown) => string): string => {
  const [raw, escaped] = [search, JSON.stringify(search).slice(1, -1)].map((one) =>
    add(`%${literally(one)}%`),
  );
  return `(${SEARCHED} like lower(${raw}) or ${SEARCHED} like lower(${escaped}))
    and (lower(t.key) like lower(${raw})
      or exists (select from jsonb_each_text(${text.json('texts')}) one where lower(one.value) like lower(${raw})))`;
};

type PageAsked = InputOf<typeof calls.page>;

const inStates = ({ language, states }: PageAsked, add: (value: unknown) => string): string => {
  const letters = (states ?? []).map((state) => textStates[state]);
  if (letters.length === 0) return '';
  if (language === undefined) return ` and t.states ~ ${add(`[${letters.join('')}]`)}`;
  return ` and substr(t.states, ${add(idOfLanguage(language))}::integer, 1) = any(${add(letters)})`;
};

const PAGE = 25;

export const textPage = async (
  db: Queries,
  workspace: string,
  asked: PageAsked,
): Promise<ListPage<TextRow>> => {
  const { product, isCms = false, search = '', sort, page = 1, size = PAGE } = asked;
  const values: unknown[] = [workspace, product.id, isCms];
  const add = (value: unknown): string => `$${values.push(value)}`;
  const states = inStates(asked, add);
  const condition = states + (search === '' ? '' : ` and ${matching(search, add)}`);
  const counted = [...values];
  const order = `order by ${orderOf(sort)}`;
  // The rows are formatted outside: inside, this would be done with those before the page, too.
  const rowsOf = db.query<TextRow>(
    `select ${ROW} from (
       select t.* ${OF_PRODUCT}${condition} ${order} limit ${add(size)} offset ${add((page - 1) * size)}
     ) t ${order}`,
    values,
  );
  const count = async (where: string, of: unknown[]): Promise<number> => {
    const { rows } = await db.query<{ count: number }>(
      `select count(*)::int as count ${OF_PRODUCT}${where}`,
      of,
    );
    return rows[0]?.count ?? 0;
  };
  const total = count('', counted.slice(0, 3));
  const [{ rows }, found, all] = await Promise.all([
    rowsOf,
    condition === '' ? total : count(condition, counted),
    total,
  ]);
  return { rows, found, total: all, options: {} };
};

export const unitViews = ({ texts, units }: StoredText): TextUnitView[] =>
  languages.flatMap(({ code, name }): TextUnitView[] => {
    const unit = units[code];
    if (!unit) return [];
    const { id, of, isReviewed = false, changedAt, changedBy, revision } = unit;
    const state = stateOf(unit, texts['en']);
    const language = { id: idOfLanguage(code), name };
    const shown = { id, name: texts[code] ?? '', language, state, isReviewed };
    return [{ ...shown, ...(of !== undefined && { of }), changedAt, changedBy, revision }];
  });

const viewOf = (stored: StoredText): TextView => {
  const { id, key, english, isCms, isIcu, states, changedAt, changedBy, revision } = stored;
  const { product, comments, addedAt, addedBy } = stored;
  const row = { id, uuid: id, key, english, isCms, isIcu, states, changedAt, changedBy, revision };
  return { ...row, product: { id: product }, units: unitViews(stored), comments, addedAt, addedBy };
};

const storedWhere = async (
  db: Queries,
  workspace: string,
  condition: string,
  id: string,
): Promise<StoredText | undefined> => {
  const { rows } = await db.query<{ view: StoredText }>(
    `select t.view from read.texts t
     join read.products p on p.workspace = t.workspace and p.id = t.product
     where t.workspace = $1 and t."removedAt" is null and ${condition}`,
    [workspace, id],
  );
  return rows[0]?.view;
};

export const storedText = (db: Queries, workspace: string, id: string) =>
  storedWhere(db, workspace, 't.id = $2', id);

export const textDetail = async (
  db: Queries,
  workspace: string,
  id: string,
): Promise<TextView | undefined> => {
  const stored = await storedText(db, workspace, id);
  return stored && viewOf(stored);
};

/** The key and the language of a text. @throws DomainError `notFound` */
export const requireUnit = async (
  db: Queries,
  workspace: string,
  id: string,
): Promise<{ key: string; language: Language }> => {
  const stored = await storedWhere(db, workspace, 't."unitIds" @> array[$2::text]', id);
  const language = languageCodes.find((code) => stored?.units[code]?.id === id);
  if (!stored || !language) throw notFound('text');
  return { key: stored.id, language };
};

/** How many keys have these states, by the letters of all languages. */
export const statesOf = async (
  db: Queries,
  workspace: string,
  product: string,
  isCms: boolean,
): Promise<{ states: string; count: number }[]> => {
  const { rows } = await db.query<{ states: string; count: number }>(
    `select t.states, count(*)::int as count ${OF_PRODUCT} group by t.states`,
    [workspace, product, isCms],
  );
  return rows;
};

/** By day and `key` or a language, how many more or fewer there were. Also counts keys that were removed later. */
export const changesByDay = async (
  db: Queries,
  workspace: string,
  product: string,
  isCms: boolean,
): Promise<{ day: string; what: string; more: number }[]> => {
  const { rows } = await db.query<{ day: string; what: string; more: number }>(
    `select day.key as day, one.key as what, sum(one.value::int)::int as more
     from read.texts t, jsonb_each(t.days) day, jsonb_each(day.value) one
     where t.workspace = $1 and t.product = $2 and t."isCms" = $3 group by 1, 2 order by 1`,
    [workspace, product, isCms],
  );
  return rows;
};

export const countOfKeys = async (
  db: Queries,
  workspace: string,
  product: string,
  isCms: boolean,
): Promise<number> => {
  const { rows } = await db.query<{ keys: number }>(`select count(*)::int as keys ${OF_PRODUCT}`, [
    workspace,
    product,
    isCms,
  ]);
  return rows[0]?.keys ?? 0;
};

const KEYS_OF_A_PART = 500;
/** In UTF-8, as JSON: bytes in the database are compressed, and say little about memory and time. */
const MAX_ENTRY_BYTES = 64 * 1024 * 1024;

/**
 * All texts of a product by key. Each part is the JSON of `TextEntry[]`: to parse them here would take long, and so would
 * to receive them as one text.
 * @param only languages. Default: all.
 * @throws DomainError if they are too many to be handled at once
 */
export const entriesOfProduct = async (
  db: Queries,
  workspace: string,
  product: string,
  isCms: boolean,
  only?: readonly string[],
): Promise<string[]> => {
  const texts =
    only === undefined
      ? text.json('texts')
      : `(select coalesce(jsonb_object_agg(one.key, one.value), '{}') from jsonb_each(${text.json('texts')}) one
          where one.key = any($4))`;
  const { rows } = await db.query<{ bytes: number; entries: string | null }>(
    `with found as (
       select (row_number() over by_key) - 1 as at, t.key, ${texts} as texts
       ${OF_PRODUCT} window by_key as (order by t.key collate "C")),
     measured as (
       select coalesce(sum(octet_length(key) + octet_length(texts::text)), 0)::float8 as bytes from found),
     parts as (
       select at / ${KEYS_OF_A_PART} as part,
         jsonb_agg(jsonb_build_object('key', key, 'texts', texts) order by at)::text as entries
       from found where (select bytes from measured) <= ${MAX_ENTRY_BYTES} group by 1)
     select bytes, entries from measured left join parts on true order by part`,
    only === undefined ? [workspace, product, isCms] : [workspace, product, isCms, only],
  );
  if ((rows[0]?.bytes ?? 0) > MAX_ENTRY_BYTES) throw tooMuchText(only !== undefined);
  return rows.flatMap(({ entries }) => entries ?? []);
};

const tooMuchText = (isChosen: boolean): DomainError =>
  new DomainError(
    'unprocessable',
    `this product has more than ${MAX_ENTRY_BYTES / 1024 / 1024} MB of texts, too many for a file${isChosen ? ': choose fewer languages' : ''}`,
  );

export const lengthOf = (parts: readonly string[]): number =>
  parts.reduce((sum, { length }) => sum + length, 0);

/** Ids of keys. */
export const idsOfKeys = async (
  db: Queries,
  workspace: string,
  product: string,
  isCms: boolean,
): Promise<Map<string, string>> => {
  const { rows } = await db.query<{ key: string; id: string }>(`select t.key, t.id ${OF_PRODUCT}`, [
    workspace,
    product,
    isCms,
  ]);
  return new Map(rows.map(({ key, id }) => [key, id]));
};
