/** Whether answers are what the contract says. Tests have every answer checked; production checks none. */
import type { Call } from '@quarterdeck/contract';

export class AnswerDiffers extends Error {
  override name = 'AnswerDiffers';
}

/**
 * Looks at what goes over the wire, where what is undefined is absent.
 * @throws AnswerDiffers, with the places that differ and without their values, which may be secret
 */
export const checkAnswer = ({ id, answer, produces }: Call, body: unknown): void => {
  if (produces) return;
  const sent: unknown = body === undefined ? undefined : JSON.parse(JSON.stringify(body));
  const { error } = answer.safeParse(sent);
  if (!error) return;
  const places = error.issues.map(({ path, message }) => `${path.join('.') || 'the answer'}: ${message}`);
  throw new AnswerDiffers(`the answer of ${id} differs from its schema: ${places.join('; ')}`);
};
