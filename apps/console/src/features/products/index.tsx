/** Products: a list as cards, and a detail whose tabs depend on the role. Everything else comes from the kit. */
import { product } from '@quarterdeck/events';
import { IconBox } from '@tabler/icons-react';
import { Navigate, Route, Routes, useLocation } from 'react-router';
import { plainPath } from '../../core/paths';
import { PlainArea } from '../../records/kit';
import { ProductList } from './ProductList';
import { productTabs } from './product-tabs';

/** The card's links of the specification: `{id}/settings` is a tab of the detail. */
const ToTab = () => {
  const [tab = '', id = ''] = useLocation().pathname.split('/').toReversed();
  return <Navigate to={plainPath(product, id, tab)} replace />;
};

export default function Products() {
  return (
    <Routes>
      {['data-model', 'settings', 'user-management'].map((tab) => (
        <Route key={tab} path={`:id/${tab}`} element={<ToTab />} />
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
            tabs={productTabs}
            editedIn="settings"
            question="Are you sure you would like to delete this product?"
            consequences="It leaves every list. Its history stays, and you can undo this."
          />
        }
      />
    </Routes>
  );
}
