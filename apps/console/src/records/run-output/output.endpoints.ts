import { runs, type Answer, type Sent } from '@quarterdeck/contract';
import { api } from '../../core/api';
import { requestOf } from '../../core/calls';

const outputApi = api.injectEndpoints({
  endpoints: (build) => ({
    // An RTK mutation, because a page of output goes straight into the log and must not be cached as well.
    runOutput: build.mutation<Answer<typeof runs.output>, Sent<typeof runs.output>>({
      query: (input) => requestOf(runs.output, input),
    }),
  }),
});

export const { useRunOutputMutation } = outputApi;
