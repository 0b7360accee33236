// covers: AUD-01
import type { HistoryView } from '@quarterdeck/projections';
import { withCauses } from './history.controller';

const event = (position: number, stream: string, type: string, causationId: string): HistoryView => {
  const [category = '', subjectId = ''] = stream.split('-');
  return {
    position: String(position),
    id: `e${position}`,
    type,
    stream,
    revision: 0,
    at: '',
    recordedAt: '',
    actor: 'ada',
    workspace: 'w',
    subject: { category, id: subjectId },
    category,
    subjectId,
    says: '',
    correlationId: 'c',
    causationId,
    audience: 'admin',
    data: {},
  };
};

const causesOf = (chain: HistoryView[]) => withCauses(chain).map(({ cause }) => cause);

describe('the cause of an event', () => {
  test('is the run that recorded it, or the parent run for a part', () => {
    const chain = [
      event(1, 'run-fleet', 'RunRequested', 'command'),
      event(2, 'run-fleet', 'RunStepStarted', 'fleet'),
      event(3, 'run-part', 'RunRequested', 'fleet'),
      event(4, 'run-part', 'RunStepStarted', 'part'),
      event(5, 'server-a', 'ServerInitialized', 'part'),
      event(6, 'run-fleet', 'RunSucceeded', 'fleet'),
    ];
    expect(causesOf(chain)).toEqual([undefined, '1', '1', '3', '3', '1']);
  });

  test('is the retry, if the run was retried', () => {
    const chain = [
      event(1, 'run-a', 'RunRequested', 'command'),
      event(2, 'run-a', 'RunFailed', 'a'),
      event(3, 'run-a', 'RunRetried', 'another command'),
      event(4, 'run-a', 'RunSucceeded', 'a'),
    ];
    expect(causesOf(chain)).toEqual([undefined, '1', undefined, '3']);
  });

  test('is the named event, and nothing for events that one command recorded together', () => {
    const chain = [
      event(1, 'server-a', 'ServerRemoved', 'command'),
      event(2, 'domain-b', 'DomainRemoved', 'command'),
      event(3, 'alert-c', 'AlertResolved', 'e2'),
    ];
    expect(causesOf(chain)).toEqual([undefined, undefined, '2']);
  });
});
