/** Applies versions to databases: an operator reviews a plan, then a run carries out exactly that plan. */
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { answered, destroys, type GivenValue, JOURNAL, refusals } from '@quarterdeck/data-model';
import { database, environments, isTyped, type Position } from '@quarterdeck/events';
import { closed, DatabaseConnections } from '../databases';
import { Decisions } from '../platform/decisions';
import { DomainError, invalidField } from '../platform/errors';
import { listOf } from '../platform/kit';
import type { CommandMeta } from '../platform/sessions';
import { DB, type Pool } from '../platform/tokens';
import type { ViewOf } from '@quarterdeck/projections';
import { RunEngine, runsDecider, type RunRequest } from '../runs';
import { type AskedPlan, type Planned, planOfApply, wayOfApply } from './apply.jobs';
import { applyKind, inputOf, type ApplyInput } from './apply.kind';
import { refusedWords } from './applying';
import { workWith } from './model-work';
import { willRehearse } from './rehearsal';
import {
  appliedVersion,
  counted,
  journalOf,
  newestRun,
  readAnswers,
  refuseOther,
  refuseValues,
  type Target,
} from './target';
import { shownFinding } from './model.jobs';
import { Versions } from './versions';
import { listVersions, versionTexts } from './versions.queries';

type Input = RunRequest['input'];

interface ApplyRequest {
  runId: string;
  database?: { id: string } | undefined;
  /** Seal of the plan that the operator reviewed. If absent, the current plan is used. */
  seal?: string | undefined;
  /** Start from the actual structure of the database, even if no version has it. */
  repair?: boolean | undefined;
  /** Only record that the database has the version. */
  baseline?: boolean | undefined;
  /** The name of the product, typed by the operator as confirmation. */
  name?: string | undefined;
  /** What existing rows get in new required columns. */
  values?: readonly GivenValue[] | undefined;
}

@Injectable()
export class ApplyPlans implements OnModuleInit {
  constructor(
    @Inject(DB) private readonly db: Pool,
    private readonly versions: Versions,
    private readonly databases: DatabaseConnections,
    private readonly engine: RunEngine,
    private readonly decisions: Decisions,
    private readonly commands: CommandBus,
  ) {}

  onModuleInit(): void {
    this.engine.register(
      applyKind({
        outageMs: 600_000,
        retryMs: 2_000,
        open: (id, meta, signal) => this.databases.open(id, meta, signal),
        way: async (asked, product, workspace) => {
          const versions = await versionTexts(this.db, workspace, product, [asked.from, asked.version]);
          return workWith(wayOfApply, { versions, asked }, [versions]);
        },
        record: (command) => this.commands.execute(command),
        isOver: async (run, workspace) => {
          const { state } = await this.decisions.load(runsDecider, run, workspace);
          return state.is !== 'unknown' && state.is !== 'open';
        },
        stillFits: async (version, id, workspace) => {
          await this.versions.version(version, workspace);
          await this.databases.access(id, workspace);
        },
      }),
    );
  }

  /** @throws DomainError if there is no such database, or it cannot be reached */
  async plan(
    id: string,
    { database: named, values }: Pick<ApplyRequest, 'database' | 'values'>,
    meta: CommandMeta,
  ) {
    const {
      answers: _answers,
      actual: _actual,
      completed: _completed,
      stopped: _stopped,
      refusal: _refusal,
      differences,
      ...plan
    } = await this.look(id, named?.id, meta, { values });
    return { ...plan, fits: plan.from !== plan.to && differences.length === 0 };
  }

