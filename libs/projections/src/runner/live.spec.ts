import type { EventStore } from '@quarterdeck/log/store';
import type { Client } from 'pg';
import { Live, type LiveOptions } from './live';

/** Starts a lead on a connection whose Postgres gives this answer. */
const on = (postgres: () => Promise<object>) => {
  const listeners = new Set<() => void>();
  const session: LiveOptions['session'] = {
    client: { query: postgres } as unknown as Client,
    lost: undefined,
    ask: () => Promise.resolve([]),
    alone: (work) => work(),
    tells: false,
    onLost: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const lead = async (): Promise<number> => {
    let listening = 0;
    const live = new Live({
      session,
      store: {} as EventStore,
      projections: [],
      cachedRows: 1,
      readAtOnce: 1,
      onLead: () => {
        listening = listeners.size;
        live.end();
      },
      onApplied: () => undefined,
      onFault: () => undefined,
    });
    await live.run();
    return listening;
  };
  return { listeners, lead };
};

describe('a lead that has ended', () => {
  test('leaves no listener on the connection, which the next lead uses', async () => {
    const { listeners, lead } = on(() => Promise.resolve({ rows: [] }));
    for (let time = 0; time < 3; time++) expect(await lead()).toBe(1);
    expect(listeners.size).toBe(0);
  });

  test('nor does a lead that never began', async () => {
    const { listeners, lead } = on(() => Promise.reject(new Error('away')));
    await expect(lead()).rejects.toThrow('away');
    expect(listeners.size).toBe(0);
  });
});
