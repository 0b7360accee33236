/**
 * Every page of the console in Chromium, opened with an empty cache at 1440 px by an administrator of a workspace with
 * 25,000 events: requests, bytes as sent, and from Chromium's own trace the first paint, the largest paint and the
 * layout shift. Floor: an almost empty page of the same server, opened in alternation.
 */
import { chromiumProgram } from '../testing/chromium';
import { chromium, type Browser, type BrowserContext } from '@playwright/test';
import type { ListPage } from '@quarterdeck/projections';
import { buildConsole } from '../testing/backend-process';
import { openLog } from '../testing/log';
import type { Operator } from '../testing/operator';
import { spawnConsole } from './backend';
import { busyLog, write } from '../testing/busy-log';
import { busySignIn } from './busy-workspace';
import { withDurablePostgres } from './durable-postgres';
import { amountOf, finish, isQuick, median, state, turnsOf, type Line } from './harness';
import { readTrace, type Opened } from './page-trace';

const EVENTS = amountOf(25_000);
const TURNS = turnsOf(5, 1);
const WIDTH = 1440;
/** After this long without a request or a shift, a page is complete. */
const QUIET_MS = 600;
const FLOOR = '/api/health/live';
const CATEGORIES = ['devtools.timeline', 'loading', 'blink.user_timing'];
/** Limits. Those of requests and scripts are for Home, which an operator opens first. */
const MAX = { requests: 20, scriptKb: 200, shift: 0.05, configurationMs: 2000, ratio: 20 };

/** With `--quick`: what is opened first, a list, a page with a chart, and the heaviest one. */
const FEW = 'home;server, health;domain, configuration';
const wanted = (process.env.BENCH_PAGES ?? (isQuick ? FEW : undefined))?.split(';');

interface BenchPage {
  name: string;
  address: string;
}

const firstOf = async (who: Operator, noun: string): Promise<string> => {
  const { status, body } = await who.post<ListPage<{ id: string }>>(`${noun}/page`);
  // Without an id the address would lead to the page of addresses that lead nowhere.
  if (status !== 200 || !body.rows[0])
    throw new Error(`the list of ${noun}s answered ${status}, or is empty`);
  return body.rows[0].id;
};

const placesIn = async (who: Operator): Promise<BenchPage[]> => {
  const [server, domain, script] = [
    await firstOf(who, 'server'),
    await firstOf(who, 'domain'),
    await firstOf(who, 'script'),
  ];
  const run = (await who.post<{ runs: { id: string }[] }>('run/list', { limit: 1 })).body.runs[0]?.id ?? '';
  const insert = async (path: string, body: object): Promise<string> =>
    (await who.post<{ id: string }>(path, body)).body.id;
  const product = await insert('product/insert', { data: { name: 'Shop', description: 'Orders' } });
  const within = { product: { id: product } };
  for (let at = 0; at < 30; at += 1) {
    await insert('product/insert', { data: { name: `Product ${at}`, description: 'One of many' } });
    await insert('data-model/entity/insert', {
      ...within,
      data: { name: `thing ${at}`, table: '', isUuid: false },
    });
  }
  return [
    ['home', '/app'],
    ['servers', '/app/server'],
    ['server', `/app/server/${server}/detail`],
    ['server, commands', `/app/server/${server}/detail?tab=commands`],
    ['server, health', `/app/server/${server}/detail?tab=health`],
    ['domains', '/app/domain'],
    ['domain', `/app/domain/${domain}/edit`],
    ['domain, locations', `/app/domain/${domain}/edit?tab=locations`],
    ['domain, configuration', `/app/domain/${domain}/edit?tab=config`],
    ['domain, certificate', `/app/domain/${domain}/edit?tab=certificate`],
    ['alerts', '/app/domain/alerts'],
    ['calendar', '/app/domain/calendar'],
    ['products', '/app/product'],
    ['product', `/app/product/${product}/detail`],
    ['data model', `/app/product/${product}/detail/data-model`],
    ['scripts', '/app/script'],
    ['script', `/app/script/${script}/detail`],
    ['fleet', '/app/fleet'],
    ['runs', '/app/run'],
    ['run', `/app/run/${run}`],
    ['history', '/app/history'],
    ['members', '/app/members'],
    ['profile', '/app/profile'],
    ['settings', '/app/profile/settings'],
    ['settings, SSL monitor', '/app/profile/settings?section=ssl-monitor'],
    ['superadmin', '/superadmin'],
  ].map(([name = '', address = '']) => ({ name, address }));
};

