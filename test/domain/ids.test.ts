import { expect, expectTypeOf, it } from 'vitest';
import {
  compareIds,
  type AccountId,
  type FanId,
  type LiveId,
  type MediaId,
  type UploadId,
} from '../../src/domain/ids.ts';
import { wireAccountIdShape, wireLiveIdShape } from '../../src/domain/replies.ts';

it('takes no id of one kind where another is asked for, and text from outside for any', () => {
  expectTypeOf<FanId>().not.toExtend<AccountId>();
  expectTypeOf<LiveId>().not.toExtend<MediaId>();
  expectTypeOf<UploadId>().not.toExtend<MediaId>();
  expectTypeOf<string>().toExtend<AccountId>();
  expectTypeOf<string>().toExtend<LiveId>();
});

it('reads an id of a reply with every digit, as an id of its kind', () => {
  const account = wireAccountIdShape.parse(9_223_372_036_854_775_807n);
  expectTypeOf(account).toEqualTypeOf<AccountId>();
  expect(account).toBe('9223372036854775807');
  expectTypeOf(wireLiveIdShape.parse('12')).toEqualTypeOf<LiveId>();
  expect(wireLiveIdShape.safeParse('012').success).toBe(false);
});

it('orders ids by their numbers', () => {
  expect(['10', '9', '9223372036854775807', '9223372036854775806'].toSorted(compareIds)).toEqual([
    '9',
    '10',
    '9223372036854775806',
    '9223372036854775807',
  ]);
});
