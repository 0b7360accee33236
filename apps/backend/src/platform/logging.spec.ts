import { openSync } from 'node:fs';
import { createLogger, logFile, NestLogger, requestContext } from './logging';

const written = (work: (logger: ReturnType<typeof createLogger>) => void): Record<string, unknown>[] => {
  const lines: string[] = [];
  work(createLogger('debug', { write: (line) => void lines.push(line) }));
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
};

describe('log lines', () => {
  it('contain correlation id and actor of their request', () => {
    const [line] = written((logger) =>
      requestContext.run({ correlationId: 'c1', actor: 'a1', workspace: 'w1' }, () => logger.info('done')),
    );
    expect(line).toMatchObject({
      level: 'info',
      msg: 'done',
      correlationId: 'c1',
      actor: 'a1',
      workspace: 'w1',
    });
  });

  it('contain no secret, at the top level or nested', () => {
    const secret = 'canary';
    const [line] = written((logger) =>
      logger.info({
        privateKey: secret,
        body: { passphrase: secret, code: secret },
        req: { headers: { cookie: secret } },
      }),
    );
    expect(JSON.stringify(line)).not.toContain(secret);
    expect(line?.privateKey).toBe('*******');
  });

  it("contain an error's message, code and causes, but not its other properties", () => {
    const lost = Object.assign(new Error('connection lost'), { code: '57P01', client: { secretKey: 879 } });
    const [line] = written((logger) =>
      logger.warn({ err: new AggregateError([lost], 'all failed', { cause: lost }) }, 'database'),
    );
    const said = { type: 'Error', message: 'connection lost', errorCode: '57P01', stack: expect.any(String) };
    expect(line?.err).toEqual({
      type: 'AggregateError',
      message: 'all failed',
      stack: expect.any(String),
      cause: said,
      errors: [said],
    });
    expect(written((logger) => logger.warn({ err: 'a text' }))[0]?.err).toBe('a text');
  });

  it('do not end the process if there is no space for them', () => {
    const logger = createLogger('info', logFile(openSync('/dev/full', 'w')));
    for (let i = 0; i < 10_000; i += 1) logger.warn('a line of some length, for which there is no room');
  });

  it("include Nest's messages, with the stack of errors", () => {
    const [quiet, loud] = written((logger) => {
      const nest = new NestLogger(logger);
      nest.log('mapped a route', 'Router');
      nest.error(new Error('broken'), 'Scheduler');
    });
    expect(quiet).toMatchObject({ level: 'debug', msg: 'mapped a route', context: 'Router' });
    expect(loud).toMatchObject({ level: 'error', msg: 'broken', err: { type: 'Error' } });
  });
});
