/**
 * The parts of a run, which are runs too. A run ends its parts before its own end is recorded. If a frozen or dead
 * process requests a part after that, the part ends before its first step.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { RunView } from '@quarterdeck/projections';
import { isTransient } from '../platform/database';
import { Decisions, followUp } from '../platform/decisions';
import { DomainError } from '../platform/errors';
import { inView } from '../platform/in-view';
import type { CommandMeta } from '../platform/sessions';
import {
  DB,
  EVENT_STORE,
  PROJECTIONS,
  type EventStore,
  type Pool,
  type ProjectionRunner,
} from '../platform/tokens';
import { CancelRun, runsDecider } from './runs.decider';

const TRY_AGAIN_MS = 500;
const LOOK_AGAIN_MS = 100;

interface OpenPart {
  id: string;
  isTold: boolean;
}

const OPEN = `
  select id, ${inView<RunView>('view').json('cancelRequested')} is not null as "isTold" from read.runs
  where parent = $1 and workspace = $2 and state in ('requested', 'running')`;

@Injectable()
export class RunParts {
  constructor(
    private readonly commands: CommandBus,
    private readonly decisions: Decisions,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(PROJECTIONS) private readonly projections: ProjectionRunner,
    @Inject(DB) private readonly db: Pool,
  ) {}

  /**
   * Cancels every open part, and waits until all parts have ended. Cheap if all have ended already.
   * @throws the reason of `leave`
   */
  async end(run: string, meta: CommandMeta, leave: AbortSignal): Promise<void> {
    for (;;) {
      const open = await this.open(run, meta.workspace, leave);
      if (open.length === 0) return;
      for (const { id, isTold } of open)
        if (!isTold) await this.cancel(id, followUp(meta, run), () => !leave.aborted);
      await sleep(LOOK_AGAIN_MS, undefined, { signal: leave });
    }
  }

  /**
   * Retries until the log has the cancel, while `wanted` returns true. No effect on a part that has ended or was never
   * requested.
   */
  async cancel(part: string, meta: CommandMeta, wanted: () => boolean): Promise<void> {
    while (wanted()) {
      try {
        await this.commands.execute(new CancelRun(part, {}, meta));
        return;
      } catch (error) {
        if (error instanceof DomainError && error.code === 'notFound') return;
        if (!isTransient(error)) throw error;
        await sleep(TRY_AGAIN_MS, undefined, { ref: false });
      }
    }
  }

  /**
   * Whether the run may still start parts. The process that drives it starts them, and ends them only after it has read that
   * the run is being cancelled: what it remembers is enough.
   */
  async mayBegin(run: string, workspace: string): Promise<boolean> {
    const { state } =
      this.decisions.known(runsDecider, run, workspace) ??
      (await this.decisions.load(runsDecider, run, workspace));
    return state.is === 'open' && !state.cancelRequested;
  }

  /** Waits for the read model to catch up with the log, and reads the open parts from it. */
  private async open(run: string, workspace: string, leave: AbortSignal): Promise<OpenPart[]> {
    for (;;) {
      leave.throwIfAborted();
      try {
        if (await this.projections.waitFor(await this.store.head(), TRY_AGAIN_MS)) {
          const query = { name: 'open-parts', text: OPEN, values: [run, workspace] };
          return (await this.db.query<OpenPart>(query)).rows;
        }
      } catch (error) {
        if (!isTransient(error)) throw error;
        await sleep(TRY_AGAIN_MS, undefined, { signal: leave });
      }
    }
  }
}
