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
    ScriptRevised: () => 'revised',
    ScriptRenamed: (d) => `renamed to ${d.name}`,
    ScriptRemoved: (d) => `removed ${d.name}`,
    ScriptRestored: (d) => `put ${d.name} back`,
  },
  removedBy: 'ScriptRemoved',
  restoredBy: 'ScriptRestored',
  undo: ['ScriptRenamed', 'ScriptRevised', 'ScriptRemoved'],
});
