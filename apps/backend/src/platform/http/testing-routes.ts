/** Test-only routes that fail, count and answer on demand. */
import { Controller, Get, Module } from '@nestjs/common';
import { calls, type InputOf } from '@quarterdeck/contract';
import { integer, object, text } from '@quarterdeck/events/inputs';
import {
  EventIdTaken,
  LogForbidden,
  StoreUnavailable,
  StreamCut,
  StreamDeleted,
  WrongExpectedRevision,
} from '@quarterdeck/log/store';
import { z } from 'zod';
import { written } from './answers';
import { Answers, type Asker } from './call';
import { conflict, DomainError, notFound } from '../errors';
import type { CommandMeta } from '../sessions';

const input = object({ name: text(), count: integer().optional() });

const databaseError = (code: string): Error =>
  Object.assign(new Error('canary detail of the database'), { code });

const failures: Record<string, () => Error> = {
  invalid: () => new DomainError('invalid', 'not like this', { alias: 'not like this' }),
  unknown: () => notFound('server'),
  conflict: () => conflict('somebody else changed it', { id: '1' }),
  upstream: () => new DomainError('upstream', 'the host did not answer', undefined, { code: 'timeout' }),
  revision: () => new WrongExpectedRevision('server-1', 3, 4),
  store: () => new StoreUnavailable(new Error('canary')),
  forbidden: () => new LogForbidden(new Error('canary')),
  deleted: () => new StreamDeleted('server-1', new Error('canary')),
  cut: () => new StreamCut('server-1', '$maxCount 5'),
  taken: () => new EventIdTaken('ServerRenamed'),
  integer: () => databaseError('22003'),
  unique: () => databaseError('23505'),
  shutdown: () => databaseError('57P01'),
  refused: () => databaseError('ECONNREFUSED'),
  full: () => new StoreUnavailable(databaseError('53100')),
  queued: () => new Error('timeout exceeded when trying to connect'),
  bug: () => new TypeError('canary of a bug'),
};

/** The metas of all executed effects. */
export const effects: CommandMeta[] = [];

const example = { name: 'Ada', count: 1 } as const;
const anything = { input: z.object({}), answer: z.unknown() };

export const trial = calls('trial', 'member', {
  fail: {
    summary: 'Fails as it is told',
    access: 'public',
    method: 'GET',
    path: 'fail/:how',
    input: object({ how: text() }),
    example: { how: 'bug' },
    answer: z.unknown(),
    shows: [],
  },
  echo: { summary: 'Answers what it is given', input, example, answer: input },
  effect: { summary: 'Counts', input, example, answer: z.unknown() },
  secret: { summary: 'Answers a secret', access: 'admin', receipt: false, ...anything },
  change: { summary: 'A GET that changes something', access: 'superadmin', method: 'GET', ...anything },
});

@Controller()
class TrialController {
  @Answers(trial.fail)
  fail({ how }: InputOf<typeof trial.fail>): never {
    throw failures[how]?.() ?? new Error(how);
  }

  @Answers(trial.echo)
  echo(given: InputOf<typeof trial.echo>) {
    return given;
  }

  @Answers(trial.effect)
  async effect({ name }: InputOf<typeof trial.effect>, { meta }: Asker) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    if (name === 'fails') throw new DomainError('unavailable', 'not now');
    effects.push(meta);
    return written({ name, effect: effects.length }, '1');
  }

  @Answers(trial.secret)
  secret() {
    effects.push({} as CommandMeta);
    return { privateKey: 'canary' };
  }

  @Answers(trial.change)
  change() {
    return {};
  }
}

@Module({ controllers: [TrialController] })
export class TrialModule {}

@Controller('trial')
class CarelessController {
  @Get('careless')
  careless(): object {
    return {};
  }
}

/** Not bound to a call, so nothing declares who may call it. */
@Module({ controllers: [CarelessController] })
export class CarelessModule {}