  /** The plan, and the answers for which it was made. */
  async look(
    id: string,
    named: string | undefined,
    meta: CommandMeta,
    { values = [], isForRun = false }: { values?: readonly GivenValue[]; isForRun?: boolean } = {},
  ) {
    const { sequenceIndex, product, env, applied } = await this.versions.version(id, meta.workspace);
    // A database that has the version can be compared with it, even after the version has moved to another environment.
    const others = applied.map((one) => one.database.id);
    const target = await this.target(product, env.id, named, meta.workspace, others);
    const numbers = (await listVersions(this.db, meta.workspace, product)).map((one) => one.sequenceIndex);
    const connected = await this.databases.open(target.id, meta).catch(unusable);
    const planned = async () => {
      const known = new Set([0, ...numbers]);
      const from = await appliedVersion(connected, product);
      if (!known.has(from))
        throw new DomainError(
          'conflict',
          `the database has version ${from}, which this product does not have`,
        );
      const stopped = await this.stopped(connected, product, known, meta.workspace);
      const asked = { product, database: target.id, from, version: sequenceIndex, stopped, values, isForRun };
      const rehearsed = isForRun ? undefined : await willRehearse(connected);
      return {
        ...(await this.planFor(connected, asked, meta.workspace)),
        ...(rehearsed !== undefined && { rehearsed }),
      };
    };
    const plan = await closed(connected, planned()).catch(unusable);
    if (target.env.id !== env.id && plan.from !== sequenceIndex) throw elsewhere(env.id);
    const type: 'MySQL' | 'PostgreSQL' = connected.dialect === 'mysql' ? 'MySQL' : 'PostgreSQL';
    return { database: { id: target.id, name: target.name, type }, to: sequenceIndex, ...plan };
  }

  /** The newest run, if it did not finish. */
  private async stopped(
    target: Target,
    product: string,
    known: ReadonlySet<number>,
    workspace: string,
  ): Promise<AskedPlan['stopped']> {
    const run = await newestRun(target);
    const rows = run === undefined ? [] : await journalOf(target, run);
    const last = rows.at(-1);
    if (run === undefined || !last || rows.some(({ sequence }) => sequence === 0)) return undefined;
    const { state } = await this.decisions.load(runsDecider, run, workspace);
    if (state.is === 'unknown')
      throw new DomainError(
        'conflict',
        `a run of another console (${run}) has changed this database and has not ended well: retry it there, or delete its rows from ${JOURNAL} if that console has gone`,
      );
    const way = inputOf(state.request);
    refuseOther(way.product, product);
    if (!known.has(way.from) || !known.has(way.version))
      throw new DomainError(
        'conflict',
        `the run that applied version ${way.version} has not ended well, and the version was removed since: restore it first`,
      );
    return { way, last, isOpen: state.is === 'open' };
  }

  private async planFor(
    target: Target,
    asked: Pick<AskedPlan, 'database' | 'from' | 'version' | 'stopped' | 'isForRun'> & {
      product: string;
      values: readonly GivenValue[];
    },
    workspace: string,
  ) {
    const { product, ...about } = asked;
    const { from, version, stopped, values } = about;
    const ends = [from, version, ...(stopped ? [stopped.way.from, stopped.way.version] : [])];
    const versions = await versionTexts(this.db, workspace, product, ends);
    const answers = await readAnswers(target);
    const newest = await newestRun(target);
    const wanted = { ...about, versions, answers, newest };
    const {
      findings: uncounted,
      judged,
      ...planned
    } = await workWith(planOfApply, wanted, [versions, answers]);
    await refuseValues(target, judged, values);
    const findings = answered(await counted(target, uncounted), values);
    return {
      from,
      answers,
      destroys: destroys(findings),
      refusal: refusals(findings)[0],
      findings: findings.map(shownFinding),
      ...planned,
    };
  }

