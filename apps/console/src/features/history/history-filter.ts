/** Filters of the history in the URL: `?text=web&type=ServerRegistered&actor=…&from=…`. Pure. */
import type { HistoryFilter } from '../../records/history';

type FilterKey = 'text' | 'type' | 'category' | 'id' | 'parts' | 'actor' | 'from' | 'to' | 'cause';

const instant = (written: string | null): string | undefined => {
  const time = Date.parse(written ?? '');
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
};

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Ignores values that are not valid, because anything may be typed into the URL. */
export const readFilter = (params: URLSearchParams): HistoryFilter => {
  const types = params.getAll('type').filter((type) => type !== '');
  const category = params.get('category');
  const id = params.get('id');
  const [from, to] = [instant(params.get('from')), instant(params.get('to'))];
  const [text, actor, cause] = [params.get('text'), params.get('actor'), params.get('cause')];
  return {
    ...(text && { text: text.slice(0, 200) }),
    ...(types.length > 0 && { types: types.slice(0, 100) }),
    ...(category && {
      subject: {
        category,
        ...(id && UUID.test(id) && { id, ...(params.get('parts') === 'true' && { parts: true }) }),
      },
    }),
    ...(actor && { actor }),
    ...(from && { from }),
    ...(to && { to }),
    ...(cause && { cause }),
  };
};

/** `undefined` removes a filter. */
export type FilterChange = Partial<
  Record<Exclude<FilterKey, 'type'>, string | undefined> & { type: readonly string[] }
>;

export const withFilter = (params: URLSearchParams, change: FilterChange): URLSearchParams => {
  const next = new URLSearchParams(params);
  for (const [key, value] of Object.entries(change)) {
    next.delete(key);
    for (const one of Array.isArray(value) ? value : [value]) if (one) next.append(key, one);
  }
  return next;
};

/** URL that exports the same events as a file. `at`: the instant shown, in a view of the past. */
export const exportPath = (
  { types = [], subject, ...rest }: HistoryFilter,
  format: 'csv' | 'jsonl',
  at?: string,
): string => {
  const { category, id, parts } = subject ?? {};
  const params = withFilter(new URLSearchParams({ format }), {
    ...rest,
    type: types,
    category,
    id,
    parts: parts ? 'true' : undefined,
  });
  if (at !== undefined) params.set('at', at);
  return `/api/history/export?${params}`;
};

export const isFiltered = (filter: HistoryFilter): boolean => Object.keys(filter).length > 0;
