/** Routes that only tests have: they fail, count and answer as they are told. */
import { Body, Controller, Get, HttpCode, Module, Param, Post } from '@nestjs/common';
import { integer, object, text } from '@quarterdeck/events/inputs';
import {
  EventIdTaken,
  LogForbidden,
  StoreUnavailable,
  StreamDeleted,
  WrongExpectedRevision,
} from '@quarterdeck/events/store';
import type { z } from 'zod';
import { Access, Meta } from './access';
import { written } from './answers';
import { conflict, DomainError, notFound } from './errors';
import type { CommandMeta } from './session';
import { valid } from './validation';

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
  taken: () => new EventIdTaken('ServerRenamed'),
  integer: () => databaseError('22003'),
  unique: () => databaseError('23505'),
  shutdown: () => databaseError('57P01'),
  refused: () => databaseError('ECONNREFUSED'),
  full: () => new StoreUnavailable(databaseError('53100')),
  queued: () => new Error('timeout exceeded when trying to connect'),
  bug: () => new TypeError('canary of a bug'),
};

/** How often `effect` had an effect, and under which ids. */
export const effects: CommandMeta[] = [];

@Controller('trial')
class TrialController {
  @Get('fail/:how')
  @Access('public')
  fail(@Param('how') how: string): never {
    throw failures[how]?.() ?? new Error(how);
  }

  @Post('echo')
  @HttpCode(200)
  @Access('member')
  echo(@Body(valid(input)) body: z.infer<typeof input>): object {
    return body;
  }

  @Post('effect')
  @Access('member')
  async effect(
    @Body(valid(input)) { name }: z.infer<typeof input>,
    @Meta() meta: CommandMeta,
  ): Promise<unknown> {
    await new Promise((resolve) => setTimeout(resolve, 50));
    if (name === 'fails') throw new DomainError('unavailable', 'not now');
    effects.push(meta);
    return written({ name, effect: effects.length }, '1');
  }

  @Post('secret')
  @Access('admin', { receipt: false })
  secret(): object {
    effects.push({} as CommandMeta);
    return { privateKey: 'canary' };
  }

  @Get('change')
  @Access('superadmin', { changes: true })
  change(): object {
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

/** Forgets to say who may call it. */
@Module({ controllers: [CarelessController] })
export class CarelessModule {}
