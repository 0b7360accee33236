/** Compares answers with the contract. Tests check every answer; production checks none. */
import type { Call } from '@quarterdeck/contract';

export class AnswerDiffers extends Error {
  override name = 'AnswerDiffers';
}

/**
 * Checks the JSON as it is sent, in which undefined fields are absent.
 * @throws AnswerDiffers with the paths that differ, without their values, which may be secret
 */
export const checkAnswer = ({ id, answer, produces }: Call, body: unknown): void => {
  if (produces) return;
  const sent: unknown = body === undefined ? undefined : JSON.parse(JSON.stringify(body));
  const { error } = answer.safeParse(sent);
  if (!error) return;
  const places = error.issues.map(({ path, message }) => `${path.join('.') || 'the answer'}: ${message}`);
  throw new AnswerDiffers(`the answer of ${id} differs from its schema: ${places.join('; ')}`);
};
