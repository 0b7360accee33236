import { Controller, Inject } from '@nestjs/common';
import { instants, type InputOf } from '@quarterdeck/contract';
import { Answers, type Asker } from '../platform/http';
import { invalidField, notFound } from '../platform/errors';
import { type Instant, Instants } from '../platform/as-of';
import { DB, EVENT_STORE, type EventStore, type Pool } from '../platform/tokens';
import { instantDetail, type InstantReader, instantTimeline } from './instants.queries';
import { comparePositions, streamName, type LoggedEvent } from '@quarterdeck/events';
import type { instantDifference as differenceInput } from '@quarterdeck/events/inputs';
import type { InstantDifference } from '@quarterdeck/projections';
import { readStreams } from '@quarterdeck/projections/runner';
import type { z } from 'zod';
import { changesBetween, folded, namesIn } from '../history';
import { audienceOf } from '../platform/live';
import { mayActAs } from '../platform/sessions';

@Controller()
export class InstantsController {
  constructor(
    @Inject(DB) private readonly db: Pool,
    private readonly instants: Instants,
    @Inject(EVENT_STORE) private readonly store: EventStore,
  ) {}

  @Answers(instants.detail)
  async detail({ at }: InputOf<typeof instants.detail>, { session }: Asker) {
    return instantDetail(this.db, session, await this.instants.resolve(at, session.workspace));
  }

  @Answers(instants.timeline)
  async timeline(asked: InputOf<typeof instants.timeline>, { session }: Asker) {
    if (asked.from && asked.to && Date.parse(asked.from) >= Date.parse(asked.to))
      throw invalidField('to', 'this is not after the beginning');
    return instantTimeline(this.db, session, asked, new Date());
  }

  @Answers(instants.difference)
  difference(asked: InputOf<typeof instants.difference>, { session }: Asker) {
    return instantDifference(this.db, this.store, this.instants, session, asked);
  }
}

/** The changes of one thing between two instants, field by field. */
type DifferenceAsked = z.infer<typeof differenceInput>;

const placeOf = ({ position, at }: Instant) => ({ position, at });

/**
 * @throws DomainError `invalid` that names `from` or `to`; `notFound` for a thing that did not exist at the later
 * instant, belongs to another workspace, or is not visible to the reader
 */
const instantDifference = async (
  db: Pool,
  store: EventStore,
  instants: Instants,
  reader: InstantReader,
  asked: DifferenceAsked,
): Promise<InstantDifference> => {
  const { category, id } = asked.subject;
  const [from, to] = await instants.ends(asked, reader.workspace);
  const recorded = (await readStreams(store, [streamName(category, id)], to.position)) as LoggedEvent[];
  const later = recorded.filter(
    ({ type, meta }) => meta.workspace === reader.workspace && mayActAs(reader.role, audienceOf(type)),
  );
  if (later.length === 0) throw notFound(category);
  const earlier = later.filter(({ position }) => comparePositions(position, from.position) <= 0);
  return {
    from: placeOf(from),
    to: placeOf(to),
    events: later.length - earlier.length,
    changes: changesBetween(folded, earlier, later, await namesIn(db, reader.workspace, later)),
  };
};
