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

export interface Pending {
  readonly changes: readonly Change[];
  readonly migrations: readonly Migration[];
  readonly findings: readonly Finding[];
  /** A model with problems cannot become a version. */
  readonly problems: readonly Problem[];
}

/** What the next version would hold. */
export function pending(last: VersionModel | undefined, model: Model): Pending {
  const problems = problemsOf(model);
  const before = last?.model ?? noModel;
  const changes = changesBetween(before, model);
  if (problems.length > 0) return { changes, problems, migrations: [], findings: [] };
  const [from, to] = [structureOf(before), structureOf(model)];
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
  const { changes, migrations, problems } = pending(last, model);
  const [problem] = problems;
  if (problem !== undefined) return problem.message;
  if (changes.length === 0)
    return last === undefined
      ? 'there is no entity and no option set yet'
      : `nothing has changed since version ${last.sequenceIndex}`;
  return { sequenceIndex, model, migrations };
}

/** The number of the version before, or 0. Removed versions leave gaps. */
const beforeOf = (versions: readonly ModelVersion[], version: number): number =>
  Math.max(0, ...versions.map(({ sequenceIndex }) => sequenceIndex).filter((one) => one < version));

export interface Way {
  readonly migrations: readonly (Migration & { readonly version: number })[];
  readonly from: Structure;
  /** Of the versions on the way, without both ends. */
  readonly between: readonly Structure[];
  readonly to: Structure;
}

/**
 * From the version that a database has (0: none) to another. Forward with the recorded texts; backward with the
 * difference the other way round, from each version to the one before.
 */
export function wayBetween(versions: readonly ModelVersion[], applied: number, target: number): Way {
  const modelOf = (version: number): Model => {
    const found = versions.find(({ sequenceIndex }) => sequenceIndex === version);
    if (version !== 0 && found === undefined) throw new Error(`there is no version ${version}`);
    return found?.model ?? noModel;
  };
  const structure = (version: number) => structureOf(modelOf(version));
  const forward = versions
    .filter(({ sequenceIndex }) => sequenceIndex > applied && sequenceIndex <= target)
    .toSorted((a, b) => a.sequenceIndex - b.sequenceIndex)
    .flatMap(({ sequenceIndex, migrations }) =>
      migrations.map((migration) => ({ ...migration, version: sequenceIndex })),
    );
  const backward = versions
    .filter(({ sequenceIndex }) => sequenceIndex > target && sequenceIndex <= applied)
    .toSorted((a, b) => b.sequenceIndex - a.sequenceIndex)
    .flatMap(({ sequenceIndex }) => {
      const before = beforeOf(versions, sequenceIndex);
      return migrationsOf(plan(structure(sequenceIndex), structure(before))).map((migration) => ({
        ...migration,
        version: before,
      }));
    });
  const [low, high] = [Math.min(applied, target), Math.max(applied, target)];
  const onTheWay = versions
    .map(({ sequenceIndex }) => sequenceIndex)
    .filter((version) => version > low && version < high)
    .toSorted((a, b) => a - b);
  return {
    migrations: target > applied ? forward : backward,
    from: structure(applied),
    between: (target > applied ? onTheWay : onTheWay.toReversed()).map(structure),
    to: structure(target),
  };
}
