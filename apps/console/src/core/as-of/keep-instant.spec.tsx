// covers: AUD-03
import { createMemoryRouter } from 'react-router';
import { createStore } from '../../app/store';
import { keepInstant, withInstant } from './keep-instant';
import { instantIn } from './as-of-state';

describe('the instant in the address', () => {
  test('is added to every target below /app that has none of its own', () => {
    expect(withInstant({ pathname: '/app/server', search: '?tab=runs' }, '41').search).toBe(
      '?tab=runs&at=41',
    );
    expect(withInstant({ search: '?tab=runs' }, '41').search).toBe('?tab=runs&at=41');
    expect(withInstant({ pathname: '/app/server', search: '?at=7' }, '41').search).toBe('?at=7');
    expect(withInstant({ pathname: '/app/server' }, undefined)).toEqual({ pathname: '/app/server' });
    expect(withInstant({ pathname: '/login' }, '41')).toEqual({ pathname: '/login' });
  });

  test('is dropped by a target with an empty `at=`', () => {
    expect(withInstant({ pathname: '/app/server', search: '?tab=runs&at=' }, '41').search).toBe('?tab=runs');
    expect(withInstant({ pathname: '/app/server', search: '?at=' }, '41').search).toBe('');
  });

  test('is ignored outside /app, and when empty', () => {
    expect(instantIn({ pathname: '/app/server', search: '?at=41' })).toEqual({ at: '41' });
    expect(instantIn({ pathname: '/app/server', search: '?at=' })).toEqual({});
    expect(instantIn({ pathname: '/login', search: '?at=41' })).toEqual({});
  });

  test.each([
    ['?tab=runs', '/app/server?tab=runs', '/app/server?tab=runs&at=41'],
    ['/app/run', '/app/run', '/app/run?at=41'],
    ['#below', '/app/server#below', '/app/server?at=41#below'],
  ])('is kept when navigating to %s, and nothing else changes', async (to, now, then) => {
    const store = createStore();
    const router = createMemoryRouter([{ path: '*' }], { initialEntries: ['/app/server'] });
    keepInstant(router, store);
    const place = () => {
      const { pathname, search, hash } = router.state.location;
      return `${pathname}${search}${hash}`;
    };
    await router.navigate(to);
    expect(place()).toBe(now);
    await router.navigate('/app/server?at=41');
    await router.navigate(to);
    expect(place()).toBe(then);
    router.dispose();
  });
});
