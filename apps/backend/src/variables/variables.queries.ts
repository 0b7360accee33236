/** Queries on the read models of variables. */
import { database, service as serviceNoun } from '@quarterdeck/events';
import { shownVariables, type VariablesView, type VariableView } from '@quarterdeck/projections';
import { notFound } from '../platform/errors';
import { detailOf, listOf } from '../platform/kit';
import type { Pool } from '../platform/tokens';

export interface ServiceOf {
  id: string;
  name: string;
  product: string;
  withDb: boolean;
  port: number;
  packageType: string;
}

export const findService = async (db: Pool, workspace: string, id: string): Promise<ServiceOf | undefined> =>
  (await detailOf(serviceNoun, db, workspace, id)) as unknown as ServiceOf | undefined;

/** @throws DomainError `notFound`, also if it belongs to another product */
export const requireService = async (
  db: Pool,
  workspace: string,
  id: string,
  product?: string,
): Promise<ServiceOf> => {
  const found = await findService(db, workspace, id);
  if (!found || (product !== undefined && product !== found.product)) throw notFound('service');
  return found;
};

export const variablesOf = async (db: Pool, workspace: string, service: string): Promise<VariableView[]> => {
  const { rows } = await db.query<{ view: VariablesView }>(
    'select view from read.variables where workspace = $1 and id = $2',
    [workspace, service],
  );
  return rows.flatMap(({ view }) => shownVariables(view));
};

/** A variable, its service, and the newest change of any variable of that service. */
export const variableDetail = async (
  db: Pool,
  workspace: string,
  id: string,
): Promise<{ variable: VariableView; service: ServiceOf; revision: number } | undefined> => {
  const { rows } = await db.query<{ view: VariablesView }>(
    `select view from read.variables where workspace = $1 and "variableIds" @> array[$2::text]`,
    [workspace, id],
  );
  const [row] = rows;
  const variable = row && shownVariables(row.view).find((one) => one.id === id);
  const service = row && (await findService(db, workspace, row.view.id));
  return variable && service && { variable, service, revision: row.view.revision };
};

/** Newest first. */
/** The database of an environment: the first one by name if there are several. */
export const databaseOf = async (
  db: Pool,
  workspace: string,
  product: string,
  env: number,
): Promise<string | undefined> => {
  const databases = await listOf(database, db, workspace, product);
  return databases.find((one) => (one.env as { id: number }).id === env)?.id;
};
