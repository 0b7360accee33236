import { exportPath, readFilter, withFilter } from './history-filter';

const SERVER = '0199a0b0-0000-7000-8000-000000000001';

describe('history filters in the URL', () => {
  it('are read back as they were written (covers: SHELL-11)', () => {
    let params = new URLSearchParams();
    params = withFilter(params, { text: 'web', type: ['ServerRenamed', 'RunFailed'], actor: 'cli' });
    params = withFilter(params, { category: 'server', id: SERVER, from: '2026-11-20T10:00:00.000Z' });
    expect(readFilter(params)).toEqual({
      text: 'web',
      types: ['ServerRenamed', 'RunFailed'],
      actor: 'cli',
      subject: { category: 'server', id: SERVER },
      from: '2026-11-20T10:00:00.000Z',
    });
    expect(readFilter(withFilter(params, { text: undefined, type: [] }))).not.toHaveProperty('text');
  });

  it('are part of the export URL', () => {
    const filter = {
      text: 'a&b',
      types: ['ServerMoved', 'RunFailed'],
      subject: { category: 'product', id: SERVER, parts: true },
    };
    const [path, query] = exportPath(filter, 'csv').split('?');
    expect(path).toBe('/api/history/export');
    expect(readFilter(new URLSearchParams(query))).toEqual(filter);
    expect(exportPath({}, 'jsonl')).toBe('/api/history/export?format=jsonl');
    expect(exportPath({}, 'csv', '41')).toBe('/api/history/export?format=csv&at=41');
  });

  it('ignore invalid values', () => {
    expect(readFilter(new URLSearchParams('from=yesterday&category=server&id=nonsense&type='))).toEqual({
      subject: { category: 'server' },
    });
  });
});
