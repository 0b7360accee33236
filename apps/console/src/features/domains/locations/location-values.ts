import type { locations, Sent } from '@quarterdeck/contract';

/** The fields of a location; the flags determine what `url` means. */
export type LocationFields = Sent<typeof locations.insert>['data'];
