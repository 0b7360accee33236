/** The environment variables of a service, as a tab of its page. */
import { Route } from 'react-router';
import { AreaRoutes } from '../../ui/AreaRoutes';
import { part } from '../../ui/part';
import { Matrix } from './Matrix';
import { TokenPage } from './TokenPage';
import { VariableList } from './VariableList';

const ImportPage = part(
  () => import('./ImportPage').then((all) => ({ default: all.ImportPage })),
  'Loading the form',
);
const VariableAddPage = part(
  () => import('./VariableForms').then((all) => ({ default: all.VariableAddPage })),
  'Loading the form',
);
const VariableEditPage = part(
  () => import('./VariableForms').then((all) => ({ default: all.VariableEditPage })),
  'Loading the form',
);

interface VariablesProps {
  /** The address of the list. */
  base: string;
  service: { id: string; name: string };
}

export const Variables = ({ base, service }: VariablesProps) => (
  <AreaRoutes>
    <Route index element={<VariableList base={base} service={service.id} />} />
    <Route path="compare" element={<Matrix base={base} service={service.id} />} />
    <Route path="add" element={<VariableAddPage base={base} service={service.id} />} />
    <Route path="import" element={<ImportPage base={base} service={service.id} />} />
    <Route path="token" element={<TokenPage base={base} service={service} />} />
    <Route path=":id/edit" element={<VariableEditPage base={base} />} />
  </AreaRoutes>
);
