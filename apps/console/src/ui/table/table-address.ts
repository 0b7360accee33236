/** The state of a table is in the address, so it can be shared: `?q=web&sort=-alias&page=2&f.port=22..80`. */
import { useMemo } from 'react';
import { useSearchParams } from 'react-router';

export interface TableView {
  search: string;
  sort?: { id: string; desc: boolean };
  /** Counted from 1. */
  page: number;
  filters: { id: string; value: string }[];
}

export interface TableAddress extends TableView {
  /** Any change other than of the page returns to page 1. */
  change: (next: Partial<TableView>) => void;
}

/** Parses `alias`, or `-alias` for descending. */
export const sortIn = (written: string | null | undefined): TableView['sort'] =>
  written ? { id: written.replace(/^-/, ''), desc: written.startsWith('-') } : undefined;

export const sortWritten = (sort: TableView['sort']): string | undefined =>
  sort && `${sort.desc ? '-' : ''}${sort.id}`;

export const filtersById = (filters: TableView['filters']): Record<string, string> =>
  Object.fromEntries(filters.map(({ id, value }) => [id, value]));

export const readView = (params: URLSearchParams, prefix: string): TableView => {
  const sort = sortIn(params.get(`${prefix}sort`));
  const page = Number(params.get(`${prefix}page`) ?? 1);
  const marker = `${prefix}f.`;
  return {
    search: params.get(`${prefix}q`) ?? '',
    ...(sort && { sort }),
    page: Number.isInteger(page) && page > 0 ? page : 1,
    filters: [...params.entries()]
      .filter(([name]) => name.startsWith(marker))
      .map(([name, value]) => ({ id: name.slice(marker.length), value })),
  };
};

export const writeView = (params: URLSearchParams, prefix: string, view: TableView): URLSearchParams => {
  const next = new URLSearchParams(params);
  const put = (name: string, value: string): void => {
    if (value === '') next.delete(prefix + name);
    else next.set(prefix + name, value);
  };
  put('q', view.search);
  put('sort', sortWritten(view.sort) ?? '');
  put('page', view.page > 1 ? String(view.page) : '');
  for (const name of Array.from(next.keys())) if (name.startsWith(`${prefix}f.`)) next.delete(name);
  for (const { id, value } of view.filters) put(`f.${id}`, value);
  return next;
};

export const useTableAddress = (urlKey?: string): TableAddress => {
  const [params, setParams] = useSearchParams();
  const prefix = urlKey ? `${urlKey}.` : '';
  return useMemo(() => {
    const view = readView(params, prefix);
    return {
      ...view,
      change: (next) =>
        setParams((latest) => writeView(latest, prefix, { ...readView(latest, prefix), page: 1, ...next }), {
          // Letters typed into the search or a filter add no history entries.
          replace: next.search !== undefined || next.filters !== undefined,
          preventScrollReset: true,
        }),
    };
  }, [params, prefix, setParams]);
};
