/** Filters of the run list in the URL: `?state=failed&kind=script&server=…&by=…`. Pure. */
import { runKinds, type RunFilter } from '../../records/runs';

export const runStates = ['running', 'requested', 'succeeded', 'failed', 'interrupted', 'cancelled'] as const;

const keys = ['state', 'kind', 'server', 'by'] as const;
export type RunFilterKey = (typeof keys)[number];

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Ignores values that are not valid, because anything may be typed into the URL. */
export const readRunFilter = (params: URLSearchParams): RunFilter => {
  const state = runStates.find((one) => one === params.get('state'));
  const kind = runKinds.find(({ value }) => value === params.get('kind'))?.value;
  const server = params.get('server') ?? '';
  const by = params.get('by') ?? '';
  return {
    ...(state && { state }),
    ...(kind && { kind }),
    ...(UUID.test(server) && { subject: { kind: 'server', id: server.toLowerCase() } }),
    ...((UUID.test(by) || by === 'system' || by === 'cli') && { requestedBy: by }),
  };
};

/** `undefined` removes a filter. Drops `page`, because it counts pages of the list before the change. */
export const withRunFilter = (
  params: URLSearchParams,
  key: RunFilterKey,
  value: string | undefined,
): URLSearchParams => {
  const next = new URLSearchParams(params);
  if (value) next.set(key, value);
  else next.delete(key);
  next.delete('page');
  return next;
};

/** The text that is searched for stays. */
export const withoutRunFilters = (params: URLSearchParams): URLSearchParams =>
  keys.reduce((next, key) => withRunFilter(next, key, undefined), params);

export const isRunFiltered = (filter: RunFilter): boolean => Object.keys(filter).length > 0;