  /** @throws DomainError `conflict` if the model or the database has changed since the plan was shown */
  async start(
    id: string,
    { runId, database: target, seal, name, repair = false, baseline = false, values = [] }: ApplyRequest,
    meta: CommandMeta,
  ): Promise<{ runId: string; position: Position }> {
    const known = await this.decisions.load(runsDecider, runId, meta.workspace);
    if (known.state.is !== 'unknown') {
      // A repeated request joins the run, even if the plan has changed since.
      const { kind, input } = known.state.request;
      if (kind === 'applyVersion' && input['id'] === id) return { runId, position: known.position };
      throw new DomainError('unprocessable', 'this run id belongs to other work');
    }
    const { product } = await this.versions.version(id, meta.workspace);
    const { actual, completed, ...plan } = await this.look(id, target?.id, meta, {
      values,
      isForRun: true,
    });
    if (plan.from === plan.to && plan.statements.length === 0)
      throw new DomainError(
        'unprocessable',
        `${plan.database.name} has version ${plan.to} already` +
          (plan.drift ? ', and no statement can change how it differs from that' : ''),
      );
    if (seal !== undefined && seal !== plan.seal)
      throw new DomainError(
        'conflict',
        'the model or the database has changed since this plan was shown: look at it again',
      );
    const subject = { kind: 'database', id: plan.database.id, name: plan.database.name };
    if (baseline) {
      const input = { ...baselineOf(plan), id, product } as unknown as Input;
      return this.engine.start(runId, 'applyVersion', { subject, input }, meta);
    }
    if (plan.repairs && plan.drift && !repair)
      throw new DomainError(
        'conflict',
        `${plan.database.name} is not what its version says: ${plan.drift.words.join(' ')}`,
      );
    if (plan.refusal) throw new DomainError('unprocessable', refusedWords(plan.refusal));
    if (plan.destroys && !isTyped(await this.versions.productName(product, meta.workspace), name ?? ''))
      throw invalidField('name', 'this is destructive: type the name of the product to confirm it');
    const input: ApplyInput = {
      id,
      product,
      from: plan.from,
      version: plan.to,
      seal: plan.seal,
      mayDestroy: plan.destroys,
      ...(actual && { actual }),
      ...(completed && { completed }),
      ...(values.length > 0 && { values }),
    };
    return this.engine.start(runId, 'applyVersion', { subject, input: input as unknown as Input }, meta);
  }

  /**
   * The named database, or the only one of the environment.
   *
   * @param others databases of any environment that may be named
   */
  async target(
    product: string,
    env: number,
    named: string | undefined,
    workspace: string,
    others: readonly string[] = [],
  ) {
    const word = environments[env - 1] ?? '';
    const views = (await listOf(database, this.db, workspace, product)) as unknown as ViewOf<
      typeof database
    >[];
    const all = views.filter((one) => one.env.id === env);
    const fitting = [...all, ...views.filter(({ id }) => others.includes(id))];
    const found = named === undefined ? all[0] : fitting.find(({ id }) => id === named);
    if (found && (named !== undefined || all.length === 1)) return found;
    if (named !== undefined) {
      await this.databases.access(named, workspace);
      throw elsewhere(env);
    }
    throw invalidField(
      'database.id',
      all.length === 0
        ? `there is no database in ${word}: add one first`
        : `there are ${all.length} databases in ${word}: choose one`,
    );
  }
}

/** @throws DomainError `conflict` with the differences, if the database does not have the structure of the version */
function baselineOf({
  database: { name },
  differences,
  from,
  seal,
  stopped,
  to,
}: Pick<Planned, 'differences' | 'seal' | 'stopped'> & {
  database: { name: string };
  from: number;
  to: number;
}): Omit<ApplyInput, 'id' | 'product'> {
  if (stopped) throw new DomainError('conflict', `${stopped} Apply or repair it first.`);
  if (differences.length > 0)
    throw new DomainError(
      'conflict',
      `${name} does not have the structure of version ${to}: ${differences.slice(0, MAX_SAID).join(' ')}` +
        (differences.length > MAX_SAID ? ` ${differences.length - MAX_SAID} more differences.` : ''),
    );
  return { from: to, version: to, seal, mayDestroy: false, baseline: { from } };
}

const MAX_SAID = 20;

const elsewhere = (env: number) =>
  invalidField(
    'database.id',
    `this version is in ${environments[env - 1] ?? ''}, but the database is not and does not have it`,
  );

/** Shows error messages of the database to the operator. */
export const unusable = (error: unknown): never => {
  if (error instanceof DomainError || !(error instanceof Error)) throw error;
  throw new DomainError('upstream', `the database could not be used: ${error.message}`);
};
