// covers: LOG-02
import type { EventData } from '@quarterdeck/events';
import { given, meta } from '../platform/decisions/decider-testing';
import { AcknowledgeForeign, foreignDecider } from './foreign.decider';

const id = '00000000-0000-7000-8000-000000000000';
const looked = (upTo: string): EventData<'ForeignEventsAcknowledged'> => ({
  upTo,
  count: 1,
  reason: 'known',
});
const acknowledged = (upTo: string) => ({ type: 'ForeignEventsAcknowledged', data: looked(upTo) }) as const;

it('reviews foreign events once, up to a position that only grows', () => {
  const acknowledge = (upTo: string) => new AcknowledgeForeign(id, looked(upTo), meta);
  given(foreignDecider, [])
    .when(acknowledge('9'))
    .then([acknowledged('9')]);
  given(foreignDecider, [acknowledged('9')])
    .when(acknowledge('10'))
    .then([acknowledged('10')]);
  given(foreignDecider, [acknowledged('9'), acknowledged('10')])
    .when(acknowledge('9'))
    .thenNothing();
});
