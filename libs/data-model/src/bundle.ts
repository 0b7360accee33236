/** The downloadable files of a version. */
import { strToU8, zipSync, type ZippableFile } from 'fflate';
import { firsts } from './grouped';
import { columnOf, dialects, tableOf, type Attribute, type Dialect } from './model';
import { fileNameOf, type Migration } from './sql';
import { keyAttributeOf } from './structure-of';
import { moduleOf, typesOf, type TitledModel } from './typescript';

export interface VersionFiles extends TitledModel {
  /** Migrations of this version and all earlier ones, in order. */
  readonly migrations: readonly (Migration & { readonly version: number })[];
}

/** A fixed time, so the same version always gives the same bytes. Zip archives cannot store times before 1980. */
const mtime = new Date(1980, 0, 1);
/** Minimum file size to compress. Compressing thousands of small files takes seconds and saves nothing. */
const WORTH_IT = 2000;

const zipped = (files: Readonly<Record<string, string>>): Uint8Array =>
  zipSync(
    Object.fromEntries(
      Object.entries(files).map(([name, text]): [string, ZippableFile] => [
        name,
        [strToU8(text), { level: text.length < WORTH_IT ? 0 : 6, mtime }],
      ]),
    ),
  );

const sqlFiles = ({ migrations }: VersionFiles, dialect: Dialect, folder = ''): Record<string, string> =>
  Object.fromEntries(
    migrations.map((migration) => [
      `${folder}${fileNameOf(migration.version, migration)}`,
      `${migration.sql[dialect]}\n`,
    ]),
  );

/** A shell lists `V1_10` before `V1_2`. */
const inOneFile = ({ migrations }: VersionFiles, dialect: Dialect): string =>
  migrations.map(({ sql }) => `${sql[dialect]}\n`).join('\n');

export const sqlArchive = (files: VersionFiles, dialect: Dialect): Uint8Array =>
  zipped(sqlFiles(files, dialect));

/** All files of a version, by path. */
export const filesOf = (files: VersionFiles): Record<string, string> => ({
  'README.md': readme(files),
  ...Object.assign({}, ...dialects.map((dialect) => sqlFiles(files, dialect, `${dialect}/`))),
  ...Object.fromEntries(dialects.map((dialect) => [`${dialect}.sql`, inOneFile(files, dialect)])),
  'model.js': moduleOf(files),
  'types.d.ts': typesOf(files),
  'schema.json': `${JSON.stringify(jsonSchemaOf(files), undefined, 2)}\n`,
});

export const bundle = (files: VersionFiles): Uint8Array => zipped(filesOf(files));

const readme = ({
  product,
  version,
  model,
  migrations,
}: VersionFiles): string => `# ${product}, version ${version}

- \`mysql/\` and \`postgresql/\`: ${migrations.length} migrations, ${migrations.length === 0 ? 'none needed yet' : 'in the order of version and number'}.
  Each file is one statement. Run those of the versions that your database does not have yet.
- \`mysql.sql\` and \`postgresql.sql\`: the same statements in one file, for an empty database.
- \`model.js\`: the model as an ES module.
- \`types.d.ts\`: TypeScript types of the rows.
- \`schema.json\`: a JSON schema of the rows, one definition for each table.

| entity | table | attributes |
| --- | --- | --- |
${model.entities.map((entity) => `| ${cell(entity.name)} | ${tableOf(entity)} | ${entity.attributes.map(({ name }) => cell(name)).join(', ')} |`).join('\n')}
`;

const cell = (text: string): string => text.replaceAll('|', '\\|');

const JSON_TYPES = {
  String: { type: 'string', maxLength: 255 },
  Int: { type: 'integer', minimum: -2_147_483_648, maximum: 2_147_483_647 },
  Long: { type: 'string', pattern: '^-?[0-9]{1,19}$' },
  Boolean: { enum: [false, true, 0, 1] },
  LocalDate: { type: 'string', format: 'date' },
  LocalDateTime: { type: 'string' },
  LocalTime: { type: 'string' },
  BigDecimal: { type: 'string', pattern: '^-?[0-9]{1,28}([.][0-9]{1,10})?$' },
  Double: { type: 'number' },
  JSON: {},
} as const;

export function jsonSchemaOf({ model, product, version }: TitledModel): object {
  const keyOf = (isUuid: boolean) => (isUuid ? { type: 'string', format: 'uuid' } : JSON_TYPES.Long);
  const entityOf = firsts(model.entities, ({ id }) => id);
  const optionSetOf = firsts(model.optionSets, ({ id }) => id);
  const valueOf = ({ type, foreignEntity, optionSet, native }: Attribute): object => {
    if (type === 'ForeignKey') {
      const target = entityOf.get(foreignEntity ?? '');
      const key = target && keyAttributeOf(target);
      if (!key) return keyOf(target?.isUuid ?? false);
      // A key may point to another table, and that one back.
      return key.type === 'ForeignKey' ? {} : valueOf({ ...key, native: undefined });
    }
    if (type === 'String' && native) return { type: 'string' };
    const values = optionSetOf.get(optionSet ?? '')?.values;
    if (!values) return JSON_TYPES[type];
    // JSON Schema has no empty `enum`. `not: {}` accepts no value either.
    return values.length === 0 ? { not: {} } : { enum: values.map(({ key }) => key) };
  };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: `${product}, version ${version}`,
    $defs: Object.fromEntries(
      model.entities.map((entity) => [
        tableOf(entity),
        {
          title: entity.name,
          type: 'object',
          additionalProperties: false,
          properties: {
            ...(!entity.native && { id: keyOf(entity.isUuid) }),
            ...Object.fromEntries(
              entity.attributes.map((attribute) => [
                columnOf(attribute),
                attribute.optional ? { anyOf: [valueOf(attribute), { type: 'null' }] } : valueOf(attribute),
              ]),
            ),
          },
          required: [
            ...(entity.native ? [] : ['id']),
            ...entity.attributes.filter(({ optional }) => !optional).map(columnOf),
          ],
        },
      ]),
    ),
  };
}
