/**
 * Carries out a plan in the database of a product, one statement after the other. Each statement is executed exactly
 * once, whatever fails on the way: a journal in that database records the finished statements. After a failure, the
 * journal and the structure show where to continue.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  answered,
  destroys,
  doneLabel,
  fillsItself,
  hasEffect,
  journal,
  refusals,
  type Finding,
  type GivenValue,
  type Migration,
  type DatabaseAnswers,
  quoted,
} from '@quarterdeck/data-model';
import { afterApply, beforeApply, outcomeOfStep, zeroDatesIn, type RunWay } from './apply.jobs';
import { workWith } from './model-work';
import { copyOf, dropCopy, rehearse, type Rehearsal } from './rehearsal';
import {
  acceptZeroDates,
  ApplyRefused,
  counted,
  isLost,
  journalOf,
  newestRun,
  readAnswers,
  type Row,
  type Target,
} from './target';

/** `from` and `to`: the expected structure before and after. */
export interface SealedPlan extends RunWay {
  /** The number of the version that the database will have, and its product. */
  readonly version: number;
  readonly product: string;
  /** The operator has seen what will be destroyed and typed the name of the product as confirmation. */
  readonly mayDestroy: boolean;
  /** Id of the database. */
  readonly database: string;
  /** Seal of the statements and of the database for which they were reviewed. */
  readonly seal: string;
  /** What existing rows get in new required columns. */
  readonly values?: readonly GivenValue[] | undefined;
}

export interface ApplyIo {
  print(line: string): void;
  /** Aborted by a cancel. A running statement that ends soon is completed first; otherwise the connection is closed. */
  readonly signal: AbortSignal;
}

export interface ApplyDeps extends Pick<Rehearsal, 'isOver'> {
  open(): Promise<Target>;
  /** How long to wait for an unavailable database. */
  readonly outageMs: number;
  readonly retryMs: number;
  /** Called before the first change. May throw to refuse it. */
  started(): Promise<void>;
  /** Called if the database refused the first statement, so that nothing was changed. */
  refused(): Promise<void>;
}

export interface Applied {
  readonly statements: number;
  /** How many statements an earlier attempt at the same run has carried out. */
  readonly before: number;
  /** How the database differs from the version all the same, in words: no statement can change the key of a table. */
  readonly left: readonly string[];
}

/** Differences that are named. */
const MAX_LEFT = 20;

/** Why a plan cannot be carried out as long as the database has these rows. */
export const refusedWords = ({ reason, remedy, rows }: Finding): string =>
  `${reason} Rows: ${rows}. ${remedy}`;

const shortened = (left: readonly string[]): readonly string[] =>
  left.length > MAX_LEFT ? [...left.slice(0, MAX_LEFT), `${left.length - MAX_LEFT} more differences.`] : left;

export class Applying {
  private target: Target | undefined;
  /** The connection was lost in a dry run, whose copy is still on the server. */
  private hasLeftCopy = false;
  private readonly words = () => journal[this.connected.dialect];

  constructor(
    private readonly run: string,
    private readonly plan: SealedPlan,
    private readonly deps: ApplyDeps,
    private readonly io: ApplyIo,
  ) {}

  /** Continues automatically if the database or the connection comes back in time. */
  async perform(): Promise<Applied> {
    try {
      return await this.sessions();
    } finally {
      if (this.hasLeftCopy) await this.removeCopy();
    }
  }

  private async removeCopy(): Promise<void> {
    const target = await this.deps.open().catch(() => undefined);
    try {
      if (target) return await dropCopy(target, this.run);
    } catch {
      // Said below.
    } finally {
      target?.destroy();
    }
    this.io.print(
      `The copy ${copyOf(this.run)} of the dry run could not be dropped. The next application of a version drops it.`,
    );
  }

  private async sessions(): Promise<Applied> {
    for (let goneAt: number | undefined; ;) {
      try {
        this.target = await this.deps.open();
        goneAt = undefined;
        return await this.session();
      } catch (error) {
        if (!isLost(error)) throw error;
        goneAt ??= performance.now();
        if (performance.now() - goneAt > this.deps.outageMs) throw error;
        this.io.print(`The database is gone: ${(error as Error).message}. Trying again.`);
        await sleep(this.deps.retryMs, undefined, { signal: this.io.signal });
      } finally {
        this.target?.destroy();
        this.target = undefined;
      }
    }
  }

