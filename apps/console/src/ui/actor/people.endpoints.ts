/** The members of the workspace, by whose names events and runs are signed. */
import type { PersonView } from '@quarterdeck/projections';
import { api, tagsOf } from '../../app/api';

const peopleApi = api.injectEndpoints({
  endpoints: (build) => ({
    people: build.query<PersonView[], void>({
      query: () => ({ url: '/person/list', body: {} }),
      providesTags: tagsOf('people'),
    }),
  }),
});

export const { usePeopleQuery } = peopleApi;
