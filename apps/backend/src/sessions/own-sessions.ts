/** A person's own sessions: where they are signed in, and ending sessions. */
import { Inject, Injectable } from '@nestjs/common';
import type { Position, SessionView } from '@quarterdeck/events';
import { personDecider, SignOut } from '../people';
import { Decisions } from '../platform/decisions';
import { notFound } from '../platform/errors';
import type { CommandMeta, OpenSession, Session, Sessions } from '../platform/sessions';
import { SESSIONS } from '../platform/tokens';
import Bowser from 'bowser';

@Injectable()
export class OwnSessions {
  constructor(
    @Inject(SESSIONS) private readonly sessions: Sessions,
    private readonly decisions: Decisions,
  ) {}

  /** Current session first, then most recently used. */
  async list({ id, person, hasFactor }: Session): Promise<SessionView[]> {
    const open = await this.sessions.list(person);
    return open
      .sort((a, b) => Number(b.id === id) - Number(a.id === id))
      .map((one) => ({
        id: one.ref,
        device: deviceOf(one.userAgent),
        via: one.via,
        current: one.id === id,
        ...(hasFactor && !one.provedAt && { waits: true as const }),
        startedAt: one.startedAt.toISOString(),
        lastUsedAt: one.lastUsedAt.toISOString(),
        endsWhenIdleAt: one.endsWhenIdleAt.toISOString(),
        endsAt: one.endsAt.toISOString(),
      }));
  }

  /** @throws DomainError `notFound`, also for sessions of other people */
  async revoke(ref: string, { person }: Session, meta: CommandMeta): Promise<Position> {
    const wanted = (await this.sessions.list(person)).filter((one) => one.ref === ref);
    // It is gone as well if this call ended it before, and is repeated.
    const ended = (await this.endedBefore(person, meta)) ?? wanted.length;
    if (ended === 0) throw notFound('session');
    return this.end(person, wanted, ended, meta);
  }

  /** @returns how many there were, and the position of the event if there were any */
  async revokeOthers(
    { id, person }: Session,
    meta: CommandMeta,
  ): Promise<{ ended: number; position?: Position }> {
    const others = (await this.sessions.list(person)).filter((one) => one.id !== id);
    const ended = (await this.endedBefore(person, meta)) ?? others.length;
    return ended === 0 ? { ended } : { ended, position: await this.end(person, others, ended, meta) };
  }

  /** How many sessions this call ended before, if it is repeated. */
  private async endedBefore(person: string, meta: CommandMeta): Promise<number | undefined> {
    const [own] = await this.decisions.recordedBy(personDecider, new SignOut(person, {}, meta));
    return own?.type === 'PersonSignedOut' ? own.data.sessions : undefined;
  }

  /** Recorded first: a session that ended without a record would look open to an auditor for ever. */
  private async end(
    person: string,
    open: OpenSession[],
    sessions: number,
    meta: CommandMeta,
  ): Promise<Position> {
    const { position } = await this.decisions.execute(personDecider, new SignOut(person, { sessions }, meta));
    for (const { id } of open) await this.sessions.revoke(id);
    return position;
  }
}

/** Readable name of a browser: `Firefox on Linux`. Programs are named by their first word. */
export const deviceOf = (userAgent: string | undefined): string => {
  if (!userAgent) return 'Unknown device';
  const { browser, os } = Bowser.parse(userAgent);
  if (browser.name) return os.name ? `${browser.name} on ${os.name}` : browser.name;
  return /^[\w.-]{1,40}/.exec(userAgent)?.[0] ?? 'Unknown device';
};
