import { expect, it } from 'vitest';
import { broadcast, declaring } from '../helpers/declare-live.ts';
import { aScene } from '../helpers/scene.ts';

const VALID = 'Valid: 1 resource in 1 file.\n';
const PAST = '1 broadcast is scheduled in the past, so Herald does not send what was not sent by now.\n';

it.each([
  ['2025-06-01T15:00Z', VALID + PAST],
  ['2026-06-01T15:00Z', VALID],
])('validate says of a broadcast at %s whether its time has passed', async (time, stdout) => {
  const files = declaring({ broadcasts: [broadcast({ scheduled_at: time })] });
  expect(await aScene({ files }).herald('validate')).toMatchObject({ code: 0, stdout });
});
