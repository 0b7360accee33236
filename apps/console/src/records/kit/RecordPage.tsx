/** The detail page of a noun of the kit: facts, edited in place, the feature's own tabs, and history. */
import { labelOf, shownOf, type PlainNoun } from '@quarterdeck/events';
import { shownKeys, shownValue } from '@quarterdeck/projections';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { Navigate, Route, Routes, useNavigate, useParams, useSearchParams } from 'react-router';
import { useAnswer } from '../../core/calls';
import { useSession } from '../../core/session';
import { useShortcut } from '../../core/shortcuts';
import { PageNotFound } from '../../ui/AreaRoutes';
import {
  DetailPage,
  TabBar,
  useSearchOfTabs,
  type Action,
  type KeyFact,
  type Tab,
} from '../../ui/DetailPage';
import { By } from '../actor';
import { HistoryOf } from '../history';
import { PageView } from '../PageView';
import { ActionFailure } from '../runs';
import { nameIn, type Cells, type Parents, type View } from './record-fields';
import { CommandDialog, type Checking } from './parts';
import { RecordEdit } from './RecordEdit';
import { RecordSecret } from './RecordSecret';
import { anyCalls, categoryOf, useCommands, useRemoval, wordsOf } from './use-record';
import { Dim } from '../../ui/Note';
import { Fact, Facts } from '../../ui/Facts';
import { withParams } from '../../ui/params';
import look from '../../ui/look.module.css';

/** Every field with its value. */
const FieldFacts = ({
  noun,
  view,
  cells = {},
}: {
  noun: PlainNoun;
  view: View;
  cells?: Cells | undefined;
}) => (
  <Facts>
    {shownKeys(noun, view).map((key) => (
      <Fact key={key} label={labelOf(shownOf(noun), key)}>
        {noun.fields[key]?.kind === 'secret' && view[key] ? (
          <RecordSecret noun={noun} view={view} field={key} />
        ) : (
          (cells[key]?.(view) ?? <Shown value={shownValue(noun, key, view)} />)
        )}
      </Fact>
    ))}
  </Facts>
);

const Shown = ({ value }: { value: string | undefined }) =>
  value === undefined ? <Dim>none</Dim> : <span className={look.text}>{value}</span>;

/** A tab. With `area`, it has its own pages below the tab's path. */
export interface RecordTab extends Tab {
  area?: true;
}

/** Passed to the feature's own tabs. */
export interface RecordTabContext {
  view: View;
  isAdmin: boolean;
  /** Deletes the record after confirmation. */
  remove: () => void;
}

const Area = ({ tab: { id, content } }: { tab: RecordTab }) => (
  <Routes>
    <Route path={`${id}/*`} element={content()} />
  </Routes>
);

export type RecordTabs = (context: RecordTabContext) => readonly RecordTab[];

export interface RecordPageProps {
  noun: PlainNoun;
  base: string;
  /** Question before deletion, if the specification prescribes its wording. */
  question?: string | undefined;
  /** Says what is deleted along with the record, and what is kept. */
  consequences: string;
  /** Names of the records whose references would lose their target if the record were deleted. */
  uses?: ((view: View) => Promise<readonly string[]>) | undefined;
  /** Deletes the record. Default: the call of the kit. */
  sendRemoval?: ((id: string, typed: string) => Promise<unknown>) | undefined;
  parents?: Parents | undefined;
  cells?: Cells | undefined;
  /** Shown beside the name. */
  badge?: ((view: View) => ReactNode) | undefined;
  /** The key facts below the name; by default who added the record, and who changed it last. */
  facts?: ((view: View) => readonly KeyFact[]) | undefined;
  /** Actions of the feature itself, for those who may change the record. */
  actions?: ((view: View) => readonly Action[]) | undefined;
  /** Button of the most frequent action. */
  primary?: ((view: View) => ReactNode) | undefined;
  /** Replaces the fields of the overview together with their form. */
  overview?: ((view: View) => ReactNode) | undefined;
  /** Shown below the facts in the overview. */
  summary?: ((view: View) => ReactNode) | undefined;
  /** Puts the fields of the overview together with other parts; by default they take its whole width. */
  arrange?: ((fields: ReactNode, view: View) => ReactNode) | undefined;
  /** Tabs between the overview and the history. */
  tabs?: RecordTabs | undefined;
  /** Id of the tab in which the fields are edited; the overview by default. */
  editedIn?: string | undefined;
  /** Shown below the forms. */
  checking?: Checking | undefined;
}

