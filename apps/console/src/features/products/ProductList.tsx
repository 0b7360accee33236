/** The products of the workspace as cards, searchable by name. */
import { Button, Text } from '@mantine/core';
import { callsOf } from '@quarterdeck/contract';
import { product } from '@quarterdeck/events';
import type { ViewOf } from '@quarterdeck/projections';
import { IconBox, IconPlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { useAnswer } from '../../core/calls';
import { DisabledInPast } from '../../core/as-of/in-past';
import { paths, plainPath } from '../../core/paths';
import { useSession } from '../../core/session';
import { useShortcut } from '../../core/shortcuts';
import { useLiveHealth } from '../../records/live-health';
import { RunningStates } from '../../records/verdicts';
import { Action } from '../../ui/Action';
import { DataView } from '../../ui/DataView';
import { EmptyState } from '../../ui/EmptyState';
import { PageHeader } from '../../ui/PageHeader';
import { PAGE_SIZE } from '../../ui/page-size';
import { SearchField } from '../../ui/SearchField';
import { PageStrip } from '../../ui/table/PageStrip';
import styles from './products.module.css';
import { Tiles } from '../../ui/Columns';
import look from '../../ui/look.module.css';
import { Title } from '../../ui/heading';

type ProductView = ViewOf<typeof product>;

/** Labels and order as in the specification, and the history. */
export const tabsOnCards = [
  { id: 'data-model', label: 'Data model' },
  { id: 'settings', label: 'Settings' },
  { id: 'user-management', label: 'User management' },
  { id: 'history', label: 'History' },
] as const;

const addPath = `${plainPath(product)}/add`;

export const ProductList = () => {
  const navigate = useNavigate();
  useLiveHealth();
  const { can } = useSession();
  const [params, setParams] = useSearchParams();
  const isAdmin = can('admin');
  useShortcut('n', isAdmin ? () => void navigate(addPath) : undefined);
  const search = params.get('q') ?? '';
  const page = Math.max(1, Math.trunc(Number(params.get('page'))) || 1);
  const query = useAnswer(callsOf(product).page, {
    ...(search !== '' && { filters: { name: search } }),
    sort: 'name',
    page,
    size: PAGE_SIZE,
  });
  const searchFor = (text: string): void =>
    setParams(text === '' ? {} : { q: text }, { replace: true, preventScrollReset: true });
  const goTo = (to: number): void =>
    setParams({ ...(search !== '' && { q: search }), ...(to > 1 && { page: String(to) }) });
  const create = isAdmin ? (
    <Action icon={IconPlus} does={addPath}>
      Create Product
    </Action>
  ) : undefined;
  const actions = isAdmin && (
    <>
      <Button component={Link} to={paths.running()} variant="default">
        Running services
      </Button>
      {create}
    </>
  );
  return (
    <>
      <PageHeader title="Products" count={query.data?.total} actions={actions} />
      <SearchField label="Search products by name" mb={16} value={search} onChange={searchFor} />
      <DataView query={{ ...query, currentData: query.data }} what="Products">
        {({ rows, found, total }) => (
          <>
            <Cards products={rows} total={total} search={search} create={create} />
            <PageStrip page={page} pageSize={PAGE_SIZE} found={found} all={total} onPage={goTo} />
          </>
        )}
      </DataView>
    </>
  );
};

interface CardsProps {
  products: readonly ProductView[];
  /** Number of products without the search filter. */
  total: number;
  search: string;
  /** Create button, only for administrators. Only they have the tabs that the cards link to. */
  create: ReactNode;
}

const Cards = ({ products, total, search, create }: CardsProps) => {
  if (products.length === 0)
    return (
      <EmptyState
        icon={IconBox}
        title="No products were found"
        action={total === 0 && create && <DisabledInPast>{create}</DisabledInPast>}
      >
        {total === 0
          ? 'Products with their data model, services and deploys will appear here.'
          : `No product has “${search}” in its name.`}
      </EmptyState>
    );
  return (
    <Tiles component="ul" className={look.list} min={280} gap={12} aria-label="Products">
      {products.map(({ id, name, description }) => (
        <li key={id} className={styles.card}>
          <Title className={look.wrap} fz={15}>
            <Link to={plainPath(product, id)} className={`${look.plainLink} ${styles.name}`}>
              {name}
            </Link>
          </Title>
          {description !== '' && (
            <Text className={look.wrap} c="dimmed" lineClamp={3} style={{ whiteSpace: 'pre-line' }}>
              {description}
            </Text>
          )}
          <RunningStates of={({ product: one }) => one === id} named />
          {create && (
            <nav aria-label={name}>
              {tabsOnCards.map((tab) => (
                <Link key={tab.id} to={plainPath(product, id, tab.id)}>
                  {tab.label}
                </Link>
              ))}
            </nav>
          )}
        </li>
      ))}
    </Tiles>
  );
};
