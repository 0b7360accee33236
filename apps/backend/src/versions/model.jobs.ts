/** Work with whole models. Models with thousands of attributes take seconds, so those are handled in a thread. */
import { randomUUID } from 'node:crypto';
import {
  adoptionOf,
  differenceOf,
  importOf,
  modelFrom,
  type Adopted,
  type Difference,
  type Model,
  type Structure,
} from '@quarterdeck/data-model';
import type { Job } from '../platform/threads';

export const differenceOfModels: Job<{ before: Model; after: Model }, Difference> = {
  name: 'differenceOfModels',
  work: ({ before, after }) => differenceOf(before, after),
};

/** New parts get ids, which stand only until they are added. */
export const importOfStructure: Job<{ model: Model; structure: Structure }, Adopted> = {
  name: 'importOfStructure',
  work: ({ model, structure }) => importOf(model, modelFrom(structure, randomUUID)),
};

/** `model`: of the version that the database should have. `now`: the current one. */
export const adoptionOfStructure: Job<{ model: Model; structure: Structure; now: Model }, Adopted> = {
  name: 'adoptionOfStructure',
  work: ({ model, structure, now }) => adoptionOf(model, structure, randomUUID, now),
};
