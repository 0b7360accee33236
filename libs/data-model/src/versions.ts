/** Versions of a model: their recorded contents, and the steps from one version to another. */
import { changesBetween, type Change } from './changes';
import { lint, type Finding } from './lint';
import { noModel, type Model } from './model';
import { plan } from './plan';
import { problemsOf, type Problem } from './problems';
import { migrationsOf, type Migration } from './sql';
import type { Structure } from './structure';
import { structureOf } from './structure-of';

export interface VersionModel {
  /** Counts the versions of the product from 1. Numbers of removed versions are not reused. */
  readonly sequenceIndex: number;
  readonly model: Model;
}

/** Immutable once recorded. */
export interface ModelVersion extends VersionModel {
  /** Migrations from the previous version to this one. If empty, only names and other words have changed. */
  readonly migrations: readonly Migration[];
}

export interface Difference {
  readonly changes: Change[];
  readonly migrations: readonly Migration[];
  readonly findings: readonly Finding[];
  /** Problems of the second model. If there are any, it cannot become a version. */
  readonly problems: readonly Problem[];
}

/** Compares the model of a version (or the empty model) with another one, or with that of the next version. */
export function differenceOf(before: Model, after: Model): Difference {
  const problems = problemsOf(after);
  const changes = changesBetween(before, after);
  if (problems.length > 0) return { changes, problems, migrations: [], findings: [] };
  const [from, to] = [structureOf(before), structureOf(after)];
  return { changes, problems, migrations: migrationsOf(plan(from, to)), findings: lint(from, to) };
}

/**
 * @param sequenceIndex a number not yet used by any version of the product
 * @returns the next version, or why there cannot be one
 */
export function generated(
  last: VersionModel | undefined,
  model: Model,
  sequenceIndex = (last?.sequenceIndex ?? 0) + 1,
): ModelVersion | string {
  const { changes, migrations, problems } = differenceOf(last?.model ?? noModel, model);
  const [problem] = problems;
  if (problem !== undefined) return problem.message;
  if (changes.length === 0)
    return last === undefined
      ? 'there is no entity and no option set yet'
      : `nothing has changed since version ${last.sequenceIndex}`;
  return { sequenceIndex, model, migrations };
}

export interface Way {
  readonly migrations: readonly (Migration & { readonly version: number })[];
  readonly from: Structure;
  /** Structures of the intermediate versions. */
  readonly between: readonly Structure[];
  readonly to: Structure;
}

/**
 * The way from the version that a database has (0: none) to another one. Forward, it consists of the recorded
 * statements. Backward, it goes version by version, with statements generated from the differences.
 */
export function wayBetween(versions: readonly ModelVersion[], applied: number, target: number): Way {
  const structure = (version: number): Structure => {
    const found = versions.find(({ sequenceIndex }) => sequenceIndex === version);
    if (version !== 0 && found === undefined) throw new Error(`there is no version ${version}`);
    return structureOf(found?.model ?? noModel);
  };
  const [low, high] = [Math.min(applied, target), Math.max(applied, target)];
  const passed = versions
    .filter(({ sequenceIndex }) => sequenceIndex > low && sequenceIndex <= high)
    .toSorted((a, b) => a.sequenceIndex - b.sequenceIndex);
  // Removed versions leave gaps.
  const numbers = [low, ...passed.map(({ sequenceIndex }) => sequenceIndex)];
  const isForward = target > applied;
  const steps = passed.map(({ sequenceIndex, migrations }, at) => {
    const version = isForward ? sequenceIndex : (numbers[at] as number);
    const texts = isForward ? migrations : migrationsOf(plan(structure(sequenceIndex), structure(version)));
    return texts.map((migration) => ({ ...migration, version }));
  });
  const between = numbers.slice(1, -1).map(structure);
  return {
    migrations: (isForward ? steps : steps.toReversed()).flat(),
    from: structure(applied),
    between: isForward ? between : between.toReversed(),
    to: structure(target),
  };
}
