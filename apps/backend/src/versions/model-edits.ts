/**
 * Edits a data model from within the back end, as a recorded run: if this process dies, another one makes the remaining
 * edits.
 */
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Adopted } from '@quarterdeck/data-model';
import type { Position } from '@quarterdeck/events';
import { Decisions } from '../platform/decisions';
import { DomainError } from '../platform/errors';
import { type CommandMeta, idFor } from '../platform/sessions';
import { RunEngine, type RunRequest, runsDecider } from '../runs';
import { ModelRecording, reportOf } from './model-recording';
import { Versions } from './versions';

export interface Edited {
  run: string;
  edits: number;
  /** Edits that were not made, and why. */
  left: string[];
  /** Undefined if no edit was made. */
  position: Position | undefined;
}

const KIND = 'editModel';
const HOUR_MS = 3_600_000;

@Injectable()
export class ModelEdits implements OnModuleInit {
  constructor(
    private readonly recording: ModelRecording,
    private readonly versions: Versions,
    private readonly runs: RunEngine,
    private readonly decisions: Decisions,
  ) {}

  onModuleInit(): void {
    this.runs.register({
      kind: KIND,
      changes: true,
      steps: [
        {
          name: 'edit',
          on: 'console',
          timeoutMs: HOUR_MS,
          repeatable: true,
          perform: async (context, io) => {
            const { edits } = context.request.input as unknown as Adopted;
            return { report: reportOf(await this.recording.perform(edits, context, io)) };
          },
        },
      ],
    });
  }

  /**
   * Skips refused edits.
   * @throws DomainError if somebody cancelled the run
   */
  async carryOut({ edits, left }: Adopted, product: string, meta: CommandMeta): Promise<Edited> {
    const run = idFor('run', meta);
    if (edits.length === 0) return { run, edits: 0, left: [...left], position: undefined };
    const subject = {
      kind: 'product',
      id: product,
      name: await this.versions.productName(product, meta.workspace),
    };
    const input = { edits, left } as unknown as RunRequest['input'];
    const { runId } = await this.runs.start(run, KIND, { subject, input }, meta);
    return this.outcome(runId, left, meta);
  }

  /** The outcome of an earlier call with the same Idempotency-Key; undefined if there was none. */
  async earlier(product: string, meta: CommandMeta): Promise<Edited | undefined> {
    if (!meta.keyed) return undefined;
    const run = idFor('run', meta);
    const { state } = await this.decisions.load(runsDecider, run, meta.workspace);
    if (state.is === 'unknown' || state.request.subject.id !== product) return undefined;
    const { left = [] } = state.request.input as unknown as Partial<Adopted>;
    return this.outcome(run, left, meta);
  }

  private async outcome(run: string, left: readonly string[], meta: CommandMeta): Promise<Edited> {
    const { end, lastStep, position } = await this.runs.ended(run, meta.workspace);
    if (end.is !== 'succeeded') throw new DomainError('unprocessable', end.reason);
    const { edits: made, refused } = lastStep?.report ?? {};
    return { run, edits: Number(made), left: [...left, ...(refused?.split('\n') ?? [])], position };
  }
}
