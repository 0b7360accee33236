/** What imported entities and attributes keep in the words of their engine. See `libs/data-model/src/model.ts`. */
import {
  attributeTypes,
  dialects,
  partKinds,
  textProblem,
  type NativeColumn,
  type NativeTable,
} from '@quarterdeck/data-model';
import { json, type JsonSchema } from './kit/field';

const text = (maxLength: number): JsonSchema => ({ type: 'string', maxLength });
const name: JsonSchema = { type: 'string', minLength: 1, maxLength: 200 };
const names: JsonSchema = { type: 'array', items: name, maxItems: 4096 };
const object = (
  required: readonly string[],
  properties: Readonly<Record<string, JsonSchema>>,
): JsonSchema => ({
  type: 'object',
  additionalProperties: false,
  required,
  properties,
});

const LONGEST = 64 * 1024;
const MAX_BYTES = 512 * 1024;

const columnSchema = object(['dialect', 'as', 'of', 'type'], {
  dialect: { enum: dialects },
  as: name,
  of: { enum: attributeTypes },
  type: { type: 'string', minLength: 1, maxLength: LONGEST },
  rest: text(LONGEST),
});

const tableSchema = object(['dialect', 'as', 'columns', 'key', 'parts'], {
  dialect: { enum: dialects },
  as: name,
  columns: names,
  key: names,
  options: text(LONGEST),
  needs: {
    type: 'array',
    maxItems: 1000,
    items: object(['kind', 'name', 'text'], {
      kind: { enum: ['enum', 'domain', 'sequence'] },
      name,
      text: text(LONGEST),
    }),
  },
  parts: {
    type: 'array',
    maxItems: 10_000,
    items: object(['kind', 'name', 'text'], {
      kind: { enum: partKinds },
      name: text(400),
      text: text(LONGEST),
      columns: names,
      target: text(400),
      targetColumns: names,
    }),
  },
});

const shown = {
  optional: true,
  hidden: true,
  max: MAX_BYTES,
  help: 'What the import found, in the words of its engine.',
  since: { version: 2, value: null },
} as const;

export const nativeColumn = json<NativeColumn>(columnSchema, {
  ...shown,
  refuses: (value) => (value ? problemIn(value.dialect, [value.type, value.rest]) : undefined),
});

export const nativeTable = json<NativeTable>(tableSchema, {
  ...shown,
  refuses: (value) =>
    value
      ? problemIn(value.dialect, [
          value.options,
          ...(value.needs ?? []).map((need) => need.text),
          ...value.parts.map((part) => part.text),
        ])
      : undefined,
});

/** The texts go into statements as they are. */
function problemIn(
  dialect: NativeTable['dialect'],
  texts: readonly (string | undefined)[],
): string | undefined {
  for (const one of texts) {
    const problem = one === undefined ? undefined : textProblem(one, dialect);
    if (problem !== undefined) return `${(one ?? '').slice(0, 60)}: ${problem}`;
  }
  return undefined;
}
