/** An authenticator app: it shows the codes of a secret. */
import { codeOf, secretOf, stepAt } from '../../apps/backend/src/second-factors/totp';
import type { Answer, Operator } from '../../testing/operator';

/** @param steps of 30 seconds from now */
export const codeFrom = (secret: string, steps = 0): string =>
  codeOf(secretOf(secret), stepAt(new Date()) + steps);

export interface App {
  id: string;
  secret: string;
  /** Shown once with the first factor. */
  recoveryCodes: string[];
}

/**
 * Adds an authenticator app with the code of the step before the present one, so that the present code and the next one
 * can still be used. If a step ends between here and the server, that code is too old, and the next one is not.
 */
export const addApp = async (who: Operator, name = 'Phone'): Promise<App> => {
  const { body } = await who.post<{ id: string; secret: string }>('second-factor/totp/begin');
  const confirm = () =>
    who.post<{ recoveryCodes?: string[] }>('second-factor/totp/confirm', {
      id: body.id,
      name,
      code: codeFrom(body.secret, -1),
    });
  const first = await confirm();
  const added = first.status === 400 ? await confirm() : first;
  if (added.status !== 200) throw new Error(`not added: ${JSON.stringify(added.body)}`);
  return { ...body, recoveryCodes: added.body.recoveryCodes ?? [] };
};

export const give = (who: Operator, code: string): Promise<Answer> =>
  who.post('second-factor/give/totp', { code });
