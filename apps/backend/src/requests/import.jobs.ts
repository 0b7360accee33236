/** Reads what requests are imported from, in a thread: documents have up to 2 MB. */
import { DomainError } from '../platform/errors';
import type { Job } from '../platform/threads';
import { fromCurl } from './import-curl';
import { fromOpenApi } from './import-openapi';
import { acceptable, type AcceptedImport } from './import-words';

export type ReadImport = { is: 'read'; imported: AcceptedImport } | { is: 'refused'; reason: string };

/** Errors lose their class on the way out of a thread, so a refusal is a result. */
export const readImport: Job<{ source: 'curl' | 'openapi'; text: string }, ReadImport> = {
  name: 'readImport',
  work: ({ source, text }) => {
    try {
      return { is: 'read', imported: acceptable(source === 'curl' ? fromCurl(text) : fromOpenApi(text)) };
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return { is: 'refused', reason: error.data?.['text'] ?? error.msg };
    }
  },
};
