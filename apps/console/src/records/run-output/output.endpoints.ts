import { runs, type Answer, type Sent } from '@quarterdeck/contract';
import { api } from '../../core/api';
import { requestOf } from '../../core/calls';

const outputApi = api.injectEndpoints({
  endpoints: (build) => ({
    // A mutation in RTK's sense: a page of output goes into the log at once, and must not lie in the cache as well.
    runOutput: build.mutation<Answer<typeof runs.output>, Sent<typeof runs.output>>({
      query: (input) => requestOf(runs.output, input),
    }),
  }),
});

export const { useRunOutputMutation } = outputApi;
