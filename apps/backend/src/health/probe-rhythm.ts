/**
 * When a server is probed. Pure. Each server has a fixed place within the interval, derived from its id: five hundred
 * servers are not probed at once, and a process that takes over keeps the same rhythm.
 */
import { createHash } from 'node:crypto';

/** From 0 to 1, evenly spread even for similar ids. */
const placeOf = (id: string): number => createHash('md5').update(id).digest().readUInt32BE() / 2 ** 32;

/** The next instant after `now` at which the server is due, in milliseconds of the same clock. */
export const nextDue = (id: string, everyMs: number, now: number): number => {
  const offset = Math.floor(placeOf(id) * everyMs);
  return (Math.floor((now - offset) / everyMs) + 1) * everyMs + offset;
};