  private async session(): Promise<Applied> {
    await this.lock();
    await this.query(this.words().create);
    const answers = await readAnswers(this.connected);
    await this.prepare(answers);
    const before = await journalOf(this.connected, this.run);
    if (before.length === 0) {
      await this.check(answers);
      await this.deps.started();
    }
    const { migrations, version, product } = this.plan;
    let end: Awaited<ReturnType<typeof this.outcome>> | undefined;
    if (!before.some(({ sequence }) => sequence === 0)) {
      if (before.length > 0) await this.checkNewest();
      const last = before.at(-1);
      for (const [at, migration] of migrations.entries()) {
        const place = at + 1;
        if (
          last !== undefined &&
          (place < last.sequence || (place === last.sequence && last.state === 'done'))
        )
          continue;
        if (last?.sequence === place && (await this.isDone(migration, place, answers))) continue;
        this.io.signal.throwIfAborted();
        this.io.print(`${place}/${migrations.length} ${migration.label}`);
        await this.carryOut(place, migration, last?.sequence === place);
      }
      end = await this.outcome(await readAnswers(this.connected));
      if (end.hindered !== '')
        throw new ApplyRefused(
          `All statements were carried out, but the database is not what version ${version} says: ${end.hindered}`,
        );
      await this.query(this.words().begin, [this.run, 0, version, doneLabel(version, product), 'done']);
    }
    end ??= await this.outcome(answers);
    await this.query(this.words().unlock);
    const left = shortened(end.left);
    for (const words of left) this.io.print(`Not as version ${version} says: ${words}`);
    return {
      statements: migrations.length,
      before: before.filter(({ sequence }) => sequence > 0).length,
      left,
    };
  }

  /** Lets the connection say what the tables have already, or will have. */
  private async prepare(answers: DatabaseAnswers): Promise<void> {
    const { to } = this.plan;
    if (answers.dialect === 'mysql' && (await workWith(zeroDatesIn, { to, answers }, [to, answers])))
      await acceptZeroDates(this.connected);
  }

  private outcome(answers: DatabaseAnswers) {
    const { to, recorded } = this.plan;
    return workWith(afterApply, { to, recorded, answers }, [to, answers]);
  }

  /** Refuses a plan that was made for another state. Otherwise does a dry run. */
  private async check(answers: DatabaseAnswers): Promise<void> {
    const { from, between, to, migrations, database, seal, mayDestroy } = this.plan;
    const way = { from, between, to, migrations };
    const newest = await newestRun(this.connected);
    const asked = { way, answers, database, newest };
    const before = await workWith(beforeApply, asked, [from, to, answers]);
    if (before.hindered !== '')
      throw new ApplyRefused(`The database is not what the version before says: ${before.hindered}`);
    if (before.seal !== seal)
      throw new ApplyRefused(
        'The model or the database has changed since this plan was shown. Look at it again.',
      );
    const all = await counted(this.connected, before.findings);
    const findings = answered(all, this.plan.values ?? []).filter(hasEffect);
    for (const { reason, rows } of findings)
      this.io.print(rows === undefined ? reason : `${reason} (rows: ${rows})`);
    if (destroys(findings) && !mayDestroy)
      throw new ApplyRefused('This is destructive, and nobody has confirmed it. Nothing was changed.');
    const [refusal] = refusals(findings);
    if (refusal) throw new ApplyRefused(`${refusedWords(refusal)} Nothing was changed.`);
    if (migrations.length === 0) return;
    this.io.print('Dry run');
    const { run } = this;
    const { isOver } = this.deps;
    this.hasLeftCopy = this.connected.dialect === 'mysql';
    const problem = await rehearse(this.connected, { run, migrations, to, isOver }).catch(
      (error: unknown) => {
        if (!isLost(error)) this.hasLeftCopy = false;
        throw error;
      },
    );
    this.hasLeftCopy = false;
    this.io.signal.throwIfAborted();
    this.io.print(problem === undefined ? 'The dry run succeeded.' : `No dry run: ${problem}`);
  }

