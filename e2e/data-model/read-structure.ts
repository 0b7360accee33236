import { structureIn, type Structure } from '@quarterdeck/data-model';
import { readAnswers } from '../../apps/backend/src/databases/read-answers';

/** Reads the structure of a database as the product does. */
export const readStructure = async (target: Parameters<typeof readAnswers>[0]): Promise<Structure> =>
  structureIn(await readAnswers(target));
