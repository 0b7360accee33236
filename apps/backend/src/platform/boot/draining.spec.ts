import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { closeGracefully, drain } from './draining';
import type { Readiness } from './readiness';

describe('a process that is asked to end', () => {
  const served = (connections: number, watched: boolean, came = -Infinity) => {
    const heard: string[] = [];
    const readiness = { draining: false, isWatched: () => watched } as Readiness;
    const server = {
      getConnections: (tell: (error: null, count: number) => void) => {
        tell(null, connections);
        return server;
      },
      close: () => {
        connections = 0;
        heard.push('closed');
      },
    };
    return {
      heard,
      readiness,
      server: server as never,
      lastCame: () => came,
      dismiss: () => void heard.push('leave'),
    };
  };
  const never = new AbortController().signal;
  /** Longer than any test may take. */
  const AGES_MS = 3_600_000;

  it('closes at once if nobody is connected or looks', async () => {
    const about = served(0, false);
    await drain(about, AGES_MS, never);
    expect([about.readiness.draining, about.heard]).toEqual([true, ['closed']]);
  });

  it.each([
    [1, false],
    [0, true],
  ])('waits for %i connections, looked at: %s, and asks sockets to leave, once', async (open, watched) => {
    const about = served(open, watched);
    const began = performance.now();
    await drain(about, 300, never);
    expect(performance.now() - began).toBeGreaterThanOrEqual(300);
    expect(about.heard).toEqual(['leave', 'closed']);
  });

  it('waits as long as connections come, though none is open at the moment', async () => {
    const about = served(0, false, performance.now());
    const began = performance.now();
    await drain(about, AGES_MS, never);
    expect(performance.now() - began).toBeGreaterThanOrEqual(400);
    expect(about.heard).toEqual(['closed']);
  });

  it('may close its server more than once', async () => {
    const server = createServer();
    closeGracefully(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    await Promise.all([1, 2].map(() => new Promise((resolve) => server.close(resolve))));
    expect(server.listening).toBe(false);
  });

  it('takes the connections that wait before it stops listening', async () => {
    const server = createServer((_, answer) => void answer.setHeader('connection', 'close').end('answered'));
    closeGracefully(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const answers: Promise<string>[] = [];
    const ask = (): void => {
      const socket = connect(port, '127.0.0.1');
      socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
      answers.push(text(socket));
    };
    ask();
    await new Promise<void>((resolve) => {
      server.once('connection', () => {
        // The operating system accepts these at once, and the server has not seen them yet.
        for (let nth = 0; nth < 20; nth += 1) ask();
        server.close(() => resolve());
      });
    });
    for (const answer of await Promise.all(answers)) expect(answer).toContain('answered');
  });

  it('does not wait any longer if it is asked again', async () => {
    const hurry = new AbortController();
    const over = drain(served(1, true), AGES_MS, hurry.signal);
    hurry.abort();
    await over;
  });
});
