import { nouns, type AnyNoun } from '@quarterdeck/events';
import type { HistoryView } from '@quarterdeck/projections';
import { placeWords, saysOf, sentenceOf, subjectName, subjectPath, typeInWords } from './event-words';
import { withDepths } from './chain-depths';
import type { Link } from './history.endpoints';
import { groupByCause } from './history-groups';
import { comparisonIn, comparisonOf } from './use-comparison';
import { EMPTY_TAIL, upTo, withHoleFilled, withLatest, withOlder } from './use-history';

const SERVER = '0199a0b0-0000-7000-8000-000000000001';

const event = (position: number, cause = `c${position}`, more: Partial<HistoryView> = {}): HistoryView => ({
  position: String(position),
  id: `e${position}`,
  type: 'ServerRenamed',
  stream: `server-${SERVER}`,
  revision: position,
  at: '2026-11-20T10:00:00.000Z',
  recordedAt: '2026-11-20T10:00:00.000Z',
  actor: 'a',
  workspace: 'w',
  subject: { category: 'server', id: SERVER, name: 'web-1' },
  category: 'server',
  subjectId: SERVER,
  says: 'renamed',
  correlationId: cause,
  causationId: cause,
  audience: 'admin',
  data: {},
  ...more,
});
const page = (positions: number[], next?: string) => ({
  events: positions.map((p) => event(p)),
  ...(next && { next }),
});
const positions = (events: readonly HistoryView[]) => events.map((e) => Number(e.position));

describe('the tail of the history', () => {
  it('adds newer events above and older ones below, each once', () => {
    let tail = withLatest(EMPTY_TAIL, page([12, 11, 10], '10'));
    tail = withOlder(tail, page([9, 8], undefined));
    tail = withLatest(tail, page([13, 12, 11], '11'));
    expect(positions(tail.events)).toEqual([13, 12, 11, 10, 9, 8]);
    expect(tail).toMatchObject({ next: undefined, hole: undefined });
  });

  it('orders positions numerically, also when they differ in length', () => {
    expect(positions(withLatest(withLatest(EMPTY_TAIL, page([9, 8])), page([10, 9])).events)).toEqual([
      10, 9, 8,
    ]);
  });

  it('tracks a gap when more events arrive than a page holds, until it is filled', () => {
    let tail = withLatest(EMPTY_TAIL, page([3, 2, 1]));
    tail = withLatest(tail, page([9, 8, 7], '7'));
    expect(tail.hole).toEqual({ before: '7', after: '3' });
    tail = withHoleFilled(tail, '7', page([6, 5], '5'));
    expect(tail.hole).toEqual({ before: '5', after: '3' });
    tail = withHoleFilled(tail, '5', page([4, 3], '3'));
    expect(tail.hole).toBeUndefined();
    expect(positions(tail.events)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1]);
  });

  it('loses no events when a second gap opens before the first is filled', () => {
    let tail = withLatest(EMPTY_TAIL, page([3, 2, 1]));
    tail = withLatest(tail, page([9, 8, 7], '7'));
    tail = withLatest(tail, page([15, 14, 13], '13'));
    // The answer for the first gap arrives too late.
    tail = withHoleFilled(tail, '7', page([6, 5], '5'));
    for (const oldest of [10, 7, 4, 1])
      if (tail.hole)
        tail = withHoleFilled(tail, tail.hole.before, page([oldest + 2, oldest + 1, oldest], String(oldest)));
    expect(tail.hole).toBeUndefined();
    expect(positions(tail.events)).toEqual(Array.from({ length: 15 }, (_, n) => 15 - n));
  });

  it('shows no new events to a reader who has scrolled down', () => {
    expect(positions(upTo(page([5, 4, 3]).events, '4'))).toEqual([4, 3]);
  });
});

describe('grouping by cause', () => {
  it('keeps concurrent causes apart, the newest first', () => {
    const rows = groupByCause([
      event(6, 'a'),
      event(5, 'b'),
      event(4, 'a'),
      event(3, 'b'),
      event(2, 'a'),
      event(1, 'x'),
    ]);
    expect(rows.map(({ event: e, place }) => `${e.position} ${place}`)).toEqual([
      '6 first',
      '4 middle',
      '2 last',
      '5 first',
      '3 last',
      '1 only',
    ]);
    expect(rows[0]?.size).toBe(3);
  });
});

