/** The calls about scripts. */
import type { ScriptView } from '@quarterdeck/projections';
import { api, tagOf, tagsOf } from '../../app/api';

export interface ScriptFields {
  name: string;
  body: string;
  changes: boolean;
  timeoutSeconds: number;
}

interface Written {
  id: string;
  uuid: string;
}

const post = (url: string) => (body: unknown) => ({ url: `/script/${url}`, body });

const scriptApi = api.injectEndpoints({
  endpoints: (build) => ({
    /** Each with its newest version only. */
    scripts: build.query<ScriptView[], void>({
      query: () => post('list')({}),
      providesTags: tagsOf('scripts'),
    }),
    script: build.query<ScriptView, string>({
      query: (id) => post('detail')({ id }),
      providesTags: (_row, _error, id) => tagOf('scripts', id),
    }),
    addScript: build.mutation<Written, ScriptFields>({
      query: post('insert'),
      invalidatesTags: tagsOf('scripts'),
    }),
    updateScript: build.mutation<Written, { id: string; data: ScriptFields; revision?: number }>({
      query: post('update'),
      invalidatesTags: (_result, _error, { id }) => tagsOf('scripts', [id]),
    }),
    removeScript: build.mutation<Written, { id: string; name: string }>({
      query: post('delete'),
      invalidatesTags: tagsOf('scripts'),
    }),
  }),
});

export const {
  useScriptsQuery,
  useScriptQuery,
  useAddScriptMutation,
  useUpdateScriptMutation,
  useRemoveScriptMutation,
} = scriptApi;
