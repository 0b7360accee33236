/** The files of an API that is served without a console, around the program itself. */
import type { StandaloneDefinition } from './definition';
import type { Runtime } from './runtime';
import { VARIABLES } from './settings';

export interface FolderParts {
  /** A name for files. */
  readonly stem: string;
  readonly title: string;
  readonly definition: StandaloneDefinition;
  readonly runtime: Runtime;
}

/** By path in the folder. */
export const folderOf = ({ stem, title, definition, runtime }: FolderParts): Map<string, Buffer> => {
  const own = {
    'README.md': readme(title, stem, definition, runtime),
    'server.js': SERVER,
    'definition.json': `${JSON.stringify(definition)}\n`,
    'package.json': `${JSON.stringify(packageOf(stem, runtime), undefined, 2)}\n`,
    '.env.example': example(),
    '.dockerignore': '.env\n.env.*\n!.env.example\n',
    Dockerfile: DOCKERFILE,
  };
  return new Map([
    ...Object.entries(own).map(([name, text]) => [name, Buffer.from(text)] as const),
    ...runtime.files,
  ]);
};

const SERVER = `import { serveStandalone } from './runtime/standalone.js';

await serveStandalone(new URL('./definition.json', import.meta.url));
`;

const packageOf = (stem: string, { dependencies }: Runtime): object => ({
  name: stem,
  version: '1.0.0',
  private: true,
  type: 'module',
  engines: { node: '>=20.19.0' },
  scripts: { start: 'node server.js' },
  dependencies,
});

const example = (): string =>
  Object.entries(VARIABLES)
    .map(([name, explained]) => `# ${explained}\n${name}=\n`)
    .join('\n');

/** The native package for another system is fetched: an optional part of an installed package is not. */
const INSTALL = 'rm -rf node_modules && npm install --omit=dev --no-audit --no-fund';

const DOCKERFILE = `# Another base image: docker build --build-arg BASE=...
ARG BASE=node:26-bookworm-slim
FROM \${BASE}
WORKDIR /app
COPY . .
# Without a network if the packages in this folder fit the image.
RUN node -e "import('@node-rs/argon2')" || (${INSTALL})
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000
# The account "node" of the base image.
USER 1000
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \\
  CMD ["node", "-e", "fetch(\`http://127.0.0.1:\${process.env.PORT}\${process.env.HEALTH_PATH || '/health'}\`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "server.js"]
`;

const readme = (
  title: string,
  stem: string,
  { dialect, description }: StandaloneDefinition,
  { platform }: Runtime,
): string => `# ${title}

This folder serves the API without a console. It needs Node.js 20.19 or later, and the product's
${dialect === 'mysql' ? 'MySQL or MariaDB' : 'PostgreSQL'} database.

    cp .env.example .env
    node --env-file=.env server.js

Fill in \`.env\` first. The folder has no password and no token: both come from the environment.

- **Token**: \`API_TOKEN\` has the permission \`app\`. Take the one that the console shows, or another one.
- **Users** are in the database, so they and their sessions are the same as in the console. Those who sign in with a service,
  such as google, need its secret: \`GOOGLE_SECRET\` and so on.
- **Health**: \`GET /health\` answers 200, or 503 while the database cannot be reached.
- **Log**: one JSON object in each line of stdout, with a sample of the requests. SIGTERM ends the process after the requests
  under way are answered.
- **Limits of requests** count for each process and each caller. Name the proxies in front in \`TRUSTED_PROXIES\`, or all
  callers count as one.
- **Changes**: this is the API at position ${description.position} of the console's log, as each answer says in
  \`X-Definition\`. Download the folder again after a change.
- **Another system**: \`node_modules\` fits ${platform}. Elsewhere: \`${INSTALL}\`.

As a container:

    docker build -t ${stem} .
    docker run --env-file .env -p 3000:3000 ${stem}
`;
