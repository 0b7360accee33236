/** All pages of a plain noun. A feature replaces the list, adds tabs, or composes the same parts itself. */
import type { PlainNoun } from '@quarterdeck/events';
import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Route } from 'react-router';
import { plainPath } from '../../core/paths';
import { RequireRole } from '../../ui/RequireRole';
import { AreaRoutes } from '../../ui/AreaRoutes';
import { PlainAdd } from './PlainForms';
import { PlainList } from './PlainList';
import { PlainPage, type PlainPageProps } from './PlainPage';

interface PlainAreaProps extends Omit<PlainPageProps, 'noun' | 'base'> {
  noun: PlainNoun;
  icon: Icon;
  /** What will appear in the list while it is empty. */
  empty: string;
  description?: string;
  addTitle?: string;
  /** The address of the area when it is below a page of something else, and the id of that. */
  base?: string;
  parent?: string;
  /** In place of the table. */
  list?: ReactNode;
}

export const PlainArea = (props: PlainAreaProps) => {
  const { noun, base = plainPath(props.noun), parent, icon, empty, description, addTitle, list } = props;
  const { question, consequences, tabs, editedIn } = props;
  const table = { noun, base, icon, empty, description, parent };
  const detail = (id: string): string => `${base}/${id}/detail`;
  const page = { noun, base, question, consequences, tabs, editedIn };
  return (
    <AreaRoutes>
      <Route index element={list ?? <PlainList {...table} />} />
      <Route
        path="add"
        element={
          <RequireRole least="admin">
            <PlainAdd noun={noun} list={base} detail={detail} title={addTitle} parent={parent} />
          </RequireRole>
        }
      />
      <Route path=":id/detail/*" element={<PlainPage {...page} />} />
    </AreaRoutes>
  );
};