  /** The checks made before the first statement remain valid only while no other run has applied anything. */
  private async checkNewest(): Promise<void> {
    if ((await newestRun(this.connected)) !== this.run)
      throw new ApplyRefused(
        'Another run has applied a version to this database since, so this one cannot go on. Apply the version again.',
      );
  }

  /** The result of this statement was lost. The structure shows whether it was executed. */
  private async isDone(migration: Migration, place: number, answers: DatabaseAnswers): Promise<boolean> {
    // No structure tells, and it may be carried out twice.
    if (migration.step.kind === 'dropDefault' || migration.step.kind === 'fillColumn') return false;
    const steps = this.plan.migrations.slice(0, place).map(({ step }) => step);
    const asked = { from: this.plan.from, steps, answers };
    const { before, after } = await workWith(outcomeOfStep, asked, [asked.from, answers]);
    if (after === '') {
      await this.query(this.words().done, [this.run, place]);
      this.io.print(`${place}/${this.plan.migrations.length} ${migration.label}: was carried out before`);
      return true;
    }
    if (before === '') return false;
    throw new ApplyRefused(`Nobody knows what became of statement ${place} (${migration.label}): ${before}`);
  }

  private async carryOut(
    place: number,
    migration: SealedPlan['migrations'][number],
    again: boolean,
  ): Promise<void> {
    const { dialect } = this.connected;
    const row = [this.run, place, migration.version, migration.label];
    try {
      if (dialect === 'postgresql') {
        await this.query('begin');
        await this.query(migration.sql[dialect], [], Infinity);
        await this.query(this.words().begin, [...row, 'done']);
        await this.query('commit');
      } else {
        await this.checkEmpty(migration);
        if (!again) await this.query(this.words().begin, [...row, 'begun']);
        await this.query(migration.sql[dialect], [], Infinity).catch(async (error: unknown) => {
          // Otherwise the refused statement would look like one whose result was lost.
          if (!isLost(error)) await this.query(this.words().forget, [this.run, place]);
          throw error;
        });
        await this.query(this.words().done, [this.run, place]);
      }
    } catch (error) {
      if (isLost(error)) throw error;
      if (place === 1) await this.deps.refused();
      throw new ApplyRefused(
        `Statement ${place} of ${this.plan.migrations.length} (${migration.label}) was refused: ${(error as Error).message}. ` +
          (place === 1 ? 'Nothing was changed.' : `The ${place - 1} before it were carried out.`),
      );
    }
  }

  /** MySQL would write an empty text or 0 into rows that were added since the check. */
  private async checkEmpty({ step }: Migration): Promise<void> {
    if (step.kind !== 'addColumn' || !step.column.required || step.value !== undefined) return;
    if (step.column.native?.dialect === 'mysql' && fillsItself(step.column)) return;
    const rows = await this.query(`select 1 as found from ${quoted(step.table, 'mysql')} limit 1`);
    if (rows.length > 0)
      throw new Error(`${step.table} has rows now, and they have no value for ${step.column.name}`);
  }

  /**
   * The last statement of a killed process keeps running and holds the lock. A run that has begun waits for it, however
   * long it takes.
   */
  private async lock(): Promise<void> {
    for (let hasSaid = false; !(await this.isLocked()); hasSaid = true) {
      if ((await journalOf(this.connected, this.run)).length === 0)
        throw new ApplyRefused(
          'Somebody else is applying a version to this database. Try again when they are done.',
        );
      this.io.signal.throwIfAborted();
      if (!hasSaid) this.io.print('The database is still busy with the last statement. Waiting for it.');
    }
  }

  private async isLocked(): Promise<boolean> {
    const rows = await this.query(this.words().lock).catch((error: unknown) => {
      if ((error as { code?: string }).code === '55P03') return [];
      throw error;
    });
    return Boolean(rows[0]?.given) && rows[0]?.given !== '0';
  }

  private query(sql: string, values?: readonly unknown[], withinMs?: number): Promise<Row[]> {
    return this.connected.query(sql, values, withinMs);
  }

  private get connected(): Target {
    if (!this.target) throw new Error('not connected');
    return this.target;
  }
}