describe('event wording', () => {
  it('names event types and finds the page of a subject', () => {
    expect(typeInWords('ServerHostKeyPinned')).toBe('Server host key pinned');
    expect(subjectPath(event(1))).toBe(`/app/server/${SERVER}/detail`);
    expect(subjectPath(event(1, 'c', { subject: { category: 'run', id: 'r' } }))).toBe('/app/run/r');
    expect(subjectPath(event(1, 'c', { subject: { category: 'person', id: 'p' } }))).toBe('/app/members/p');
    expect(subjectPath(event(1, 'c', { subject: { category: 'credentials', id: 'p' } }))).toBe(
      '/app/members/p?tab=credentials',
    );
    expect(subjectPath(event(1, 'c', { subject: { category: 'installation', id: 'i' } }))).toBeUndefined();
  });

  it('links a nested record below its parents, and names them', () => {
    const shop = { category: 'product', id: 'p', name: 'Shop' };
    const at = (category: string, within: HistoryView['subject']['within']) =>
      event(1, 'c', { subject: { category, id: 'x', within } });
    const attribute = at('attribute', [shop, { category: 'entity', id: 'e', name: 'book' }]);
    expect(subjectPath(attribute)).toBe('/app/product/p/detail/data-model/e/detail/attribute/x/detail');
    expect(placeWords(attribute)).toBe('book, Shop');
    expect(subjectPath(at('version', [shop]))).toBe('/app/product/p/detail/version/x/edit');
    const service = { category: 'service', id: 's', name: 'api' };
    const token = at('apptoken', [shop, service]);
    expect(subjectPath(token)).toBe('/app/product/p/detail/service/s/detail/env-var');
    expect(placeWords(token)).toBe('api, Shop');
    const variables = event(1, 'c', { subject: { category: 'variable', id: 's', within: [shop, service] } });
    expect(placeWords(variables)).toBe('Shop');
    const flow = { category: 'workflow', id: 'f' };
    const trigger = { category: 'workflowTrigger', id: 't' };
    expect(subjectPath({ subject: { category: 'workflowtoken', id: 'k', within: [flow, trigger] } })).toBe(
      subjectPath({ subject: { ...trigger, within: [flow] } }),
    );
    // A parent that the read model does not know yet.
    expect(subjectPath(at('attribute', undefined))).toBeUndefined();
    expect(placeWords(event(1))).toBe('');
  });

  it('knows the page of every noun that has a parent', () => {
    const parentsOf = (category: string): { category: string; id: string }[] => {
      const parent = (nouns as readonly AnyNoun[]).find((noun) => noun.category === category)?.within;
      return parent === undefined ? [] : [...parentsOf(parent), { category: parent, id: 'p' }];
    };
    const nested = nouns.filter(({ category }) => parentsOf(category).length > 0);
    const without = nested.filter(
      ({ category }) =>
        subjectPath({ subject: { category, id: 'x', within: parentsOf(category) } }) === undefined,
    );
    expect(nested.length).toBeGreaterThan(9);
    expect(without.map(({ category }) => category)).toEqual([]);
  });

  it('starts a sentence with the run that ended, or with the person who asked', () => {
    const run = { subject: { category: 'run', id: 'r', name: 'Docker images on web-1' }, actor: 'ada' };
    const nameOf = () => 'Ada';
    expect(sentenceOf({ ...run, type: 'RunFailed', says: 'failed: no image' }, nameOf)).toBe(
      'Docker images on web-1 failed: no image',
    );
    expect(sentenceOf({ ...run, type: 'RunCancelRequested', says: 'requested cancellation' }, nameOf)).toBe(
      'Ada requested cancellation',
    );
  });

  it('tells a fact that nobody did without an actor', () => {
    const subject = { category: 'domain', id: 'd', name: 'moved.example.test' };
    const event = { subject, actor: 'ada', type: 'DnsAnswerChanged', says: 'DNS points to 127.99.99.99' };
    expect(sentenceOf(event, () => 'Ada')).toBe('DNS of moved.example.test points to 127.99.99.99');
  });

  it('names the person when somebody else acted on them', () => {
    const nameOf = (id: string) => ({ ada: 'Ada', cli: 'The command line' })[id] ?? id;
    const subject = { category: 'person', id: 'ada' };
    expect(subjectName({ subject }, nameOf)).toBe('Ada');
    expect(saysOf({ subject, actor: 'ada', type: '', says: 'signed in' }, nameOf)).toBe('signed in');
    expect(saysOf({ subject, actor: 'cli', type: '', says: 'joined as admin' }, nameOf)).toBe(
      'added Ada as an admin',
    );
    const byCli = (says: string) => sentenceOf({ subject, actor: 'cli', type: '', says }, nameOf);
    expect(byCli('created a sign-in link')).toBe('The command line created a sign-in link for Ada');
    expect(byCli('was removed from the workspace')).toBe('The command line removed Ada from the workspace');
    expect(byCli('removed a second factor: a passkey SHA256:a')).toBe(
      'The command line removed a second factor of Ada: a passkey SHA256:a',
    );
    expect(subjectName({ subject: { category: 'credentials', id: 'ada' } }, nameOf)).toBe(
      'Credentials of Ada',
    );
    expect(subjectName({ subject: { category: 'server', id: SERVER } }, nameOf)).toBe('server 000001');
  });
});

describe('the depths in a chain of causes', () => {
  it('follow the links from cause to effect', () => {
    const chain: Link[] = [
      event(1),
      { ...event(2), cause: '1' },
      { ...event(3), cause: '2' },
      { ...event(4), cause: '1' },
      event(5),
    ];
    expect(withDepths(chain).map(({ depth }) => depth)).toEqual([0, 1, 2, 1, 0]);
  });

  it('are 0 if the cause is not shown, and never exceed the maximum', () => {
    expect(withDepths([{ ...event(9), cause: '1' }])[0]?.depth).toBe(0);
    const deep = Array.from({ length: 40 }, (_, n): Link => ({ ...event(n + 1), cause: String(n) }));
    expect(withDepths(deep).at(-1)?.depth).toBe(6);
  });
});

// covers: AUD-03
describe('the comparison in the URL', () => {
  it('names two positions, or one position and now', () => {
    expect(comparisonIn('12..34')).toEqual({ from: '12', to: '34' });
    expect(comparisonIn('12..')).toEqual({ from: '12' });
    for (const written of [null, '', '..', '..34', '12', '12..x', '12..34..56', '-1..2'])
      expect(comparisonIn(written)).toBeUndefined();
  });

  it('always runs forwards, comparing positions numerically', () => {
    expect([comparisonOf({ from: '9', to: '10' }), comparisonOf({ from: '9' })]).toEqual(['9..10', '9..']);
    expect([comparisonOf({ from: '10', to: '9' }), comparisonOf({ from: '9', to: '9' })]).toEqual([
      '10..',
      '9..',
    ]);
  });
});
