/** A plan of 40 statements, two versions, for an empty database. */
import {
  generated,
  wayBetween,
  type Entity,
  type Model,
  type ModelVersion,
  type Structure,
} from '@quarterdeck/data-model';
import { sealOf } from '../../apps/backend/src/versions/apply.jobs';
import type { SealedPlan } from '../../apps/backend/src/versions/applying';

const entities = ['Alpha', 'Beta', 'Delta', 'Epsilon', 'Eta', 'Iota', 'Kappa', 'Lambda'];

const first: Model = {
  entities: entities.map((name, at): Entity => ({
    id: `e${at}`,
    name,
    isUuid: at % 2 === 0,
    attributes: [
      { id: `n${at}`, name: 'Title', type: 'String', optional: true },
      {
        id: `f${at}`,
        name: 'Next',
        type: 'ForeignKey',
        optional: true,
        foreignEntity: `e${(at + 1) % entities.length}`,
      },
    ],
  })),
  optionSets: [],
};

const second: Model = {
  ...first,
  entities: first.entities.map((entity, at): Entity => ({
    ...entity,
    // Rotates the names: each entity gets the name of the next one.
    name: entities[(at + 1) % entities.length] as string,
    attributes: entity.attributes.map((attribute) => ({
      ...attribute,
      ...(attribute.type === 'String' ? { name: 'Label', optional: at > 3 } : {}),
    })),
  })),
};

const next = (last: ModelVersion | undefined, model: Model): ModelVersion => {
  const version = generated(last, model);
  if (typeof version === 'string') throw new Error(version);
  return version;
};
const one = next(undefined, first);

/** From an empty database to version 2. */
export const { migrations, from, between, to } = wayBetween([one, next(one, second)], 0, 2);

/** Id of the database in the console. */
export const DATABASE = '01930000-0000-7000-8000-0000000000db';

export const sealFor = (all: SealedPlan['migrations'], structure: Structure, database = DATABASE): string =>
  sealOf({ migrations: all, database, structure, newest: undefined });

export const sealedFor = (actual: Structure): SealedPlan => ({
  version: 2,
  product: 'shop',
  migrations,
  from,
  between,
  to,
  mayDestroy: false,
  database: DATABASE,
  seal: sealFor(migrations, actual),
});
