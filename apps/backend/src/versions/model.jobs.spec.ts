import { MAX_COLUMNS, type Attribute, type Model, type Structure } from '@quarterdeck/data-model';
import { importOfStructure } from './model.jobs';

/** A model whose tables have this many columns with their keys. */
const modelOf = (columns: number): Model => ({
  optionSets: [],
  entities: Array.from({ length: columns / 1000 }, (_, at) => ({
    id: `e${at}`,
    name: `Entity ${at}`,
    isUuid: false,
    attributes: Array.from({ length: 999 }, (_none, number): Attribute => ({
      id: `a${at} ${number}`,
      name: `Attribute ${number}`,
      type: 'Int',
      optional: true,
    })),
  })),
});

const found = (columns: number): Structure => ({
  tables: [
    {
      id: 'found',
      name: 'found',
      key: 'Long',
      extras: [],
      columns: Array.from({ length: columns - 1 }, (_, at) => ({
        id: `c${at}`,
        name: `c${at}`,
        type: 'Int',
        required: false,
      })),
    },
  ],
});

it('says that a model cannot take tables that would make it too large', async () => {
  const asked = { model: modelOf(MAX_COLUMNS - 1000), structure: found(1000) };
  expect((await importOfStructure.work(asked)).problem).toBeUndefined();
  const more = await importOfStructure.work({ ...asked, structure: found(1001) });
  expect(more.problem).toBe(
    'the tables have 30001 columns with their keys, and 30000 are possible: use several products',
  );
});
