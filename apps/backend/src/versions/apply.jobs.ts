/** What an apply works out from models. Each version comes as JSON. */
import { createHash } from 'node:crypto';
import {
  type DatabaseAnswers,
  driftOf,
  fileNameOf,
  filled,
  type Finding,
  type GivenValue,
  hasZeroDates,
  hindering,
  hindrance,
  type JournalRow,
  judgedValues,
  type JudgedValues,
  keeping,
  leftAlone,
  lintViews,
  lintWay,
  type Migration,
  migrationsOf,
  type ModelVersion,
  plan,
  type Rename,
  renamesBetween,
  repairOf,
  type Step,
  stoppedAfter,
  type Structure,
  structureAfter,
  structureIn,
  comparedTexts,
  type Way,
  wayBetween,
} from '@quarterdeck/data-model';
import type { Job } from '../platform/threads';
import { versionsIn } from './model.jobs';

/** What an apply changes: `from` and `version` are numbers of versions. */
export interface AskedWay {
  readonly from: number;
  readonly version: number;
  /** Only for a repair: the structure of the database at the time of the plan, with the ids of recognized elements. */
  readonly actual?: Structure;
  /** What existing rows get in new required columns. */
  readonly values?: readonly GivenValue[];
  /** Statements of the versions, by place, that repeat what else a column has in the database. Only for MySQL. */
  readonly completed?: readonly { readonly at: number; readonly sql: string }[];
}

export interface AskedPlan extends Pick<AskedWay, 'from' | 'version' | 'values'> {
  readonly versions: readonly string[];
  /** Its id. */
  readonly database: string;
  readonly answers: DatabaseAnswers;
  /** The run that changed the database last. */
  readonly newest: string | undefined;
  /** The newest run, if it did not finish: names alone do not identify the tables and columns that it left behind. */
  readonly stopped:
    | {
        readonly way: AskedWay;
        readonly last: Pick<JournalRow, 'sequence' | 'state'>;
        readonly isOpen: boolean;
      }
    | undefined;
  /** Whether a run will be started: only then is `actual` needed, which is as large as the database. */
  readonly isForRun: boolean;
}

export interface Planned {
  readonly repairs: boolean;
  readonly seal: string;
  /** Without the numbers of rows. */
  readonly findings: readonly Finding[];
  readonly statements: { fileName: string; sql: string }[];
  /** Where the way begins, if it is a repair and a run will be started. */
  readonly actual?: Structure;
  readonly drift?: { words: string[]; expected: string; actual: string; left: string[]; renames: Rename[] };
  readonly completed?: AskedWay['completed'];
  readonly judged: JudgedValues;
  /** In words: which run stopped, and where. */
  readonly stopped?: string;
  /** What no statement touches, in words. */
  readonly alone: string[];
  /** How the database differs from the version, in words. */
  readonly differences: string[];
}

export const planOfApply: Job<AskedPlan, Planned> = {
  name: 'planOfApply',
  work: ({ versions, database, from, version: to, answers, newest, stopped: run, values = [], isForRun }) => {
    const { dialect } = answers;
    const structure = structureIn(answers);
    const all = versionsIn(versions);
    const stopped = run && whereStopped(run, all, structure);
    const recorded = wayBetween(all, from, to);
    const drifts = driftOf(recorded.from, structure);
    const words = [...(stopped ? [stopped.words] : []), ...drifts.map((drift) => drift.words)];
    const repairs = stopped !== undefined || hindering(drifts).length > 0;
    const way = repairs ? repairing(recorded, to, structure, stopped && [stopped.reached]) : recorded;
    const judged = judgedValues(way, values, dialect);
    const plain = filled(way.migrations, values);
    const migrations = keeping(plain, structure);
    const completed = migrations.flatMap((one, at) =>
      one === plain[at] ? [] : [{ at, sql: one.sql.mysql }],
    );
    const findings = lintWay(way);
    // Names without a prefix belong to the versions' own files.
    const prefix = repairs ? 'repair_' : from > to ? 'back_to_' : '';
    const differences = hindering(driftOf(recorded.to, structure)).map((drift) => drift.words);
    return {
      repairs,
      alone: leftAlone(structure),
      differences,
      seal: sealOf({ migrations, database, structure, newest }),
      judged,
      ...(completed.length > 0 && { completed }),
      findings: [...findings, ...lintViews(findings, structure, dialect)],
      ...(repairs && isForRun && { actual: way.from }),
      ...(stopped && { stopped: stopped.words }),
      statements: migrations.map((migration) => ({
        fileName: `${prefix}${fileNameOf(migration.version, migration)}`,
        sql: migration.sql[dialect],
      })),
      ...(words.length > 0 && {
        drift: {
          words,
          ...comparedTexts(recorded.from, structure),
          renames: renamesBetween(recorded.from, structure),
          left: repairs ? driftOf(recorded.to, way.to).map((drift) => drift.words) : words,
        },
      }),
    };
  },
};

