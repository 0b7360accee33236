/** Describes what a connection test found. Pure. */
import type { Answer, databases } from '@quarterdeck/contract';
import { database, labelOf } from '@quarterdeck/events';
import type { RunView } from '@quarterdeck/projections';
import type { ApiError } from '../../core/http';

type DatabaseLook = Answer<typeof databases.try>;

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'];

export const sizeWords = (bytes: number): string => {
  const step = bytes < 1000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** step;
  return `${step === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[step]}`;
};

/** Labels and texts, from an answer or from the report of a run. */
export const factsOf = (
  found: DatabaseLook | NonNullable<RunView['steps'][number]['report']>,
): readonly (readonly [string, string])[] => {
  const { engine, version, bytes, tables, applied, encrypted, tookMs } = found;
  return [
    ['Engine', `${engine} ${version}`],
    ['Size', sizeWords(Number(bytes))],
    ['Tables', String(tables)],
    ['Version applied', Number(applied) === 0 ? 'none' : String(applied)],
    ['Encrypted', String(encrypted) === 'true' ? 'yes' : 'no'],
    ['Took', `${tookMs} ms`],
  ];
};

/** Each message starts with the label of its field, if it has one. */
export const failureWords = ({ msg, data = {} }: Pick<ApiError, 'msg' | 'data'>): string[] => {
  const fields = Object.entries(data).map(([path, said]) => {
    const key = path.replace(/^data\./, '').split('.', 1)[0] ?? '';
    return Object.hasOwn(database.fields, key) ? `${labelOf(database.fields, key)}: ${said}` : said;
  });
  return fields.length > 0 ? fields : [msg];
};
