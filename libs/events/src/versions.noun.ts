import { environments } from './databases.noun';
import { defineNoun } from './define-noun';
import type { versionEvents } from './versions.events';

const called = (sequenceIndex: number): string => `version ${sequenceIndex}`;
const envOf = (env: number): string => environments[env - 1] ?? String(env);
const statements = (count: number): string => `${count} statement${count === 1 ? '' : 's'}`;

export const version = defineNoun<typeof versionEvents>()({
  category: 'version',
  words: { many: 'Versions', one: 'One version' },
  rows: 'versions',
  within: 'product',
  audience: 'admin',
  named: {
    VersionGenerated: (d) => called(d.sequenceIndex),
    VersionRemoved: (d) => called(d.sequenceIndex),
    VersionRestored: (d) => called(d.sequenceIndex),
  },
  events: {
    VersionGenerated: (d) => `generated ${called(d.sequenceIndex)}, with ${statements(d.migrations.length)}`,
    VersionPromoted: (d) => `promoted to ${envOf(d.env)}`,
    VersionDemoted: (d) => `moved back to ${envOf(d.env)}`,
    VersionApplyStarted: (d) => `began to change the database ${d.database.name}`,
    VersionApplyRefused: (d) => `refused by the database ${d.database.name}, which was not changed`,
    VersionApplied: (d) =>
      `applied to the database ${d.database.name}${d.from === 0 ? '' : `, which had version ${d.from}`}, with ${statements(d.statements)}` +
      (d.left ? `. Not as the version says: ${d.left.join(' ')}` : ''),
    VersionBaselined: (d) => `found to be what the database ${d.database.name} has, without a statement`,
    VersionRemoved: (d) => `removed ${called(d.sequenceIndex)}`,
    VersionRestored: (d) => `restored ${called(d.sequenceIndex)}`,
  },
  removedBy: 'VersionRemoved',
  restoredBy: 'VersionRestored',
  undo: ['VersionRemoved'],
});
