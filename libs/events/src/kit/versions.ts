/** Fields that a noun has got since its first version. */
import type { PlainNoun } from './noun';

/** Schema version of the `Added` event, which grows when fields are added. */
export const versionOf = ({ fields }: Pick<PlainNoun, 'fields'>): number =>
  Math.max(1, ...Object.values(fields).map(({ since }) => since?.version ?? 1));

/** Values of the fields that later versions introduced, as records from before them have. */
export const laterValues = ({ fields }: Pick<PlainNoun, 'fields'>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([key, { since }]) => (since ? [[key, since.value]] : [])),
  );
