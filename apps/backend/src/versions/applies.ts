/** Applies versions to databases: an operator reviews a plan, then a run carries out exactly that plan. */
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import {
  destroys,
  driftOf,
  fileNameOf,
  hindering,
  JOURNAL,
  lintWay,
  type ModelVersion,
  stoppedAfter,
  type Structure,
  structureText,
  wayBetween,
} from '@quarterdeck/data-model';
import { database, environments, isTyped, type Position } from '@quarterdeck/events';
import { closed, DatabaseConnections } from '../databases';
import { Decisions } from '../platform/decisions';
import { DomainError, invalidField } from '../platform/errors';
import { listOf } from '../platform/kit';
import type { CommandMeta } from '../platform/sessions';
import { DB, type Pool } from '../platform/tokens';
import type { ViewOf } from '@quarterdeck/projections';
import { RunEngine, runsDecider, type RunRequest } from '../runs';
import { applyKind, inputOf, repairing, wayOf, type ApplyInput } from './apply.kind';
import { sealOf } from './applying';
import {
  appliedVersion,
  counted,
  journalOf,
  newestRun,
  readStructure,
  refuseOther,
  type Target,
} from './target';
import { shownFinding, Versions } from './versions';
import { modelVersions } from './versions.queries';

type Input = RunRequest['input'];

interface Asked {
  runId: string;
  database?: { id: string } | undefined;
  /** Seal of the plan that the operator reviewed. If absent, the current plan is used. */
  seal?: string | undefined;
  /** Start from the actual structure of the database, even if no version has it. */
  repair?: boolean | undefined;
  /** The name of the product, typed by the operator as confirmation. */
  name?: string | undefined;
}

@Injectable()
export class Applies implements OnModuleInit {
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
        ...{ outageMs: 600_000, retryMs: 2_000 },
        open: (id, meta, signal) => this.databases.open(id, meta, signal),
        versions: (product, workspace) => modelVersions(this.db, workspace, product),
        record: (command) => this.commands.execute(command),
        stillFits: async (version, id, workspace) => {
          await this.versions.version(version, workspace);
          await this.databases.access(id, workspace);
        },
      }),
    );
  }

  /** @throws DomainError if there is no such database, or it cannot be reached */
  async plan(id: string, named: string | undefined, meta: CommandMeta) {
    const {
      structure: _structure,
      actual: _actual,
      stopped: _stopped,
      ...plan
    } = await this.look(id, named, meta);
    return plan;
  }

  /** The plan, and the structure for which it was made. */
  async look(id: string, named: string | undefined, meta: CommandMeta) {
    const { sequenceIndex, product, env, applied } = await this.versions.version(id, meta.workspace);
    // A database that has the version can be compared with it, even after the version has moved to another environment.
    const others = applied.map((one) => one.database.id);
    const target = await this.target(product, env.id, named, meta.workspace, others);
    const all = await modelVersions(this.db, meta.workspace, product);
    const connected = await this.databases.open(target.id, meta).catch(unusable);
    const planned = async () => {
      const stopped = await this.stopped(connected, product, all, meta.workspace);
      return { stopped, ...(await planFor(connected, { product, all, to: sequenceIndex, stopped })) };
    };
    const plan = await closed(connected, planned()).catch(unusable);
    if (target.env.id !== env.id && plan.from !== sequenceIndex) throw elsewhere(env.id);
    const type: 'MySQL' | 'PostgreSQL' = connected.dialect === 'mysql' ? 'MySQL' : 'PostgreSQL';
    return { database: { id: target.id, name: target.name, type }, to: sequenceIndex, ...plan };
  }

  /**
   * The state that the newest run left behind, if it did not finish: names alone do not identify tables and columns.
   */
  private async stopped(
    target: Target,
    product: string,
    versions: readonly ModelVersion[],
    workspace: string,
  ): Promise<Stopped | undefined> {
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
    const input = inputOf(state.request);
    refuseOther(input.product, product);
    const known = (number: number) =>
      number === 0 || versions.some(({ sequenceIndex }) => sequenceIndex === number);
    if (!known(input.from) || !known(input.version))
      throw new DomainError(
        'conflict',
        `the run that applied version ${input.version} has not ended well, and the version was removed since: restore it first`,
      );
    const way = wayOf(input, versions);
    const reached = stoppedAfter(way, last, await readStructure(target));
    if (reached === undefined) return undefined;
    return {
      reached,
      words: `A run that should apply version ${input.version} ${state.is === 'open' ? 'is' : 'stopped'} at statement ${last.sequence} of ${way.migrations.length}.`,
    };
  }

  /** @throws DomainError `conflict` if the model or the database has changed since the plan was shown */
  async start(
    id: string,
    { runId, database: target, seal, name, repair = false }: Asked,
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
    const { actual, ...plan } = await this.look(id, target?.id, meta);
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
    if (plan.repairs && plan.drift && !repair)
      throw new DomainError(
        'conflict',
        `${plan.database.name} is not what its version says: ${plan.drift.words.join(' ')}`,
      );
    if (plan.destroys && !isTyped(await this.versions.productName(product, meta.workspace), name ?? ''))
      throw invalidField('name', 'this is destructive: type the name of the product to confirm it');
    const input: ApplyInput = {
      ...{ id, product, from: plan.from, version: plan.to, seal: plan.seal },
      mayDestroy: plan.destroys,
      ...(actual && { actual }),
    };
    const subject = { kind: 'database', id: plan.database.id, name: plan.database.name };
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

const elsewhere = (env: number) =>
  invalidField(
    'database.id',
    `this version is in ${environments[env - 1] ?? ''}, but the database is not and does not have it`,
  );

interface Stopped {
  readonly reached: Structure;
  readonly words: string;
}

interface Wanted {
  product: string;
  all: readonly ModelVersion[];
  /** The number of a version. */
  to: number;
  stopped: Stopped | undefined;
}

async function planFor(target: Target, { product, all, to, stopped }: Wanted) {
  const from = await appliedVersion(target, product);
  if (from !== 0 && !all.some(({ sequenceIndex }) => sequenceIndex === from))
    throw new DomainError('conflict', `the database has version ${from}, which this product does not have`);
  const recorded = wayBetween(all, from, to);
  const structure = await readStructure(target);
  const drifts = driftOf(recorded.from, structure);
  const words = [...(stopped ? [stopped.words] : []), ...drifts.map((drift) => drift.words)];
  const repairs = stopped !== undefined || hindering(drifts).length > 0;
  const way = repairs ? repairing(recorded, to, structure, stopped && [stopped.reached]) : recorded;
  const findings = await counted(target, lintWay(way));
  return {
    ...{ from, structure, repairs, destroys: destroys(findings) },
    ...(repairs && { actual: way.from }),
    seal: sealOf(way.migrations, structure, await newestRun(target)),
    findings: findings.map(shownFinding),
    statements: way.migrations.map((migration) => ({
      // Names without a prefix belong to the versions' own files.
      fileName: `${repairs ? 'repair_' : from > to ? 'back_to_' : ''}${fileNameOf(migration.version, migration)}`,
      sql: migration.sql[target.dialect],
    })),
    ...(words.length > 0 && {
      drift: {
        ...{ words, expected: structureText(recorded.from), actual: structureText(structure) },
        left: repairs ? driftOf(recorded.to, way.to).map((drift) => drift.words) : words,
      },
    }),
  };
}

/** Shows error messages of the database to the operator. */
export const unusable = (error: unknown): never => {
  if (error instanceof DomainError || !(error instanceof Error)) throw error;
  throw new DomainError('upstream', `the database could not be used: ${error.message}`);
};
