/** Plants violations of the API contract. They must fail to compile, prevent the start, or fail the call. */
import { Controller, Get, Module } from '@nestjs/common';
import { calls, contractOf, scripts, type InputOf } from '@quarterdeck/contract';
import { demo } from '@quarterdeck/contract/demo';
import { byId, nothing } from '@quarterdeck/events/inputs';
import { z } from 'zod';
import { Answers } from '../../apps/backend/src/platform/http/call';
import { checkBindings } from '../../apps/backend/src/platform/http/bindings';
import { startBackend } from '../../testing/backend';
import { startTestPostgres } from '../../testing/postgres';

const named = { summary: 'A thing', answer: z.strictObject({ name: z.string() }) } as const;

const planted = calls('planted', 'member', {
  same: { ...named, input: nothing, shows: [] },
  more: { ...named, input: nothing, shows: [] },
  less: { ...named, input: byId, example: { id: demo.server }, shows: [] },
  file: { ...named, input: nothing, shows: [], answer: z.unknown(), produces: ['text/plain'] },
});

@Controller()
class PlantedController {
  @Answers(planted.same)
  same(): { name: string } {
    return Object.assign({ name: 'a' }, { position: undefined });
  }

  @Answers(planted.more)
  more(): { name: string } {
    return Object.assign({ name: 'a' }, { secret: 'canary' });
  }

  @Answers(planted.less)
  less(): { name: string } {
    return JSON.parse('{}') as { name: string };
  }

  @Answers(planted.file)
  file() {
    return 'as it is';
  }
}

@Module({ controllers: [PlantedController] })
class PlantedModule {}

@Controller()
class SecondController {
  @Answers(planted.same)
  again() {
    return { name: 'b' };
  }
}

const doNotCompile = () => [
  // @ts-expect-error the noun does not say who may make its calls
  calls('planted', { same: { ...named, input: nothing } }),
  // @ts-expect-error the call has no example
  calls('planted', 'member', { less: { ...named, input: byId } }),
  // @ts-expect-error the call does not accept its example
  calls('planted', 'member', { less: { ...named, input: byId, example: { id: 1 } } }),
];

class DoesNotCompile {
  // @ts-expect-error the answer does not match the contract
  @Answers(planted.same)
  answer() {
    return { nome: 'a' };
  }

  // @ts-expect-error the answer has an undeclared field
  @Answers(planted.more)
  more() {
    return { name: 'a', secret: 'canary' };
  }

  // @ts-expect-error the input does not match the contract
  @Answers(planted.less)
  input({ name }: { name: string }) {
    return { name };
  }

  async detail({ id }: InputOf<typeof scripts.detail>) {
    // @ts-expect-error an id is text
    return id * 2;
  }
}

test('the type check covers code that must not compile', () => {
  expect(Object.getOwnPropertyNames(DoesNotCompile.prototype)).toContain('input');
  expect(doNotCompile).toBeInstanceOf(Function);
});

test('refuses two declarations of a call with the same method and path, or the same id', () => {
  const twin = calls('planted', 'member', { other: { ...named, input: nothing, path: 'same' } });
  expect(() => contractOf([planted, twin])).toThrow('two calls are declared with POST planted/same');
  expect(() =>
    contractOf([planted, calls('planted', 'member', { same: { ...named, input: nothing } })]),
  ).toThrow('two calls are declared with the id planted.same');
});

class UnboundController {
  @Get('unbound')
  unbound() {
    return {};
  }
}

test('a method without a call, and a call without a method or with two, prevent the start', () => {
  const all = Object.values(planted);
  expect(() => checkBindings([UnboundController], [])).toThrow(
    'UnboundController.unbound is bound to no call (@Answers)',
  );
  expect(() => checkBindings([PlantedController], all)).not.toThrow();
  expect(() => checkBindings([SecondController], [planted.same, planted.more])).toThrow(
    'no method answers planted.more',
  );
  expect(() => checkBindings([PlantedController, SecondController], all)).toThrow(
    'planted.same is answered by PlantedController.same and SecondController.again',
  );
});

test('an answer that differs from its schema fails the call in tests, and is sent in production', async () => {
  const postgres = await startTestPostgres();
  const backend = await startBackend({ databaseUrl: postgres.url, modules: [PlantedModule] });
  try {
    const ada = await backend.signIn();
    const statuses = async (): Promise<number[]> => {
      const id = '0193f0a0-0000-7000-8000-0000000000ff';
      const bodies = { same: {}, more: {}, less: { id }, file: {} };
      const asked = Object.entries(bodies).map(([call, body]) => ada.post(`planted/${call}`, body));
      return (await Promise.all(asked)).map(({ status }) => status);
    };
    expect(await statuses()).toEqual([200, 500, 500, 200]);
    const complaints = backend.logs.filter((line) => line.includes('AnswerDiffers')).join('');
    expect(complaints).toContain('the answer of planted.more differs from its schema');
    expect(complaints).toContain('the answer of planted.less differs from its schema: name');
    expect(complaints).not.toContain('canary');
    backend.resources.config.CHECK_ANSWERS = 'off';
    expect(await statuses()).toEqual([200, 200, 200, 200]);
  } finally {
    await backend.close();
    await postgres.stop();
  }
});
