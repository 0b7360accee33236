/** Patches the router so that every link and every navigation keeps the chosen instant in the address. */
import type { Store } from '@reduxjs/toolkit';
import { parsePath, type DataRouter, type Path } from 'react-router';
import type { CoreState } from '../hooks';
import { AT, hasAsOf, instantChosen, instantIn } from './as-of-state';

/** Adds the instant, unless the target has its own. An empty `at=` leads back to the present. */
export const withInstant = <P extends Partial<Path>>(to: P, at: string | undefined): P => {
  if (to.pathname?.startsWith('/') && !hasAsOf(to.pathname)) return to;
  const search = new URLSearchParams(to.search);
  if (search.get(AT) === '') search.delete(AT);
  else if (at !== undefined && !search.has(AT)) search.set(AT, at);
  else return to;
  const text = search.toString();
  return { ...to, search: text === '' ? '' : `?${text}` };
};

export const keepInstant = (router: DataRouter, store: Store<CoreState>): void => {
  const { navigate, createHref } = router;
  const chosen = (): string | undefined => store.getState().past.at;
  router.createHref = (location) => createHref(withInstant(location, chosen()));
  router.navigate = ((to: unknown, options: never) => {
    // Stays an object: as a partial path, `?tab=runs` alone means the current page.
    const target = typeof to === 'string' ? parsePath(to) : to;
    const kept = typeof target === 'object' && target !== null ? withInstant(target, chosen()) : target;
    return navigate(kept as never, options);
  }) as DataRouter['navigate'];
  router.subscribe(({ location }) => {
    const now = instantIn(location);
    if (now.at !== chosen()) store.dispatch(instantChosen(now));
  });
};
