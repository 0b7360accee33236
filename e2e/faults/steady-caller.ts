/** An operator who repeats each change, with the same key, until a back end answers it. */
import { randomUUID } from 'node:crypto';
import type { Answer, Operator } from '../../testing/operator';
import { pause } from '../../testing/patience';

export interface Acknowledged {
  path: string;
  /** Its `Idempotency-Key`. */
  key: string;
  /** Position in the log, of the change or of the state that it found. */
  position: string;
}

export interface Told {
  acknowledged: Acknowledged[];
  /** Changes that were sent more than once. */
  repeated: number;
  /** Refused at a repetition. The first attempt was not answered, and must not have had its effect. */
  refusedAgain: { path: string; key: string; says: string }[];
}

const MAX_TRIES = 600;
/** 502 is an answer: the server of a command was not reached. */
const UNANSWERED: readonly number[] = [429, 500, 503];

/** @param operators the same person at several back ends; a call that fails goes to the next one */
export const steadyCaller = (operators: readonly Operator[], told: Told): Operator => {
  const [first] = operators;
  if (!first) throw new Error('there is no back end to call');
  let turn = 0;
  const post = async <T>(path: string, body?: unknown): Promise<Answer<T>> => {
    const key = randomUUID();
    for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
      const who = operators[turn % operators.length] ?? first;
      const answer = await who.post<T>(path, body, { 'idempotency-key': key }).catch(() => undefined);
      if (answer && !UNANSWERED.includes(answer.status)) {
        note(path, key, answer as Answer<{ msg?: string }>, tries);
        return answer;
      }
      turn += 1;
      await pause(Math.min(20 * tries, 200));
    }
    throw new Error(`${path} was not answered`);
  };
  const note = (path: string, key: string, answer: Answer<{ msg?: string }>, tries: number): void => {
    const { status, headers, body } = answer;
    const position = headers.get('x-position');
    if (tries > 1) told.repeated += 1;
    // 502: a command was recorded as a run, and its server was not reached.
    if (tries > 1 && status >= 400 && status !== 502)
      told.refusedAgain.push({ path, key, says: `${status} ${body.msg}` });
    if (status === 200 && position !== null) told.acknowledged.push({ path, key, position });
  };
  return { ...first, post };
};
