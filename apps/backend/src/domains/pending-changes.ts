/** How far the live configuration of each domain is from what would be applied now. */
import { setImmediate as turn } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Port } from '../platform/port';
import { DB, type Pool } from '../platform/tokens';
import { liveTexts, type Configured } from './domains.queries';

/** Computes pending changes in two steps, because only the second one needs the live text, which may be large. */
export interface ConfigurationWriter {
  /** The text that would be applied, if it is not the live one. */
  pending(configured: Configured): string | undefined;
  /** How many lines differ, at least 1. */
  differingLines(live: string, text: string): number;
}

interface Row extends Configured {
  domain: Configured['domain'] & { id: string; revision: number };
}

const REMEMBERED = 50_000;
/** Number of domains that are compared before other work of this process has a turn. */
const AT_ONCE = 50;

@Injectable()
export class PendingChanges extends Port<ConfigurationWriter> {
  /** Writing ten thousand configurations takes seconds. The result changes only with the domain or its server's folders. */
  private readonly lines = new LRUCache<string, number>({ max: REMEMBERED });

  constructor(@Inject(DB) private readonly db: Pool) {
    super('how the configuration of a domain is written');
  }

  /** The domains of the rows. Those with unapplied changes also have the number of differing lines. */
  async added<R extends Row>(rows: readonly R[]): Promise<(R['domain'] & { pending?: number })[]> {
    const unknown = rows.filter((row) => this.lines.get(keyOf(row)) === undefined);
    for (let from = 0; from < unknown.length; from += AT_ONCE) {
      if (from > 0) await turn();
      await this.judge(unknown.slice(from, from + AT_ONCE));
    }
    return rows.map((row) => {
      const pending = this.lines.get(keyOf(row)) ?? 0;
      return pending === 0 ? row.domain : { ...row.domain, pending };
    });
  }

  private async judge(rows: readonly Row[]): Promise<void> {
    const written = new Map<Row, string>();
    for (const row of rows) {
      const text = this.given.pending(row);
      if (text === undefined) this.lines.set(keyOf(row), 0);
      else written.set(row, text);
    }
    if (written.size === 0) return;
    const texts = await liveTexts(
      this.db,
      [...written.keys()].map(({ domain }) => domain.id),
    );
    for (const [row, text] of written)
      this.lines.set(keyOf(row), this.given.differingLines(texts.get(row.domain.id) ?? '', text));
  }
}

/** Unchanged rows are the same objects in the next list, so their keys can be cached. */
const keys = new WeakMap<Row, string>();

const keyOf = (row: Row): string => {
  const { domain, folders } = row;
  const key = keys.get(row) ?? `${domain.id} ${domain.revision} ${JSON.stringify(folders)}`;
  keys.set(row, key);
  return key;
};
