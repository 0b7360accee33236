import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { hook, Hooks, moment } from './hooks';
import { Port } from './port';

const afterRemoval = moment<(id: string) => string>('after removal');
const beforeRemoval = moment<(id: string) => string>('before removal');

@Injectable()
class Cleaning {
  clean(id: string): string {
    return `cleaned ${id}`;
  }
}
@Injectable()
class Archiving {
  archive(id: string): string {
    return `archived ${id}`;
  }
}

@Injectable()
class Archive extends Port<string> {
  constructor() {
    super('which archive keeps it');
  }
  get name(): string {
    return this.given;
  }
}

@Module({ providers: [Hooks, Archive], exports: [Hooks, Archive] })
class Removing {}
@Module({
  imports: [Removing],
  providers: [
    Cleaning,
    Archiving,
    hook({ on: afterRemoval, by: Cleaning, does: (cleaning) => (id) => cleaning.clean(id) }),
    hook({ on: afterRemoval, by: Archiving, does: (archiving) => (id) => archiving.archive(id) }),
    hook({ on: Archive, by: Cleaning, does: (cleaning) => cleaning.clean('here') }),
  ],
})
class Waiting {}

it('does at a moment what the features list for it, and gives a port what one feature provides', async () => {
  const app = await NestFactory.createApplicationContext(Waiting, { logger: false });
  const hooks = app.get(Hooks);
  expect(hooks.of(afterRemoval).map((does) => does('web-1'))).toEqual(['cleaned web-1', 'archived web-1']);
  expect(hooks.of(beforeRemoval)).toEqual([]);
  expect(app.get(Archive).name).toBe('cleaned here');
  await app.close();
});
