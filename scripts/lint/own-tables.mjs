/**
 * Forbids queries of a feature's tables in the platform: they would remain as dead queries when the feature is removed.
 * Tables and their owners are read from the `.tables.ts` files.
 */
import fs from 'node:fs';

const BACKEND = new URL('../../apps/backend/src/', import.meta.url);
const MADE = /create (?:unlogged )?table (app\.\w+)/g;

/** Folder by table. */
const owners = new Map(
  fs
    .readdirSync(BACKEND, { recursive: true })
    .filter((file) => file.endsWith('.tables.ts'))
    .flatMap((file) => {
      const text = fs.readFileSync(new URL(file, BACKEND), 'utf8');
      return [...text.matchAll(MADE)].map(([, table]) => [table, file.split('/').slice(0, -1).join('/')]);
    }),
);

/** Tables of the runner, and the read models about the log as a whole. All other read models belong to features. */
const READ_BY_PLATFORM = new Set(['live', 'checkpoints', 'log', 'chain', 'history', 'foreign_events']);

const ownerOf = (table) => {
  const [schema, name] = table.split('.');
  if (schema === 'read') return READ_BY_PLATFORM.has(name) ? undefined : 'a feature';
  const owner = owners.get(table);
  return owner?.startsWith('platform/') ? undefined : owner;
};

/** A table in a query, as opposed to a property of an object that is called `app` or `read`. */
const NAMED =
  /\b(?:from|join|into|update|table|using|truncate)\s+((?:app|read)\.\w+)|^((?:app|read)\.\w+)$/gi;

export const ownTables = {
  meta: { type: 'problem', schema: [] },
  create(context) {
    const look = (node, text) => {
      for (const [, queried, alone] of text.matchAll(NAMED)) {
        const table = (queried ?? alone).toLowerCase();
        const owner = ownerOf(table);
        if (owner) context.report({ node, message: `${table} belongs to ${owner}: ask through its door` });
      }
    };
    return {
      Literal(node) {
        if (typeof node.value === 'string') look(node, node.value);
      },
      TemplateElement: (node) => look(node, node.value.raw),
    };
  },
};
