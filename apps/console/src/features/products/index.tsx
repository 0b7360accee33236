/** Products: a list of cards, and a page whose tabs depend on the role. The rest comes from the resource kit. */
import { product } from '@quarterdeck/events';
import { IconBox } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Navigate, Route, Routes, useParams } from 'react-router';
import { plainPath } from '../../core/paths';
import { useSession } from '../../core/session';
import { RecordArea, type RecordTabs } from '../../records/kit';
import { ProductList, tabsOnCards } from './ProductList';
import { ProductOverview } from './ProductOverview';
import { productFacts } from './product-facts';
import { productTabs } from './product-tabs';

/** Redirects `{id}/settings`, to which cards link per the specification, to the tab of the product page. */
const ToTab = ({ tab }: { tab: string }) => {
  const { id = '' } = useParams();
  return <Navigate to={plainPath(product, id, tab)} replace />;
};

/** Redirects further service URLs of the specification to the service page. */
const ToService = () => {
  const { id = '', service = '' } = useParams();
  return <Navigate to={plainPath(product, id, `service/${service}/detail`)} replace />;
};

interface ProductsProps {
  /** Tabs added by other features. */
  tabs?: RecordTabs;
  /** Additional routes. */
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
          <RecordArea
            noun={product}
            icon={IconBox}
            empty="Products with their data model, services and deploys will appear here."
            addTitle="Create a new product"
            list={<ProductList />}
            tabs={(context) => productTabs(context, tabs?.(context))}
            editedIn="settings"
            {...(isAdmin && { facts: ({ id }: { id: string }) => productFacts(id) })}
            summary={({ id }) => isAdmin && <ProductOverview product={id} />}
            question="Are you sure you would like to delete this product?"
            consequences="It disappears from every list. Its history stays. Its tokens, and app tokens of its services, are revoked for good; you can undo the rest."
          />
        }
      />
    </Routes>
  );
}
