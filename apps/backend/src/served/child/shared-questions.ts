/**
 * Statements of requests that need no connection of their own, because each is the only one of its request. Those that
 * come together are one transaction with one writing: most of what a small one costs are the calls of the system, and
 * for an insert the wait for the disk. If it fails, each is asked again alone.
 */
import { isLost, isUndone, type Answered } from '../../databases/connections.program';
import { away, type Connections, type Question, type SharedConnection } from './connections';

/**
 * They wait for each other, so only statements that have been quick are together. The last answer counts a fifth: one
 * late answer of a busy machine changes nothing, and one that waited for a lock does.
 */
const QUICK_MS = 50;
const WEIGHT = 0.2;
const MAX_TOGETHER = 8;
const MAX_REMEMBERED = 400;

interface WaitingQuestion extends Question {
  readonly resolve: (answer: Answered) => void;
  readonly reject: (error: unknown) => void;
}

export class SharedQuestions {
  /** Mean time in milliseconds by statement. */
  private readonly usualMs = new Map<string, number>();
  private readonly waiting: WaitingQuestion[] = [];
  private isGathering = false;
  /** Those who wait for a connection, to ask what waits by then. */
  private carriers = 0;

  /** @param isReading those that only read are asked again if the connection was lost before their answer */
  constructor(
    private readonly connections: Pick<Connections, 'use' | 'once' | 'share' | 'dialect'>,
    private readonly isReading: boolean,
  ) {}

  /** @throws ApiRefusal 503, and what the database says */
  ask(text: string, values: readonly unknown[] = []): Promise<Answered> {
    if (!this.isQuick(text)) return this.alone({ text, values });
    return new Promise((resolve, reject) => {
      this.waiting.push({ text, values, resolve, reject });
      if (this.isGathering) return;
      this.isGathering = true;
      // Others of this turn of the event loop may follow.
      setImmediate(() => this.callCarriers());
    });
  }

  private alone(asked: Question): Promise<Answered> {
    return this.connections[this.isReading ? 'use' : 'once'](async (connection) => {
      const began = performance.now();
      const answer = await connection.ask(asked.text, asked.values);
      this.took(performance.now() - began, asked.text);
      return answer;
    });
  }

  private isQuick(text: string): boolean {
    return (this.usualMs.get(text) ?? Infinity) <= QUICK_MS;
  }

  private took(ms: number, text: string): void {
    const before = this.usualMs.get(text);
    if (before !== undefined) this.usualMs.set(text, before + WEIGHT * (ms - before));
    else if (this.usualMs.size < MAX_REMEMBERED && this.connections.dialect === 'postgresql')
      this.usualMs.set(text, ms);
  }

  private callCarriers(): void {
    this.isGathering = false;
    while (this.carriers * MAX_TOGETHER < this.waiting.length) {
      this.carriers += 1;
      void this.carry();
    }
  }

  private async carry(): Promise<void> {
    let hasTaken = false;
    const take = (): readonly WaitingQuestion[] => {
      hasTaken = true;
      this.carriers -= 1;
      return this.waiting.splice(0, MAX_TOGETHER);
    };
    try {
      await this.connections.share((connection) => this.askAll(connection, take()));
    } catch (error) {
      // Otherwise they have been told.
      if (!hasTaken) for (const { reject } of take()) reject(error);
    }
  }

  /** @throws what the database said. They have been told, or are asked again */
  private async askAll(connection: SharedConnection, asked: readonly WaitingQuestion[]): Promise<void> {
    const began = performance.now();
    try {
      const answers = await connection.together(asked);
      if (!answers) return this.askAgain(asked);
      const ms = performance.now() - began;
      for (const text of new Set(asked.map((one) => one.text))) this.took(ms, text);
      for (const [at, { resolve }] of asked.entries()) resolve(answers[at] as Answered);
    } catch (error) {
      for (const { text } of asked) this.usualMs.delete(text);
      // It may have been the fault of another one.
      if (this.isReading || isUndone(error)) this.askAgain(asked);
      else for (const { reject } of asked) reject(isLost(error) ? away() : error);
      throw error;
    }
  }

  private askAgain(asked: readonly WaitingQuestion[]): void {
    for (const one of asked) this.alone(one).then(one.resolve, one.reject);
  }
}
