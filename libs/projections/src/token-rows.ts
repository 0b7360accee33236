/** Read models of tokens with which something outside reaches the console: one row for each that is not revoked. */
import type { EventData, EventType, LoggedEvent } from '@quarterdeck/events';
import { z } from 'zod';
import { defineProjection, rowPerStream, type ProjectionDefinition } from './define-projection';

/** Part of the view of every kind. */
export const tokenView = {
  id: z.string(),
  fingerprint: z.string(),
  issuedAt: z.string(),
  issuedBy: z.string(),
  /** The first use on the most recent day of use. */
  usedAt: z.string().optional(),
};

/** Part of the row of every kind. */
type StoredToken = z.infer<z.ZodObject<typeof tokenView>> & {
  workspace: string;
  revision: number;
  position: string;
};

type Stem = EventType extends infer T ? (T extends `${infer S}Issued` ? S : never) : never;
type Issued<S extends Stem> = EventData<Extract<EventType, `${S}Issued`>>;

interface TokenRows<S extends Stem, Row extends StoredToken> {
  name: string;
  category: string;
  /** Of its events: `PublicToken` of `PublicTokenIssued`. */
  stem: S;
  /** The column with the id of what the token belongs to. */
  owner: Exclude<keyof Row, keyof StoredToken> & string;
  fields: (issued: Issued<S>) => Omit<Row, keyof StoredToken>;
}

/** @template Row with a copy of the owner's id, by which lists are found */
export const tokenRows = <S extends Stem, Row extends StoredToken>({
  name,
  category,
  stem,
  owner,
  fields,
}: TokenRows<S, Row>): ProjectionDefinition<Row> =>
  defineProjection<Row>({
    name,
    version: 1,
    columns: { [owner]: 'text' },
    indexes: [`(workspace, "${owner}")`],
    ...rowPerStream(category),
    evolve: (view, { type, data, meta, revision, position }: LoggedEvent, id) => {
      if (type === `${stem}Issued`) {
        const issued = data as Issued<S> & { fingerprint: string };
        return {
          ...fields(issued),
          id,
          workspace: meta.workspace,
          fingerprint: issued.fingerprint,
          issuedAt: meta.at,
          issuedBy: meta.actor,
          revision,
          position,
        } as unknown as Row;
      }
      if (!view || type === `${stem}Revoked`) return undefined;
      return type === `${stem}Used` ? { ...view, usedAt: meta.at, revision, position } : view;
    },
  });
