/** For `scripts/keep-day.mjs`: gives a console of an earlier commit all nouns. */
import { contract, isRead, requestTo } from '@quarterdeck/contract';
import { operator } from '../../testing/operator';
import { apart } from '../repeats/apart';
import { makerFor } from '../things';

/** Calls about all sessions, all archives or the installation, which would end or hold up the filling. */
const elsewhere = /^(backup|superadmin|session)\./;

/** Sends each call that changes something with its example. @returns how many were accepted */
export const fillDay = async (url: string, cookie: string): Promise<number> => {
  const who = operator(url, cookie);
  let accepted = 0;
  for (const call of contract) {
    if (isRead(call) || apart.includes(call.id) || elsewhere.test(call.id)) continue;
    const input = await makerFor(who)
      .inputFor(call)
      // It takes what no call makes here, such as an answer of a provider.
      .catch(() => undefined);
    if (!input) continue;
    const { path, body } = requestTo(call, input);
    const { status } = await who.post(path, body);
    // A console of that commit may lack the call, and refuse what was not allowed then.
    if (status >= 500 && status !== 502) throw new Error(`${call.id}: ${status}`);
    if (status === 200) accepted += 1;
  }
  return accepted;
};
