import { Controller, Inject } from '@nestjs/common';
import { instants, type InputOf } from '@quarterdeck/contract';
import { Answers, type Asker } from '../platform/http';
import { invalidField, notFound } from '../platform/errors';
import { askedInstant, type Instant, Instants } from '../platform/as-of';
import { DB, EVENT_STORE, type EventStore, type Pool } from '../platform/tokens';
import { instantDetail, type InstantReader, instantTimeline } from './instants.queries';
import { comparePositions, streamName, type LoggedEvent } from '@quarterdeck/events';
import type { instantDifference as differenceInput } from '@quarterdeck/events/inputs';
import type { InstantDifference } from '@quarterdeck/projections';
import { readStreams } from '@quarterdeck/projections/runner';
import type { z } from 'zod';
import { changesBetween, existsAfter, folded, lastOfParts, namesIn } from '../history';
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

/** The changes of one thing and its parts between two instants, field by field. */
type DifferenceAsked = z.infer<typeof differenceInput>;

/** Each costs the reading of its stream. */
const MAX_PARTS = 50;

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
  const [from, to] = await instants.ends(asked, reader.workspace);
  /** The events of a thing that the reader may see, up to both instants. */
  const upToBoth = async ({ category, id }: { category: string; id: string }) => {
    const recorded = (await readStreams(store, [streamName(category, id)], to.position)) as LoggedEvent[];
    const later = recorded.filter(
      ({ type, meta }) => meta.workspace === reader.workspace && mayActAs(reader.role, audienceOf(type)),
    );
    return { later, earlier: later.filter(({ position }) => comparePositions(position, from.position) <= 0) };
  };
  const { later, earlier } = await upToBoth(asked.subject);
  if (later.length === 0) throw notFound(asked.subject.category);
  const between = { after: from.position, upTo: to.position };
  const readParts = () => lastOfParts(db, reader, asked.subject, between);
  // With the names that they had then.
  const lastEvents = await (asked.to === undefined ? readParts() : askedInstant.run(to, readParts));
  const compared = await Promise.all(
    lastEvents.slice(0, MAX_PARTS).map(async ({ subject }) => ({ subject, ...(await upToBoth(subject)) })),
  );
  const names = await namesIn(db, reader.workspace, [...later, ...compared.flatMap((part) => part.later)]);
  return {
    from: placeOf(from),
    to: placeOf(to),
    events: later.length - earlier.length,
    changes: changesBetween(folded, earlier, later, names),
    parts: compared.flatMap(({ subject, ...part }) => {
      const changes = changesBetween(folded, part.earlier, part.later, names);
      if (changes.length === 0) return [];
      const remains = existsAfter(folded, part.later) ? 'changed' : 'removed';
      return [{ subject, is: existsAfter(folded, part.earlier) ? remains : 'added', changes }];
    }),
    furtherParts: Math.max(0, lastEvents.length - MAX_PARTS),
  };
};
