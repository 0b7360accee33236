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
