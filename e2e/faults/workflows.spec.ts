/** The back end is killed while instances of workflows advance. covers: WF-02 */
import type { WorkflowInstanceDetail, WorkflowsWaiting } from '@quarterdeck/contract';
import type { WorkflowDoes } from '@quarterdeck/events';
import { signIn, spawnBackend, type BackendProcess, type Operator } from '../../testing/backend';
import { pause, until } from '../../testing/patience';
import { startTestPostgres, type TestPostgres } from '../../testing/postgres';
import { startToldServer, type ToldServer } from '../../testing/told-server';
import { detail, published, started, type Ask } from '../workflows/workflows-ground';
import { fault, moment } from './fault';

/** `npm run faults` takes the whole figure. */
const [INSTANCES, KILLS] = process.env.FAULTS_REPORT ? [1000, 50] : [12, 3];

/** Less than what the instances do that are begun between two kills, so it always happens. */
const EFFECTS_BETWEEN_KILLS = INSTANCES / KILLS;

let postgres: TestPostgres;
let peer: ToldServer;
let backend: BackendProcess;
let who: Operator;

const start = async (port = 0): Promise<void> => {
  backend = await spawnBackend({ databaseUrl: postgres.url, port, env: { OUTBOUND_ALLOW: '127.0.0.1' } });
};
const killed = async (): Promise<void> => {
  await backend.kill('SIGKILL');
  await start(Number(new URL(backend.url).port));
};

beforeAll(async () => {
  [postgres, peer] = await Promise.all([startTestPostgres({ own: true }), startToldServer()]);
  await start();
  who = await signIn(backend.url, backend.signInLink);
  // Every third look says that it is not there yet.
  let looks = 0;
  peer.answer((response) => response.end(JSON.stringify({ again: (looks += 1) % 3 === 0 })));
});
afterAll(async () => {
  await backend?.stop();
  await Promise.all([peer?.stop(), postgres?.stop()]);
});

const ask: Ask = async <T>(path: string, body: object) => {
  const answer = await who.post<T>(path, body);
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
};

const POST = 2;
/** A request that must not be sent twice. The instance and the node are in its address. */
const effect = async (node: string): Promise<WorkflowDoes> => {
  const data = { name: node, method: { id: POST }, host: peer.url, url: `/${node}` };
  const { id } = await ask<{ id: string }>('request/insert', { data });
  const own = { inOrOut: true, input: { name: 'of', paramType: { id: 3 } } };
  await ask('request/params/insert', { data: own, request: { id } });
  return { is: 'savedRequest', request: { id }, inputs: [{ name: 'of', value: '{{data.of}}' }] };
};

const soon: WorkflowDoes = { is: 'wait', seconds: 1 };
const approval: WorkflowDoes = { is: 'person', role: 'admin', choices: ['Yes', 'No'], dueSeconds: 2 };

const twelveNodes = async () =>
  published(
    ask,
    {
      Begin: {},
      Order: { does: await effect('Order') },
      Pause: { does: soon },
      Ask: { does: approval, keepAs: 'answer' },
      Remind: { does: await effect('Remind') },
      Pay: { does: await effect('Pay') },
      Poll: { does: soon },
      Look: { does: await effect('Look'), keepAs: 'look' },
      Sum: {},
      Tell: { does: await effect('Tell') },
      Unknown: { does: soon },
      End: {},
    },
    [
      'Begin -> Order',
      'Order -> Pause',
      'Order -> Unknown on failed',
      'Unknown -> Pause',
      'Pause -> Ask',
      'Ask -> Pay if choice == "Yes"',
      'Ask -> Remind',
      'Ask -> Remind on late',
      'Remind -> Pay',
      'Remind -> Pay on failed',
      'Pay -> Poll',
      'Pay -> Poll on failed',
      'Poll -> Look',
      'Look -> Poll if result.body.again',
      'Look -> Sum',
      'Look -> Sum on failed',
      'Sum -> Tell if has(data.look)',
      'Sum -> Tell',
      'Tell -> End',
      'Tell -> End on failed',
    ],
  );

const hasEnded = ({ is }: Pick<WorkflowInstanceDetail, 'is'>): boolean => is === 'completed';

/** Answers what waits, until it is stopped. Some are answered too late, and are told so. */
const answering = async (signal: AbortSignal): Promise<void> => {
  for (let turn = 0; !signal.aborted; turn++) {
    // The back end may be down.
    const found = await who.post<WorkflowsWaiting>('workflow/waiting', {}).catch(() => undefined);
    for (const { id, visit } of found?.status === 200 ? found.body.instances : [])
      await who
        .post('workflow/instance/answer', { id, visit, choice: turn % 3 === 0 ? 'No' : 'Yes' })
        .catch(() => undefined);
    await pause(300);
  }
};

const expectOnce = (instance: WorkflowInstanceDetail, of: string): void => {
  const { states } = instance;
  expect(states.map(({ visit }) => visit)).toEqual(states.map((_, at) => at + 1));
  expect(states.filter(({ leftAt }) => leftAt === undefined)).toEqual([]);
  for (const name of ['Order', 'Remind', 'Pay', 'Look', 'Tell']) {
    const visits = states.filter(({ node }) => node.name === name);
    const sent = peer.asked.filter(({ path }) => path === `/${name}?of=${of}`).length;
    const known = visits.filter(({ end }) => end === 'done').length;
    // One that was killed after it was sent, and before its answer was recorded, ended as unknown, and was not sent again.
    expect({ name, of, twice: sent > visits.length, lost: sent < known }).toEqual({
      name,
      of,
      twice: false,
      lost: false,
    });
  }
};

fault({
  fault: `SIGKILL of the back end, ${KILLS} times, while ${INSTANCES} instances of 12 nodes advance`,
  must: 'every effect happens once, and every instance ends',
  share: 0.01,
  trialMs: 3_600_000,
  trial: async () => {
    const workflow = await twelveNodes();
    const instances: { id: string; of: string }[] = [];
    const startUpTo = async (many: number): Promise<void> => {
      while (instances.length < many) {
        const of = `${workflow.id.slice(-6)}-${instances.length}`;
        instances.push({ id: await started(ask, workflow, { of }), of });
      }
    };
    const stop = new AbortController();
    const answers = answering(stop.signal);
    for (let kill = 0; kill < KILLS; kill++) {
      // Each kill meets instances at their beginning, and others that have got on in spite of the kills before. A back end
      // that is killed before it has taken over would do nothing that could go wrong.
      const before = peer.asked.length;
      await startUpTo(Math.ceil((INSTANCES * (kill + 1)) / KILLS));
      await until(() => peer.asked.length >= before + EFFECTS_BETWEEN_KILLS, 20);
      await pause(moment(kill, 300));
      await killed();
    }
    let effects = 0;
    for (const { id, of } of instances) {
      await until(async () => hasEnded(await detail(ask, id)));
      expectOnce(await detail(ask, id), of);
      effects += peer.asked.filter(({ path }) => path.endsWith(`=${of}`)).length;
    }
    stop.abort();
    await answers;
    return `${effects} effects`;
  },
});
