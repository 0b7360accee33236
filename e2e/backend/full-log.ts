/** A log that rejects events of some types, as on a full disk. */
import type { EventType } from '@quarterdeck/events';
import type { RunningBackend } from '../../testing/backend';

export const whileFull = async <T>(
  db: RunningBackend['db'],
  types: readonly EventType[],
  work: () => Promise<T>,
): Promise<T> => {
  await db.query(`
    create function public.no_space() returns trigger language plpgsql as
      $$ begin raise exception 'No space left on device' using errcode = 'disk_full'; end $$;
    create trigger no_space before insert on log.events for each row
      when (new.type in (${types.map((type) => `'${type}'`).join(', ')})) execute function public.no_space()`);
  try {
    return await work();
  } finally {
    await db.query('drop trigger no_space on log.events; drop function public.no_space()');
  }
};
