/** Words and addresses for environment variables, and the comparison of environments. Pure. */
import { environments } from '@quarterdeck/events';
import type { VariableChanges, VariableView } from '@quarterdeck/projections';

export const envName = (env: number): string => environments[env - 1] ?? String(env);

export const envOptions = environments.map((label, at) => ({ value: at + 1, label }));

/** The environment in the address, `dev` by default. */
export const envIn = (search: URLSearchParams): number =>
  Math.max(1, environments.findIndex((name) => name === search.get('env')) + 1);

export const inEnv = (path: string, env: number): string =>
  env === 1 ? path : `${path}?env=${envName(env)}`;

const LONGEST = 40;

export const cut = (value: string): string =>
  value.length > LONGEST ? `${value.slice(0, LONGEST)}…` : value;

export interface Compared {
  key: string;
  /** By environment; no entry where the variable is missing. */
  byEnv: Readonly<Record<number, VariableView>>;
  is: 'same' | 'different' | 'missing';
  /** Environments that lack the variable. */
  missing: readonly number[];
}

/** One row per variable name, across all environments. */
export const comparisonOf = (variables: readonly VariableView[]): Compared[] => {
  const keys = [...new Set(variables.map(({ key }) => key))].toSorted();
  return keys.map((key) => {
    const own = variables.filter((one) => one.key === key);
    const byEnv = Object.fromEntries(own.map((one) => [one.env.id, one]));
    const missing = envOptions.map(({ value }) => value).filter((env) => byEnv[env] === undefined);
    const isSame = new Set(own.map(({ fingerprint }) => fingerprint)).size === 1;
    return { key, byEnv, missing, is: missing.length > 0 ? 'missing' : isSame ? 'same' : 'different' };
  });
};

export const comparedInWords = ({ is, missing }: Compared): string =>
  is === 'missing' ? `missing in ${missing.map(envName).join(', ')}` : is;

/** `adds A, B and changes C` */
export const changesInWords = ({ added, changed, removed }: VariableChanges): string => {
  const parts = [
    ...(added.length > 0 ? [`adds ${added.join(', ')}`] : []),
    ...(changed.length > 0 ? [`changes ${changed.join(', ')}`] : []),
    ...(removed.length > 0 ? [`removes ${removed.join(', ')}`] : []),
  ];
  return [parts.slice(0, -1).join(', '), ...parts.slice(-1)].filter((part) => part !== '').join(' and ');
};

/** How many deploys a sentence names. */
const DEPLOYS_NAMED = 5;

type Deploys = readonly { version: string; serves: boolean }[];

/** `1.2 (serves), 1.1 and 3 more` */
export const versionsInWords = (deploys: Deploys): string => {
  const some = deploys
    .slice(0, DEPLOYS_NAMED)
    .map(({ version, serves }) => version + (serves ? ' (serves)' : ''));
  const more = deploys.length - some.length;
  return new Intl.ListFormat('en').format([...some, ...(more > 0 ? [`${more} more`] : [])]);
};

export const keptInWords = (deploys: Deploys): string =>
  deploys.length === 1
    ? `One deploy keeps a copy for a rollback: ${versionsInWords(deploys)}.`
    : `${deploys.length} deploys keep a copy for a rollback: ${versionsInWords(deploys)}.`;
