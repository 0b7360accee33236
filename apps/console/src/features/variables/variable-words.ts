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

/** A variable in the two environments that are compared; `undefined` where it is missing. */
export interface Pair {
  key: string;
  sides: readonly [VariableView | undefined, VariableView | undefined];
}

/** What matters most is first. */
export const comparedGroups = ['different', 'onlyFrom', 'onlyTo', 'same'] as const;

const groupOf = ([from, to]: Pair['sides']): (typeof comparedGroups)[number] => {
  if (from === undefined) return 'onlyTo';
  if (to === undefined) return 'onlyFrom';
  return from.fingerprint === to.fingerprint ? 'same' : 'different';
};

/** The variables of two environments, sorted by key in each group. Equal values have equal fingerprints. */
export const comparisonOf = (
  variables: readonly VariableView[],
  from: number,
  to: number,
): Record<(typeof comparedGroups)[number], Pair[]> => {
  const found = { different: [], onlyFrom: [], onlyTo: [], same: [] } as ReturnType<typeof comparisonOf>;
  const inOne = (env: number) =>
    new Map(variables.filter((one) => one.env.id === env).map((one) => [one.key, one]));
  const [ofFrom, ofTo] = [inOne(from), inOne(to)];
  for (const key of [...new Set([...ofFrom.keys(), ...ofTo.keys()])].toSorted()) {
    const sides = [ofFrom.get(key), ofTo.get(key)] as const;
    found[groupOf(sides)].push({ key, sides });
  }
  return found;
};

const namedEnv = (name: string | null, otherwise: number): number =>
  environments.findIndex((one) => one === name) + 1 || otherwise;

/** The two environments in the address, dev and prod by default. */
export const comparedIn = (search: URLSearchParams): readonly [number, number] => [
  namedEnv(search.get('from'), 1),
  namedEnv(search.get('to'), environments.length),
];

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
