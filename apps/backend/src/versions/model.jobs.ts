/** Work with whole models. Models with thousands of attributes take seconds, so those are handled in a thread. */
import { createHash, randomUUID } from 'node:crypto';
import {
  adoptionOf,
  bundle,
  columnOf,
  differenceOf,
  fileNameOf,
  filesOf,
  generated,
  grouped,
  importOf,
  modelFrom,
  moduleOf,
  partWords,
  numberOfType,
  sizeProblem,
  sqlArchive,
  starter,
  structureIn,
  tableOf,
  typesOf,
  type Adopted,
  type DatabaseAnswers,
  type Difference,
  type Dialect,
  type Entity,
  type Finding,
  type Model,
  type ModelVersion,
  type NativeColumn,
  type Rename,
  type Structure,
  type VersionFiles,
  type VersionModel,
} from '@quarterdeck/data-model';
import type { Job } from '../platform/threads';

/** A difference as it is shown: without the form of its steps, which would be copied out of the thread for nothing. */
interface ShownDifference extends Pick<Difference, 'changes'> {
  statements: { fileName: string; sql: Record<Dialect, string> }[];
  findings: Omit<Finding, 'count'>[];
  problems: string[];
}

/** `version`: the number in the file names. */
export const differenceOfModels: Job<{ before: Model; after: Model; version: number }, ShownDifference> = {
  name: 'differenceOfModels',
  work: ({ before, after, version }) => {
    const { changes, migrations, findings, problems } = differenceOf(before, after);
    return {
      changes,
      statements: migrations.map((one) => ({ fileName: fileNameOf(version, one), sql: one.sql })),
      findings: findings.map(shownFinding),
      problems: problems.map(({ message }) => message),
    };
  },
};

/** Without the query that counts its rows. */
export const shownFinding = (finding: Finding): Omit<Finding, 'count'> => {
  const { count: _question, ...shown } = finding;
  return shown;
};

interface Next {
  last: VersionModel | undefined;
  model: Model;
  sequenceIndex: number;
}

/** The next version, or why there cannot be one. */
export const nextVersion: Job<Next, ModelVersion | string> = {
  name: 'nextVersion',
  work: ({ last, model, sequenceIndex }) => generated(last, model, sequenceIndex),
};

interface Import {
  model: Model;
  /** If absent, the starter is imported. */
  answers: DatabaseAnswers | undefined;
}

/** New parts get ids, which stand only until they are added. */
const imported = (model: Model, structure: Structure | undefined): Adopted =>
  importOf(
    model,
    structure ? modelFrom(structure, randomUUID) : { model: starter(randomUUID), notRepresentable: [] },
  );

export const previewOfImport: Job<Import, Preview> = {
  name: 'previewOfImport',
  work: ({ model, answers }) => previewOf(model, imported(model, answers && structureIn(answers))),
};

interface Imported {
  adopted: Adopted;
  seal: string;
  /** Why the model cannot take it all. */
  problem: string | undefined;
  /** What was read from the database. */
  tables: number;
  columns: number;
}

export const importOfStructure: Job<Import, Imported> = {
  name: 'importOfStructure',
  work: ({ model, answers }) => {
    const structure = answers && structureIn(answers);
    const adopted = imported(model, structure);
    const { seal, problem } = previewOf(model, adopted);
    const tables = structure?.tables ?? [];
    return {
      adopted,
      seal,
      problem,
      tables: tables.length,
      columns: tables.reduce((sum, { columns }) => sum + columns.length, 0),
    };
  },
};

type Preview = ReturnType<typeof previewOf>;

