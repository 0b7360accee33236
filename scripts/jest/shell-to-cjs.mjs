/** Lets tests import `.sh` files as the build does. */
import { createHash } from 'node:crypto';
import { commonJsOf } from '../shell-files.mjs';

export default {
  // The files that a script sources count as well.
  getCacheKey: (_source, file) => createHash('sha1').update(commonJsOf(file)).digest('hex'),
  process: (_source, file) => ({ code: commonJsOf(file) }),
};
