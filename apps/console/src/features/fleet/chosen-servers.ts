/** The selected servers, which may be on other pages of the table than the one loaded. */
import { servers } from '@quarterdeck/contract';
import { MAX_PAGE_SIZE } from '@quarterdeck/events/inputs';
import type { ServerRow } from '@quarterdeck/projections';
import { useCallback } from 'react';
import { ask, useAnswer } from '../../core/calls';
import { useAppDispatch } from '../../core/hooks';
import { count } from '../../ui/count';

/** Loads the servers that still exist, sorted by alias. @throws ApiError */
export const useServersById = (): ((ids: readonly string[]) => Promise<ServerRow[]>) => {
  const dispatch = useAppDispatch();
  return useCallback(
    async (ids) => {
      const rows: ServerRow[] = [];
      for (let page = 1; ; page += 1) {
        const asked = { ids: [...ids], sort: 'alias', page, size: MAX_PAGE_SIZE };
        const question = dispatch(ask(servers.page, asked));
        const answer = await question.unwrap().finally(() => question.unsubscribe());
        rows.push(...answer.rows);
        if (rows.length >= answer.found) return rows;
      }
    },
    [dispatch],
  );
};

/** `web-1`, `12 servers` */
export const useServersInWords = (chosen: ReadonlySet<string>): string => {
  const [id = ''] = chosen;
  const skip = chosen.size !== 1;
  const { currentData: only } = useAnswer(servers.detail, { id }, { skip });
  if (!skip && only) return only.alias;
  return count(chosen.size, 'server');
};