/** Entities with their attributes, without the ids that they will get. `problem`: why the model cannot take them all. */
function previewOf(model: Model, { edits, left }: Adopted) {
  const added = edits.flatMap((edit) => (edit.do === 'addEntity' ? [edit.entity] : []));
  const nameOf = new Map([...model.entities, ...added].map(({ id, name }) => [id, name]));
  const attributesOf = grouped(
    edits.filter((edit) => edit.do === 'addAttribute'),
    ({ entity }) => entity,
  );
  const entities = added.map((entity) => ({
    name: entity.name,
    table: tableOf(entity),
    isUuid: entity.isUuid,
    parts: partWordsOf(entity),
    attributes: (attributesOf.get(entity.id) ?? []).map(({ attribute }) => ({
      name: attribute.name,
      column: columnOf(attribute),
      type: numberOfType(attribute.type),
      optional: attribute.optional,
      ...(attribute.foreignEntity !== undefined && { to: nameOf.get(attribute.foreignEntity) }),
      ...(attribute.native && { native: nativeWords(attribute.native) }),
    })),
  }));
  const shown = { entities, left: [...left] };
  const all = added.map((entity) => ({ ...entity, attributes: attributesOf.get(entity.id) ?? [] }));
  const problem = sizeProblem([...model.entities, ...all]);
  return { ...shown, problem, seal: createHash('sha256').update(JSON.stringify(shown)).digest('hex') };
}

const nativeWords = ({ type, rest }: NativeColumn): string => (rest === undefined ? type : `${type} ${rest}`);

const partWordsOf = ({ native }: Entity): string[] => [
  ...(native?.options === undefined ? [] : [native.options]),
  ...(native?.parts ?? []).map(partWords),
];

/** `model`: of the version that the database should have. `now`: the current one. */
export const adoptionOfStructure: Job<
  { model: Model; answers: DatabaseAnswers; now: Model; renames: readonly Rename[] },
  Adopted
> = {
  name: 'adoptionOfStructure',
  work: ({ model, answers, now, renames }) =>
    adoptionOf(model, structureIn(answers), randomUUID, now, renames),
};

/** Each text is the JSON of a `ModelVersion`: to parse a large one takes as long as to work with it. */
export const versionsIn = (texts: readonly string[]): ModelVersion[] =>
  texts.map((text) => JSON.parse(text) as ModelVersion);

interface AskedFiles {
  /** All versions up to the one that is wanted. */
  versions: readonly string[];
  /** The name of the product. */
  product: string;
}

/** What the files of the last of the versions are made from. */
const filesFrom = ({ versions: texts, product }: AskedFiles): VersionFiles => {
  const versions = versionsIn(texts);
  const last = versions.at(-1);
  if (!last) throw new Error('there is no version');
  const migrations = versions.flatMap(({ sequenceIndex: version, migrations: its }) =>
    its.map((migration) => ({ ...migration, version })),
  );
  return { product, version: last.sequenceIndex, model: last.model, migrations };
};

export type Download = Dialect | 'module' | 'types' | 'bundle';

export const downloadOfVersion: Job<AskedFiles & { file: Download }, string | Uint8Array> = {
  name: 'downloadOfVersion',
  work: ({ file, ...asked }) => {
    const files = filesFrom(asked);
    switch (file) {
      case 'module':
        return moduleOf(files);
      case 'types':
        return typesOf(files);
      case 'bundle':
        return bundle(files);
      default:
        return sqlArchive(files, file);
    }
  },
};

/** All files, by path. */
export const filesOfVersion: Job<AskedFiles, Record<string, string>> = {
  name: 'filesOfVersion',
  work: (asked) => filesOf(filesFrom(asked)),
};

interface Origin {
  entity: { id: string; name: string; table: string };
  attribute: { id: string; name: string; column: string };
  /** The version in which the attribute appeared. */
  since: number;
}

/** The attributes of the last of the versions. */
export const originsOfAttributes: Job<{ versions: readonly string[] }, Origin[]> = {
  name: 'originsOfAttributes',
  work: ({ versions: texts }) => {
    const versions: readonly VersionModel[] = versionsIn(texts);
    const since = new Map<string, number>();
    for (const { model, sequenceIndex } of versions)
      for (const { attributes } of model.entities)
        for (const { id } of attributes) if (!since.has(id)) since.set(id, sequenceIndex);
    return (versions.at(-1)?.model.entities ?? []).flatMap((entity) =>
      entity.attributes.map((one) => ({
        entity: { id: entity.id, name: entity.name, table: tableOf(entity) },
        attribute: { id: one.id, name: one.name, column: columnOf(one) },
        since: since.get(one.id) ?? 0,
      })),
    );
  },
};
