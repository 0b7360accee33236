// covers: DOM-01, DOM-13
import { certificateOf, type DomainView } from './domain-view';

// Which certificate counts as the domain's own, for its alerts, its place in the calendar and its days left.
const serverName = 'shop.example.org';
const certificate = { serial: 'issued' } as DomainView['certificate'];
const served = (...names: string[]): DomainView['served'] => ({
  at: '2026-11-22T12:00:00.000Z',
  valid: false,
  served: { serial: 'served', names } as NonNullable<DomainView['served']>['served'],
});

test.each([
  ['what is served before what was issued', { certificate, served: served(serverName) }, 'served'],
  ['also by a wildcard, in whatever case', { certificate, served: served('*.Example.ORG') }, 'served'],
  ['not what is served for another name', { certificate, served: served('blog.example.org') }, 'issued'],
  ['not a wildcard of another depth', { served: served('*.org', '*.shop.example.org') }, undefined],
  ['what was issued, where none is shown', { certificate, served: { at: '', valid: false } }, 'issued'],
  ['nothing where there is none', {}, undefined],
])('it is %s', (_which, known, serial) => {
  expect(certificateOf({ serverName, ...known })?.serial).toBe(serial);
});
