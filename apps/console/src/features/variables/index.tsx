/** The environment variables of a service, as a tab of its page. */
import { Route } from 'react-router';
import { AreaRoutes } from '../../ui/AreaRoutes';
import { ImportPage } from './ImportPage';
import { Matrix } from './Matrix';
import { TokenPage } from './TokenPage';
import { VariableAddPage, VariableEditPage } from './VariableForms';
import { VariableList } from './VariableList';

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