/** `recorded`: what the version says, if the way is a repair, which may leave something otherwise. */
export type RunWay = Way & { readonly recorded?: Structure };

export const wayOfApply: Job<{ versions: readonly string[]; asked: AskedWay }, RunWay> = {
  name: 'wayOfApply',
  work: ({ versions, asked }) => wayOf(asked, versionsIn(versions)),
};

/** What hinders a database from having the structure before the last of these steps, and after it; empty if nothing. */
export const outcomeOfStep: Job<
  { from: Structure; steps: readonly Step[]; answers: DatabaseAnswers },
  { before: string; after: string }
> = {
  name: 'outcomeOfStep',
  work: ({ from, steps, answers }) => {
    const actual = structureIn(answers);
    return {
      before: hindrance(structureAfter(from, steps.slice(0, -1)), actual),
      after: hindrance(structureAfter(from, steps), actual),
    };
  },
};

interface Start {
  way: Way;
  answers: DatabaseAnswers;
  database: string;
  newest: string | undefined;
}

/** How a database is before a run. `hindered`: what hinders it from having the structure of the beginning. */
export const beforeApply: Job<Start, { hindered: string; seal: string; findings: readonly Finding[] }> = {
  name: 'beforeApply',
  work: ({ way, answers, database, newest }) => {
    const structure = structureIn(answers);
    return {
      hindered: hindrance(way.from, structure),
      seal: sealOf({ migrations: way.migrations, database, structure, newest }),
      findings: lintWay(way),
    };
  },
};

interface End {
  to: Structure;
  /** What the version says, if that is another one. */
  recorded: Structure | undefined;
  answers: DatabaseAnswers;
}

/** `hindered`: what hinders a database from having the structure `to`. `left`: how it differs from `recorded`. */
export const afterApply: Job<End, { hindered: string; left: string[] }> = {
  name: 'afterApply',
  work: ({ to, recorded, answers }) => {
    const actual = structureIn(answers);
    return {
      hindered: hindrance(to, actual),
      left: recorded ? hindering(driftOf(recorded, actual)).map(({ words }) => words) : [],
    };
  },
};

/** Whether columns have defaults that a server refuses unless its mode accepts them. */
export const zeroDatesIn: Job<{ to: Structure; answers: DatabaseAnswers }, boolean> = {
  name: 'zeroDatesIn',
  work: ({ to, answers }) => [structureIn(answers), to].some(hasZeroDates),
};

/** `undefined` if the run changed nothing. */
function whereStopped(
  { way: asked, last, isOpen }: NonNullable<AskedPlan['stopped']>,
  versions: readonly ModelVersion[],
  structure: Structure,
): { reached: Structure; words: string } | undefined {
  const way = wayOf(asked, versions);
  const reached = stoppedAfter(way, last, structure);
  if (reached === undefined) return undefined;
  return {
    reached,
    words: `A run that should apply version ${asked.version} ${isOpen ? 'is' : 'stopped'} at statement ${last.sequence} of ${way.migrations.length}.`,
  };
}

const wayOf = (
  { from, version, actual, values = [], completed = [] }: AskedWay,
  versions: readonly ModelVersion[],
): RunWay => {
  const recorded = wayBetween(versions, from, version);
  const way = actual ? repairing(recorded, version, actual) : recorded;
  const sqlAt = new Map(completed.map(({ at, sql }) => [at, sql]));
  const migrations = filled(way.migrations, values).map((one, at) => ({
    ...one,
    sql: { ...one.sql, mysql: sqlAt.get(at) ?? one.sql.mysql },
  }));
  return { ...way, migrations, ...(actual && { recorded: recorded.to }) };
};

/**
 * Plans the way from the actual structure of a database to the end of `way`.
 *
 * @param reached structures that an interrupted run has produced
 */
function repairing(way: Way, version: number, actual: Structure, reached: readonly Structure[] = []): Way {
  const { from, to } = repairOf(way.to, actual, [...reached, way.from]);
  return {
    from,
    between: [],
    to,
    migrations: migrationsOf(plan(from, to)).map((one) => ({ ...one, version })),
  };
}

interface Sealed {
  readonly migrations: readonly Migration[];
  readonly database: string;
  readonly structure: Structure;
  /** The run that changed the database last: after another run, the same names may refer to something else. */
  readonly newest: string | undefined;
}

export const sealOf = ({ migrations, database, structure, newest }: Sealed): string =>
  createHash('sha256')
    .update(JSON.stringify([migrations.map(({ sql }) => sql), structure, newest, database]))
    .digest('hex');
