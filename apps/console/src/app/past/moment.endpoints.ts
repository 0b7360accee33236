/** Where on the line of time an instant stands. These calls are about the present: the line goes on. */
import type { MomentTimeline, MomentView } from '@quarterdeck/projections';
import { api, tagsOf } from '../api';

const momentApi = api.injectEndpoints({
  endpoints: (build) => ({
    moment: build.query<MomentView, string>({
      query: (at) => ({ url: '/moment/detail', body: { at } }),
    }),
    timeline: build.query<MomentTimeline, void>({
      query: () => ({ url: '/moment/timeline', body: {} }),
      providesTags: tagsOf('history'),
    }),
  }),
});

export const { useMomentQuery, useTimelineQuery } = momentApi;
