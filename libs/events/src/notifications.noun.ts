/** Notifications that a product shows to its users. What they say is a CMS text of the same product. */
import { flag, namedEnumeration, optionalText, reference } from './kit/field';
import { noun } from './kit/noun';
import { endOf, refusedEnd, refusedStart, startOf } from './notification-times';

export const notificationTypes = ['banner', 'login', 'signup', 'other'] as const;
export const notificationStatuses = ['pending'] as const;

const window = ({ dateStart, dateEnd }: { dateStart: string; dateEnd: string }): string =>
  [dateStart && ` from ${dateStart}`, dateEnd && ` until ${dateEnd}`].join('');

export const notification = noun('notification', {
  path: 'notification',
  within: 'product',
  audience: 'member',
  changedBy: 'member',
  named: (fields) => `${notificationTypes[fields.type.id - 1] ?? fields.type.id}${window(fields)}`,
  fields: {
    type: namedEnumeration(notificationTypes, { help: 'Where the product shows it.' }),
    status: { ...namedEnumeration(notificationStatuses), initial: { id: 1 } },
    cms: reference('text', {
      label: 'CMS',
      help: 'What it says: a CMS text of this product, in every language.',
      keyed: true,
      thing: 'cmsText',
    }),
    isValidationRequired: flag({ help: 'Users have to confirm that they have read it.' }),
    dateStart: optionalText(40, {
      label: 'Start',
      // The name has both.
      onDemand: true,
      help: 'If empty, it is shown at once.',
      half: true,
      timeIn: startOf,
      refuses: refusedStart,
    }),
    dateEnd: optionalText(40, {
      label: 'End',
      onDemand: true,
      help: 'From then on it is not shown any more. If empty, it does not end.',
      half: true,
      timeIn: endOf,
      refuses: (text, { dateStart }) => refusedEnd(text, dateStart),
    }),
  },
});
