/** The members of the workspace, by whose names events and runs are signed. */
import type { PersonView } from '@quarterdeck/projections';
import { api, tagsOf } from '../../app/api';

const peopleApi = api.injectEndpoints({
  endpoints: (build) => ({
    people: build.query<PersonView[], void>({
      query: () => ({ url: '/person/list', body: {} }),
      providesTags: tagsOf('people'),
    }),
    /** How one is called oneself. */
    rename: build.mutation<unknown, { name: string }>({
      query: (body) => ({ url: '/person/rename', body }),
      invalidatesTags: tagsOf('people'),
    }),
  }),
});

export const { usePeopleQuery, useRenameMutation } = peopleApi;