/** A signed-in context with an empty cache. */
const newContext = async (browser: Browser, { url, cookie }: Operator): Promise<BrowserContext> => {
  const context = await browser.newContext({ viewport: { width: WIDTH, height: 900 }, baseURL: url });
  const [name = '', value = ''] = cookie.split('=');
  await context.addCookies([{ name, value, url }]);
  return context;
};

const open = async (browser: Browser, who: Operator, address: string): Promise<Opened> => {
  const context = await newContext(browser, who);
  const page = await context.newPage();
  await browser.startTracing(page, { categories: CATEGORIES });
  let last = performance.now();
  const heard = (): void => {
    last = performance.now();
  };
  page.on('request', heard).on('requestfinished', heard).on('requestfailed', heard);
  await page.goto(address);
  const isPainted = () => performance.getEntriesByName('first-contentful-paint').length > 0;
  await page.waitForFunction(isPainted);
  while (performance.now() - last < QUIET_MS) await page.waitForTimeout(QUIET_MS / 6);
  const trace = (await browser.stopTracing()).toString();
  await context.close();
  return readTrace(trace, new URL(address, who.url).href);
};

const of = (opened: readonly Opened[], figure: keyof Opened): number =>
  median(opened.map((one) => one[figure]));

const linesOf = ({ name }: BenchPage, pages: readonly Opened[], floors: readonly Opened[]): Line[] => {
  const [requests, scriptKb] = [of(pages, 'requests'), of(pages, 'scriptBytes') / 1000];
  const firstKb = of(pages, 'firstScriptBytes') / 1000;
  const ratios = pages.map(({ lcp }, turn) => lcp / (floors[turn]?.fcp ?? NaN));
  const shift = Math.max(...pages.map((page) => page.shift));
  const words = [
    `${requests} requests (${of(pages, 'scripts')} scripts)`,
    `${(of(pages, 'bytes') / 1000).toFixed(0)} kB, ${scriptKb.toFixed(0)} kB of script`,
    `first paint ${of(pages, 'fcp').toFixed(0)} ms, floor ${of(floors, 'fcp').toFixed(0)} ms`,
    `largest ${of(pages, 'lcp').toFixed(0)} ms`,
  ].join(', ');
  const lines = [
    state(
      `${name}: largest paint`,
      median(ratios),
      { atMost: MAX.ratio },
      `${median(ratios).toFixed(1)} x, ${words}`,
    ),
    state(
      `${name}: layout shift`,
      shift,
      { atMost: MAX.shift },
      `${shift.toFixed(3)}, target <= ${MAX.shift}`,
    ),
  ];
  if (name === 'home')
    lines.push(
      state('home: requests', requests, { atMost: MAX.requests }, `${requests}, target <= ${MAX.requests}`),
      state(
        'home: script before it is drawn',
        firstKb,
        { atMost: MAX.scriptKb },
        `${firstKb.toFixed(0)} kB, target <= ${MAX.scriptKb} kB`,
      ),
    );
  if (name === 'domain, configuration') {
    const ms = of(pages, 'lcp');
    const most = MAX.configurationMs;
    lines.push(state(`${name}: time`, ms, { atMost: most }, `${ms.toFixed(0)} ms, target <= ${most} ms`));
  }
  return lines;
};

await withDurablePostgres(async (databaseUrl) => {
  await buildConsole();
  const backend = await spawnConsole(databaseUrl);
  const who = await busySignIn(backend.url, databaseUrl);
  const { instance } = (await who.get<{ instance: { uuid: string } }>('session')).body;
  const store = await openLog(databaseUrl);
  await write(store, busyLog({ events: EVENTS, workspace: instance.uuid, servers: 100 }).appends);
  const head = await store.head();
  await store.close();
  while (BigInt((await who.get('health/live')).headers.get('x-position') ?? '0') < BigInt(head))
    await new Promise((done) => setTimeout(done, 100));
  const places = (await placesIn(who)).filter(({ name }) => wanted?.includes(name) ?? true);
  const browser = await chromium.launch({
    executablePath: chromiumProgram,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--disable-background-networking',
    ],
  });
  try {
    const lines: Line[] = [];
    await open(browser, who, FLOOR);
    for (const place of places) {
      const [pages, floors]: [Opened[], Opened[]] = [[], []];
      for (let turn = 0; turn < TURNS; turn += 1) {
        floors.push(await open(browser, who, FLOOR));
        pages.push(await open(browser, who, place.address));
      }
      lines.push(...linesOf(place, pages, floors));
    }
    finish(lines);
  } finally {
    await browser.close();
    await backend.stop();
  }
});
