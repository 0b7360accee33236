/** Products: a list as cards, and a detail whose tabs depend on the role. Everything else comes from the kit. */
import { product } from '@quarterdeck/events';
import { IconBox } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Navigate, Route, Routes, useParams } from 'react-router';
import { plainPath } from '../../core/paths';
import { useSession } from '../../core/session';
import { PlainArea, type PlainTabs } from '../../records/kit';
import { ProductList, tabsOnCards } from './ProductList';
import { ProductOverview } from './ProductOverview';
import { productTabs } from './product-tabs';

/** The specification links a card to `{id}/settings`, which is a tab of the detail. */
const ToTab = ({ tab }: { tab: string }) => {
  const { id = '' } = useParams();
  return <Navigate to={plainPath(product, id, tab)} replace />;
};

/** The specification has these addresses of a service too. */
const ToService = () => {
  const { id = '', service = '' } = useParams();
  return <Navigate to={plainPath(product, id, `service/${service}/detail`)} replace />;
};

interface ProductsProps {
  /** Tabs of what belongs to a product. One with the id of a tab that is to come replaces it. */
  tabs?: PlainTabs;
  /** Routes besides those of products. */
  pages?: ReactNode;
}

export default function Products({ tabs, pages }: ProductsProps) {
  const isAdmin = useSession().can('admin');
  return (
    <Routes>
      {pages}
      {tabsOnCards.map(({ id: tab }) => (
        <Route key={tab} path={`:id/${tab}`} element={<ToTab tab={tab} />} />
      ))}
      {[':id/schema', ':id/detail/schema'].map((path) => (
        <Route key={path} path={path} element={<ToTab tab="data-model/schema" />} />
      ))}
      {[':id/service/:service/edit', ':id/detail/:service/edit'].map((path) => (
        <Route key={path} path={path} element={<ToService />} />
      ))}
      <Route
        path="*"
        element={
          <PlainArea
            noun={product}
            icon={IconBox}
            empty="Products with their data model, services and deploys will appear here."
            addTitle="Create a new product"
            list={<ProductList />}
            tabs={(context) => productTabs(context, tabs?.(context))}
            editedIn="settings"
            summary={({ id }) => isAdmin && <ProductOverview product={id} />}
            question="Are you sure you would like to delete this product?"
            consequences="It disappears from every list. Its history stays, and you can undo this."
          />
        }
      />
    </Routes>
  );
}