export const RecordPage = (props: RecordPageProps) => {
  const { noun } = props;
  const { id = '' } = useParams();
  const query = useAnswer(anyCalls(noun).detail, { id });
  return (
    <PageView query={query} what={wordsOf(noun).One} subject={{ category: categoryOf(noun), id }}>
      {(view) => <Detail key={view.id} {...props} view={view} />}
    </PageView>
  );
};

const addedAndChanged = (view: View): readonly KeyFact[] => [
  { label: 'Added', value: <By id={view.addedBy} at={view.addedAt} /> },
  { label: 'Last changed', value: <By id={view.changedBy} at={view.changedAt} /> },
];

const Detail = (props: RecordPageProps & { view: View }) => {
  const { noun, base, parents, tabs, editedIn, cells, checking, summary, arrange, view } = props;
  const { badge, facts: keyFacts = addedAndChanged, primary } = props;
  const navigate = useNavigate();
  const { can } = useSession();
  const isAdmin = can('admin');
  const mayChange = can(noun.changedBy);
  const { '*': path = '' } = useParams();
  const { remove, act, failure, dismiss } = useRemoval(props);
  /** The command that a form is open for; undefined until the first form is opened. */
  const [dialog, setDialog] = useState<{ name?: string }>();
  const commands = useCommands(noun, view, act, (name) => setDialog({ name }));
  const { one, Many } = wordsOf(noun);
  const name = nameIn(noun, view);
  const at = `${base}/${view.id}/detail`;
  const edit = (): void => void navigate(editedIn === undefined ? `${at}?mode=edit` : `${at}/${editedIn}`);
  useShortcut('e', mayChange ? edit : undefined);
  const facts = <FieldFacts noun={noun} view={view} cells={cells} />;
  const overview: RecordTab = {
    id: 'overview',
    label: 'Overview',
    content: () => {
      if (props.overview) return props.overview(view);
      const fields =
        mayChange && editedIn === undefined ? (
          <RecordEdit noun={noun} view={view} parents={parents} checking={checking} facts={facts} />
        ) : (
          facts
        );
      return (
        <>
          {arrange ? arrange(fields, view) : fields}
          {summary?.(view)}
        </>
      );
    },
  };
  const history: RecordTab = {
    id: 'history',
    label: 'History',
    content: () => <HistoryOf category={noun.category} id={view.id} name={name} />,
  };
  const own = tabs?.({ view, isAdmin, remove: () => void remove() }) ?? [];
  const all: readonly RecordTab[] = [overview, ...own, ...(isAdmin ? [history] : [])];
  const [segment = '', ...below] = path.split('/');
  const open = segment === '' ? overview : all.slice(1).find(({ id }) => id === segment);
  // A page below a tab has its own URL parameters.
  const searchOf = useSearchOfTabs(below.length === 0 ? (open?.id ?? '') : '');
  const [search] = useSearchParams();
  const inSearch = search.get('tab');
  // Scripts once had the tab in the search.
  if (segment === '' && all.some(({ id }) => id === inSearch))
    return (
      <Navigate
        to={{ pathname: `${at}/${inSearch}`, search: `${withParams(search, { tab: undefined })}` }}
        replace
      />
    );
  if (!open || (below.length > 0 && !open.area)) return <PageNotFound />;
  // The first tab has the page's own path; the other tabs are below it.
  const go = (tab: string): void =>
    void navigate(
      { pathname: tab === overview.id ? at : `${at}/${tab}`, search: `${searchOf(tab)}` },
      { preventScrollReset: true },
    );
  return (
    <DetailPage
      back={{ to: base, label: Many }}
      name={name}
      isAround={open.area ?? false}
      // Around a nested page, only the name is shown, and around a list of parts no facts.
      {...(below.length === 0 && {
        badge: badge?.(view),
        ...(!open.area && { facts: keyFacts(view) }),
        primary: primary?.(view),
      })}
      actions={
        mayChange
          ? [
              { label: 'Edit', icon: <IconPencil size={16} />, onClick: edit },
              ...(props.actions?.(view) ?? []),
              ...commands,
              {
                label: `Delete ${one}`,
                icon: <IconTrash size={16} />,
                danger: true,
                onClick: () => void remove(),
              },
            ]
          : commands
      }
    >
      <ActionFailure failure={failure} onClose={dismiss} />
      {dialog && (
        <CommandDialog
          noun={noun}
          view={view}
          name={dialog.name}
          parents={parents}
          onClose={() => setDialog({})}
        />
      )}
      <TabBar
        tabs={all}
        open={open.area ? { ...open, content: () => <Area tab={open} /> } : open}
        onOpen={go}
      />
    </DetailPage>
  );
};
