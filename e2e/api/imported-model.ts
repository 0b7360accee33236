/** A database as it would be imported: the tables are made anew, and read back as the model of an API. */
import { randomUUID } from 'node:crypto';
import { apiModelOf, type ApiModel } from '@quarterdeck/api';
import { modelFrom } from '@quarterdeck/data-model';
import { readStructure } from '../data-model/read-structure';
import type { Ground } from './grounds';

export const importedModel = async (ground: Ground, statements: readonly string[]): Promise<ApiModel> => {
  await ground.renew({ entities: [], optionSets: [] });
  const query = async (text: string) => [...(await ground.ask({ text, values: [] })).rows];
  for (const text of statements) await ground.ask({ text, values: [] });
  const structure = await readStructure({ dialect: ground.dialect, query });
  return apiModelOf(modelFrom(structure, randomUUID).model, ground.dialect);
};
