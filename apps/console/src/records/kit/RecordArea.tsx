/** All pages of a plain noun. A feature can replace the list, add tabs, or compose the same parts itself. */
import type { PlainNoun } from '@quarterdeck/events';
import type { Icon } from '@tabler/icons-react';
import type { ComponentProps, ReactNode } from 'react';
import { Navigate, Route, useParams } from 'react-router';
import { plainPath } from '../../core/paths';
import { RequireRole } from '../../ui/RequireRole';
import { AreaRoutes } from '../../ui/AreaRoutes';
import { RecordAdd, RecordSheet, type Filling } from './parts';
import { RecordList, SHEET } from './RecordList';
import type { OnCard } from './record-fields';
import { RecordPage, type RecordPageProps } from './RecordPage';

interface RecordAreaProps extends Omit<RecordPageProps, 'noun' | 'base'> {
  noun: PlainNoun;
  icon: Icon;
  /** Text of the empty list: what will appear in it. */
  empty: string;
  description?: string;
  columns?: ComponentProps<typeof RecordList>['columns'];
  rowActions?: ComponentProps<typeof RecordList>['rowActions'];
  addTitle?: string;
  /** Shown below the title of the add form. */
  addNote?: string;
  /** Path of the area, if it is nested below another page. */
  base?: string;
  /** Tab with its parts, at which a record opens. A new one opens at the table to fill in. */
  opensAt?: string;
  /** Shown above the add form; can fill it in. */
  filling?: Filling;
  /** Additional pages of the area, as `<Route>`s. */
  pages?: ReactNode;
  /** Replaces the table. */
  list?: ReactNode;
  onCard?: OnCard;
  /** Read-only actions beside the button that adds a record. */
  reading?: ReactNode;
  /** In the table that is edited in place: what fields that are left empty become. */
  derived?: ComponentProps<typeof RecordSheet>['derived'];
}

/** Props of an area below a product. */
export interface ProductAreaProps {
  /** Path of the list. */
  base: string;
  /** The id of the product. */
  product: string;
}

/** Redirects a path of the specification to the edit mode of the detail page. */
const ToEdit = ({ base }: { base: string }) => {
  const { id = '' } = useParams();
  return <Navigate to={`${base}/${id}/detail?mode=edit`} replace />;
};

export const RecordArea = (props: RecordAreaProps) => {
  const {
    icon,
    empty,
    description,
    columns,
    rowActions,
    addTitle,
    addNote,
    filling,
    pages,
    list,
    onCard,
    reading,
    opensAt,
    derived,
    ...rest
  } = props;
  const page = { base: plainPath(props.noun), ...rest };
  const { noun, base, parents, cells, checking } = page;
  const shown = { icon, empty, description, cells, onCard, columns, rowActions, reading, opensAt };
  const table = { noun, base, parents, ...shown };
  return (
    <AreaRoutes>
      {pages}
      <Route index element={list ?? <RecordList {...table} />} />
      <Route
        path="add"
        element={
          <RequireRole least={props.noun.changedBy}>
            <RecordAdd
              noun={noun}
              base={base}
              opensAt={opensAt && `${opensAt}/${SHEET}`}
              parents={parents}
              filling={filling}
              checking={checking}
              title={addTitle}
              note={addNote}
            />
          </RequireRole>
        }
      />
      {noun.inOrder !== undefined && (
        <Route
          path={SHEET}
          element={
            <RequireRole least={noun.changedBy}>
              <RecordSheet noun={noun} base={base} parents={parents} derived={derived} />
            </RequireRole>
          }
        />
      )}
      <Route path=":id/edit" element={<ToEdit base={base} />} />
      <Route path=":id/detail/*" element={<RecordPage {...page} />} />
    </AreaRoutes>
  );
};
