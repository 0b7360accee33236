import { api } from '../../app/api';
import type { OutputChunk } from '@quarterdeck/projections';

interface OutputPage {
  chunks: OutputChunk[];
  more: boolean;
}

const outputApi = api.injectEndpoints({
  endpoints: (build) => ({
    // A mutation in RTK's sense: a page of output goes into the log at once, and must not lie in the cache as well.
    runOutput: build.mutation<OutputPage, { id: string; after?: number }>({
      query: (body) => ({ url: '/run/output', body }),
    }),
  }),
});

export const { useRunOutputMutation } = outputApi;
