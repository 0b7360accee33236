// covers: VAL-02
import { fieldsInput } from './kit/schemas';
import { fieldMessages } from './inputs';
import { weeklyTimes } from './weekly-times';

test('what is no time, however long, is refused with an example of one', () => {
  const judged = fieldsInput({ fields: weeklyTimes }).safeParse({ from: 'ten in the evening', until: '7' });
  expect(judged.error && fieldMessages(judged.error)).toMatchObject({
    from: 'a time such as 22:00 is expected',
    until: 'a time such as 07:00, or 24:00, is expected',
  });
});
