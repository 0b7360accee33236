import {
  formerColumns,
  memberColumns,
  withLastAdmin,
  type ListColumn,
  type PersonView,
} from '@quarterdeck/projections';
import type { Call, Reply } from './network';
import { pagesOf } from './pages';

const noFactors: Pick<PersonView, 'secondFactors' | 'recoveryCodesLeft'> = {
  secondFactors: [],
  recoveryCodesLeft: 0,
};

/** Answers the calls about people with these people. They have no second factor unless they say so. */
export const answersAboutPeople = (...people: object[]) => {
  const all = withLastAdmin(people.map((person) => ({ ...noFactors, ...person })) as PersonView[]);
  return {
    'POST /api/person/list': { body: all },
    'POST /api/person/page': (call: Call): Reply => {
      const { former } = call.body as { former?: boolean };
      const columns: readonly ListColumn<PersonView>[] = former ? formerColumns : memberColumns;
      const rows = all.filter(
        ({ removedAt }) => former === undefined || former === (removedAt !== undefined),
      );
      return pagesOf(columns, rows)(call);
    },
    'POST /api/person/detail': ({ body }: Call): Reply => {
      const found = all.find(({ id }) => id === (body as { id: string }).id);
      return found ? { body: found } : { status: 404, body: { msg: 'person could not be found' } };
    },
  };
};
