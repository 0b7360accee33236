import { isRunFiltered, readRunFilter, withRunFilter } from './run-filter';

const id = '0193f0a0-0000-7000-8000-0000000000ff';
const read = (query: string) => readRunFilter(new URLSearchParams(query));

describe('run filter in the URL', () => {
  it('reads state, kind, server and requester', () => {
    expect(read(`state=failed&kind=script&server=${id}&by=${id}`)).toEqual({
      state: 'failed',
      kind: 'script',
      subject: { kind: 'server', id },
      requestedBy: id,
    });
    expect(read('by=system')).toEqual({ requestedBy: 'system' });
  });

  it('ignores unknown values', () => {
    expect(read('state=odd&kind=<b>&server=1&by=2&page=3')).toEqual({});
    expect([isRunFiltered({}), isRunFiltered({ state: 'failed' })]).toEqual([false, true]);
  });

  it('changes one filter, keeps the other parameters and goes back to the first page', () => {
    const params = new URLSearchParams('state=failed&page=3&q=web');
    expect(withRunFilter(params, 'kind', 'script').toString()).toBe('state=failed&q=web&kind=script');
    expect(withRunFilter(params, 'state', undefined).toString()).toBe('q=web');
    expect(params.toString()).toBe('state=failed&page=3&q=web');
  });
});
