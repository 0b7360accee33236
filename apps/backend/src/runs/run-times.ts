/** Start times of a run and its steps, from the log, so that a process that takes a run over uses the same times. */
import { streamName } from '@quarterdeck/events';
import type { EventStore } from '../platform/tokens';
import type { RunState } from './runs.decider';

export class RunTimes {
  /** When the first step started. */
  private began: number | undefined;

  constructor(
    private readonly run: string,
    private readonly store: EventStore,
  ) {}

  /** To be called when a step has started. Only the first step counts. */
  begun(at: number): void {
    this.began ??= at;
  }

  /** Milliseconds since the first step began. */
  async elapsed(state: RunState): Promise<number> {
    if (state.is !== 'open' || state.steps.length === 0) return 0;
    this.began ??= await this.firstStart();
    return Math.max(Date.now() - this.began, 0);
  }

  async startOf(wanted: { step: { name: string }; attempt: number }): Promise<number> {
    const events = await this.store.readStream(streamName('run', this.run));
    const started = events.find(({ type, data }) => {
      const named = data as { step?: string; attempt?: number };
      return type === 'RunStepStarted' && named.step === wanted.step.name && named.attempt === wanted.attempt;
    });
    return started ? Date.parse(started.meta.at) : Date.now();
  }

  private async firstStart(): Promise<number> {
    const events = await this.store.readStream(streamName('run', this.run), { limit: 3 });
    const first = events.find(({ type }) => type === 'RunStepStarted') ?? events[0];
    return first ? Date.parse(first.meta.at) : Date.now();
  }
}
