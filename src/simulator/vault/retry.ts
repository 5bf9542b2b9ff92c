import { accountOf } from '../access.ts';
import type { Call } from '../call.ts';
import { conflict, notFound } from '../refusal.ts';
import type { World } from '../world.ts';
import { scheduleMove, advanceVault } from './lifecycle.ts';
import { readRecord } from './read-record.ts';

/**
 * Queues an upload again (VAULT-15) from `uploaded` or `processed`. A second retry changes nothing. Any other
 * status is an error.
 */
export function retryUpload(world: World, { params }: Call<'vault.upload-retry'>): object {
  const account = accountOf(world, params.account_id);
  const { records } = advanceVault(world, account);
  const record = records.find(({ id }) => id === params.upload_id);
  if (record === undefined) throw notFound('Upload');
  if (record.status !== 'uploaded' && record.status !== 'processed')
    throw conflict(`an upload that is ${record.status} cannot be retried`);
  if (record.fate === `stuck_${record.status}`) record.fate = null;
  if (record.nextMs === null) scheduleMove(world, account, record, world.nowMs);
  return readRecord(world, record);
}
