import { openTarget, type TargetAddress } from '../../apps/backend/src/databases/target';

/** Fields of a PostgreSQL database at an address; default: in the environment dev. */
export const databaseAt = (address: string | URL, env = 1) => {
  const { hostname: host, port, username, password, pathname } = new URL(address);
  return {
    name: pathname.slice(1),
    host,
    port: Number(port),
    username,
    password: decodeURIComponent(password),
    env: { id: env },
    dbType: 2,
    certificate: '',
    server: null,
  };
};

/** Fields of a database on a test server, in the environment dev. Root of MySQL has no password there, and a user gets one. */
export const databaseOn = async (address: TargetAddress) => {
  const { dialect, host, port, database: name } = address;
  const at = { name, host, port, env: { id: 1 }, certificate: '', server: null };
  if (dialect === 'postgresql')
    return { ...at, username: address.user, password: address.password, dbType: 2 };
  const [username, password] = [`u_${name}`.slice(0, 32), 'a-password-of-a-test'];
  const root = await openTarget(address);
  await root.query(`create user '${username}'@'%' identified by '${password}'`);
  await root.query(`grant all on \`${name}\`.* to '${username}'@'%'`);
  await root.end();
  return { ...at, username, password, dbType: 1 };
};
