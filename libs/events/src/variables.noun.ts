import { environments } from './databases.noun';
import { defineNoun } from './define-noun';
import type { appTokenEvents, variableEvents } from './variables.events';

const envOf = (env: number): string => environments[env - 1] ?? String(env);
const counted = (count: number, words: string): string[] => (count === 0 ? [] : [`${count} ${words}`]);

interface Changes {
  env: number;
  added: readonly unknown[];
  changed: readonly unknown[];
  removed: readonly unknown[];
}

const sum = ({ env, added, changed, removed }: Changes): string => {
  const parts = [
    ...counted(added.length, 'added'),
    ...counted(changed.length, 'changed'),
    ...counted(removed.length, 'removed'),
  ];
  return `variables for ${envOf(env)}: ${parts.join(', ')}`;
};

export const variable = defineNoun<typeof variableEvents>()({
  category: 'variable',
  words: { many: 'Environment variables', one: 'The environment variables of one service' },
  rows: 'variables',
  within: 'service',
  sharesId: true,
  audience: 'admin',
  named: 'service',
  events: {
    VariableAdded: (d) => `added ${d.variable.key} for ${envOf(d.variable.env)}`,
    VariableRevised: (d) => `changed ${d.variable.key} for ${envOf(d.variable.env)}`,
    VariableRemoved: (d) => `removed ${d.variable.key} for ${envOf(d.variable.env)}`,
    // Mostly the first import: all of them are new.
    VariablesImported: (d) =>
      d.changed.length + d.removed.length === 0
        ? `imported ${d.added.length} ${d.added.length === 1 ? 'variable' : 'variables'} for ${envOf(d.env)} into ${d.service}`
        : `imported ${sum(d)}`,
    VariablesRestored: (d) => `restored ${sum(d)}`,
    VariableRevealed: (d) => `viewed the value of ${d.variable.key} for ${envOf(d.variable.env)}`,
    VariablesExported: (d) =>
      `exported ${d.count === 1 ? 'the variable' : `all ${d.count} variables`} for ${envOf(d.env)}`,
  },
  undo: ['VariableAdded', 'VariableRevised', 'VariableRemoved', 'VariablesImported', 'VariablesRestored'],
});

export const appToken = defineNoun<typeof appTokenEvents>()({
  category: 'apptoken',
  words: { many: 'App tokens', one: 'One app token' },
  rows: 'appTokens',
  within: 'service',
  audience: 'admin',
  named: { AppTokenIssued: (d) => `app token of ${d.service.name}` },
  events: {
    AppTokenIssued: (d) => `issued a token for ${d.service.name} in ${envOf(d.env)}`,
    AppTokenUsed: (d) => `read the variables for ${envOf(d.env)}, for the first time that day`,
    AppTokenRevoked: (d) => `revoked the token ${d.fingerprint}`,
  },
  removedBy: 'AppTokenRevoked',
});
