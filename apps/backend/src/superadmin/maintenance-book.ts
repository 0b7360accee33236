/**
 * Records of maintenance in the log: who requested it, which process began, how it ended. Used by back ends and the
 * command line.
 */
import { hostname } from 'node:os';
import { MAINTENANCE_ID } from '@quarterdeck/events/catalogue';
import type { Maintenance, MaintenanceKind } from '@quarterdeck/projections';
import {
  RebuildRefused,
  type MaintenanceBook,
  type MaintenanceOutcome,
} from '@quarterdeck/projections/runner';
import { Decisions } from '../platform/decisions';
import type { Decision } from '../platform/decider';
import { DomainError, invalidField } from '../platform/errors';
import { type CommandMeta, ownMeta } from '../platform/sessions';
import type { ProjectionRunner } from '../platform/tokens';
import {
  CancelMaintenance,
  EndMaintenance,
  maintenanceDecider,
  RequestMaintenance,
  RequestParkedRetry,
  StartMaintenance,
} from './maintenance.decider';

/** Read models serve every workspace, so their maintenance belongs to none. */
const INSTALLATION = '-';
export const installationMeta = (meta: CommandMeta): CommandMeta => ({ ...meta, workspace: INSTALLATION });

/** Name of this process in the records. */
export const processName = `${hostname()}:${process.pid}`;

type EndEvent = EndMaintenance['data'];

const whole = Math.round;

export const endOf = (maintenance: string, outcome: MaintenanceOutcome): EndEvent => {
  if (outcome.state === 'failed')
    return { type: 'MaintenanceFailed', data: { maintenance, reason: outcome.reason } };
  if (outcome.state === 'cancelled') return { type: 'MaintenanceCancelled', data: { maintenance } };
  if (outcome.kind === 'rebuild') {
    const { projections, events, durationMs, heldMs, parked } = outcome.result;
    const times = { durationMs: whole(durationMs), heldMs: whole(heldMs) };
    const data = { maintenance, readModels: projections, events, ...times, parked };
    return { type: 'RebuildFinished', data };
  }
  const compared = outcome.result.map(({ projection, rows, differing, problem }) => ({
    readModel: projection,
    rows,
    differing,
    ...(problem === undefined ? {} : { problem }),
  }));
  const data = { maintenance, events: outcome.events, durationMs: whole(outcome.durationMs), compared };
  return { type: 'VerificationFinished', data };
};

export class MaintenanceLog {
  constructor(
    private readonly decisions: Decisions,
    private readonly projections: ProjectionRunner,
  ) {}

  async current(): Promise<Maintenance | undefined> {
    return (await this.decisions.load(maintenanceDecider, MAINTENANCE_ID, INSTALLATION)).state.current;
  }

  /** @throws DomainError `conflict` while another one is open, `invalid` if there is no such read model */
  async request(
    { maintenance, kind, readModel }: { maintenance: string; kind: MaintenanceKind; readModel: string },
    meta: CommandMeta,
  ): Promise<Decision> {
    if (readModel !== 'all') this.refuseUnknown(readModel);
    return this.carryOut(new RequestMaintenance(...this.given({ maintenance, kind, readModel }, meta)));
  }

  /** @throws DomainError `notFound` if it has ended */
  cancel(maintenance: string, meta: CommandMeta): Promise<Decision> {
    return this.carryOut(new CancelMaintenance(...this.given({ maintenance }, meta)));
  }

  /** Recorded first: a retry that cannot be recorded must not happen. */
  async retryParked(readModel: string, stream: string, meta: CommandMeta) {
    this.refuseUnknown(readModel);
    const request = new RequestParkedRetry(...this.given({ readModel, stream }, meta));
    const { position } = await this.carryOut(request);
    try {
      return { result: await this.projections.retryParked(readModel, stream), position };
    } catch (error) {
      if (error instanceof RebuildRefused) throw new DomainError('conflict', error.message);
      throw error;
    }
  }

  /**
   * Does the work that is requested at the moment when it begins.
   * @param before records a request at that moment, if any
   */
  work(cancel: AbortSignal, before: () => Promise<unknown>, more: Pick<MaintenanceBook, 'onProgress'> = {}) {
    let begun: Maintenance | undefined;
    const meta = ownMeta('system', INSTALLATION);
    const book: MaintenanceBook = {
      ...more,
      begin: async () => {
        await before();
        const wanted = await this.current();
        if (!wanted) return undefined;
        const { maintenance } = wanted;
        const start = { maintenance, process: processName };
        await this.carryOut(new StartMaintenance(...this.given(start, meta)));
        begun = await this.current();
        // Cancelled at the last moment, or given up.
        if (begun?.maintenance !== maintenance) return undefined;
        return this.projections.order(begun.kind, begun.readModel);
      },
      end: async (outcome) => {
        if (begun)
          await this.carryOut(new EndMaintenance(...this.given(endOf(begun.maintenance, outcome), meta)));
      },
    };
    return this.projections.maintain(book, cancel);
  }

  private refuseUnknown(readModel: string): void {
    const { names } = this.projections;
    if (!names.includes(readModel))
      throw invalidField('readModel', `there is no read model ${readModel}; there are ${names.join(', ')}`);
  }

  private given<D>(data: D, meta: CommandMeta): [string, D, CommandMeta] {
    return [MAINTENANCE_ID, data, installationMeta(meta)];
  }

  private carryOut(command: Parameters<typeof maintenanceDecider.decide>[0]): Promise<Decision> {
    return this.decisions.execute(maintenanceDecider, command);
  }
}
