import { defineNoun } from './define-noun';
import type { scriptEvents } from './scripts.events';

export const script = defineNoun<typeof scriptEvents>()({
  category: 'script',
  words: { many: 'Scripts', one: 'One script' },
  rows: 'scripts',
  audience: 'admin',
  named: 'name',
  events: {
    ScriptAdded: (d) => `added ${d.name}`,
    ScriptRevised: () => 'changed the script',
    ScriptRenamed: (d) => `renamed to ${d.name}`,
    ScriptRemoved: (d) => `removed ${d.name}`,
    ScriptRestored: (d) => `restored ${d.name}`,
  },
  removedBy: 'ScriptRemoved',
  restoredBy: 'ScriptRestored',
  undo: ['ScriptAdded', 'ScriptRenamed', 'ScriptRevised', 'ScriptRemoved'],
});
