/** The first rows that a product's back end needs: its instance, and the instance's administrator. Pure. */
import { columnOf, tableOf, type Attribute, type Entity, type Model } from './model';
import { quoted } from './quoted';
import { type Dialect } from './sql';

/** The console's own table in a target database, for the instances created there. */
export const INSTANCES = 'quarterdeck_instances';

/** The name of the first instance, from the specification. */
export const FIRST = 'main';

export const instances = {
  create: {
    mysql: `create table if not exists ${INSTANCES} (uuid char(36) character set ascii not null primary key,
      name varchar(100) not null unique, at datetime(6) not null default current_timestamp(6)) engine=InnoDB`,
    postgresql: `create table if not exists ${INSTANCES} (uuid uuid not null primary key,
      name varchar(100) not null unique, at timestamptz not null default now())`,
  } satisfies Record<Dialect, string>,
  /** Parameter: name. */
  find: `select uuid, name from ${INSTANCES} where name = ?`,
  /** Parameters: UUID, name. */
  insert: `insert into ${INSTANCES} (uuid, name) values (?, ?)`,
};

/** A new row: its table and its column values. */
export interface Row {
  readonly table: string;
  readonly values: readonly (readonly [column: string, value: unknown])[];
}

export interface Administrator {
  readonly user: Row;
  /** Role of the user, if the model has roles. `pointer`: the user's column that references it. */
  readonly role?: Row & { readonly pointer: string };
}

export interface FirstAdministrator {
  readonly email: string;
  readonly passwordHash: string;
  /** `2026-11-20 12:00:00` */
  readonly at: string;
}

/** @returns the rows of the administrator, or in words why the model cannot store one */
export function administratorIn(
  model: Model,
  { email, passwordHash, at }: FirstAdministrator,
): Administrator | string {
  const user = named(model.entities, 'user');
  if (!user) return 'the model has no entity User: import structure 1, or add one';
  for (const needed of ['Email', 'Password hash'])
    if (named(user.attributes, needed)?.type !== 'String')
      return `the entity ${user.name} has no attribute ${needed} of type String`;
  const known: Record<string, unknown> = {
    email,
    'password hash': passwordHash,
    'is active': true,
    'date added': at,
    'first name': 'Main',
    'last name': 'Administrator',
    name: 'Administrator',
  };
  const role = named(model.entities, 'role');
  const pointer = user.attributes.find(
    ({ foreignEntity }) => role !== undefined && foreignEntity === role.id,
  );
  const values = rowOf(user, known, pointer);
  if (typeof values === 'string') return values;
  if (!role || !pointer) return { user: values };
  const rolesRow = rowOf(role, { name: 'admin' });
  if (typeof rolesRow === 'string') return rolesRow;
  return { user: values, role: { ...rolesRow, pointer: columnOf(pointer) } };
}

const named = <T extends { name: string }>(all: readonly T[], name: string): T | undefined =>
  all.find((one) => one.name.toLowerCase() === name.toLowerCase());

/** Optional attributes without a known value stay empty. */
function rowOf(entity: Entity, known: Readonly<Record<string, unknown>>, later?: Attribute): Row | string {
  const values: [string, unknown][] = [];
  for (const attribute of entity.attributes) {
    const value = known[attribute.name.toLowerCase()];
    if (value !== undefined && attribute.type !== 'ForeignKey') values.push([columnOf(attribute), value]);
    else if (!attribute.optional && attribute !== later)
      return `${entity.name}.${attribute.name} is required, and its value is not known: make it optional`;
  }
  return { table: tableOf(entity), values };
}

/** The INSERT statement. Its parameters are in the order of the row's values. */
export const insertOf = (dialect: Dialect, { table: name, values }: Row): string => {
  const columns = values.map(([column]) => quoted(column, dialect)).join(', ');
  const places = values.map(() => '?').join(', ');
  return `insert into ${quoted(name, dialect)} (${columns}) values (${places})`;
};
