import { drain } from './draining';
import type { Readiness } from './readiness';

describe('a process that is asked to end', () => {
  const served = (connections: number, watched: boolean) => {
    const heard: string[] = [];
    const readiness = { draining: false, isWatched: () => watched } as Readiness;
    const server = {
      getConnections: (tell: (error: null, count: number) => void) => {
        tell(null, connections);
        return server;
      },
    };
    return { heard, readiness, server: server as never, dismiss: () => void heard.push('leave') };
  };
  const never = new AbortController().signal;
  /** Longer than any test may take. */
  const AGES_MS = 3_600_000;

  it('closes at once if nobody is connected or looks', async () => {
    const about = served(0, false);
    await drain(about, AGES_MS, never);
    expect([about.readiness.draining, about.heard]).toEqual([true, []]);
  });

  it.each([
    [1, false],
    [0, true],
  ])('waits for %i connections, looked at: %s, and asks sockets to leave, once', async (open, watched) => {
    const about = served(open, watched);
    const began = performance.now();
    await drain(about, 300, never);
    expect(performance.now() - began).toBeGreaterThanOrEqual(300);
    expect(about.heard).toEqual(['leave']);
  });

  it('does not wait any longer if it is asked again', async () => {
    const hurry = new AbortController();
    const over = drain(served(1, true), AGES_MS, hurry.signal);
    hurry.abort();
    await over;
  });
});
