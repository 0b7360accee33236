/** Versions of a model: what was recorded when each was generated, and the way from one to another. */
import { changesBetween, type Change } from './changes';
import { lint, type Finding } from './lint';
import { noModel, type Model } from './model';
import { plan } from './plan';
import { problemsOf, type Problem } from './problems';
import { migrationsOf, type Migration } from './sql';
import { structureOf, type Structure } from './structure';

export interface VersionModel {
  /** From 1, one more with each version of the product. The number of a removed version is not used again. */
  readonly sequenceIndex: number;
  readonly model: Model;
}

/** Recorded, and never changed afterwards. */
export interface ModelVersion extends VersionModel {
  /** From the version before to this one. Without any, only words have changed. */
  readonly migrations: readonly Migration[];
}

export interface Difference {
  readonly changes: Change[];
  readonly migrations: readonly Migration[];
  readonly findings: readonly Finding[];
  /** Of the second model, which cannot become a version then. */
  readonly problems: readonly Problem[];
}

/** From the model of a version, or none, to another one or to what the next version would hold. */
export function differenceOf(before: Model, after: Model): Difference {
  const problems = problemsOf(after);
  const changes = changesBetween(before, after);
  if (problems.length > 0) return { changes, problems, migrations: [], findings: [] };
  const [from, to] = [structureOf(before), structureOf(after)];
  return { changes, problems, migrations: migrationsOf(plan(from, to)), findings: lint(from, to) };
}

/**
 * @param sequenceIndex a number that no version of the product has had
 * @returns why there can be no next version, or the next version
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
  /** Of the versions on the way, without both ends. */
  readonly between: readonly Structure[];
  readonly to: Structure;
}

/**
 * The way from the version that a database has (0: none) to another one. Forward it consists of the recorded statements.
 * Backward it goes version by version, with statements made from the difference between the two.
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
