import { accountOf } from '../access.ts';
import type { Call } from '../call.ts';
import { conflict, invalid, notFound, type Refusal } from '../refusal.ts';
import type { World } from '../world.ts';
import { isSameTag, objectTag, uploadOf } from './finish.ts';
import { scheduleMove, settleVault } from './lifecycle.ts';
import type { Upload, UploadRecord } from './state.ts';
import { newUuid } from './uuid.ts';
import { readRecord } from './upload-list.ts';

type ExportBody = Call<'vault.upload-export'>['body'];

/**
 * service-api.md, Export body: what start said once more, and the address that it gave, byte for byte. Assumed:
 * addresses that have lapsed since the bytes arrived do no harm.
 */
export function exportUpload(world: World, { params, body, bending }: Call<'vault.upload-export'>): object {
  const account = accountOf(world, params.account_id);
  const upload = uploadOf(account, body.key);
  requireExportable(world, upload, body);
  const { vault } = account;
  const earlier = vault.records.some(({ key }) => key === upload.key);
  if (earlier && world.modes.exportAgain === 'refuse')
    throw conflict('this upload has been exported already');
  const record = newRecord(world, upload, body, {
    id: earlier ? newUuid(world) : upload.id,
    lagSec: bending.listLagSec,
  });
  vault.records.push(record);
  return readRecord(world, record);
}

function requireExportable({ modes }: World, upload: Upload, body: ExportBody): void {
  const refuse = (path: string, message: string): Refusal => invalid(modes, message, path);
  if (body.get_url !== upload.get_url) throw refuse('get_url', 'get_url is not the one that start returned');
  for (const member of ['name', 'size', 'content_type'] as const)
    if (body[member] !== upload[member]) throw refuse(member, `${member} is not what start was told`);
  if ((body.duration ?? null) !== upload.duration)
    throw refuse('duration', 'duration is not what start was told');
  const tag = objectTag(upload);
  if (tag === null) throw refuse('key', 'the object is not there yet');
  if (!isSameTag(tag, body.e_tag)) throw refuse('e_tag', 'e_tag is not that of the object');
  if (body.export_type === 'post' && body.export_fan_id !== undefined)
    throw refuse('export_fan_id', 'export_fan_id goes with the export_type message');
}

function newRecord(
  world: World,
  { key, name }: Upload,
  { rf_guest = [], rf_partner = [], rf_tag = [], ...rest }: ExportBody,
  { id, lagSec }: { readonly id: string; readonly lagSec: number },
): UploadRecord {
  const { nowMs, modes } = world;
  const fate = modes.uploadFates.find(({ name_contains }) => name.includes(name_contains))?.fate ?? null;
  const record: UploadRecord = {
    id,
    status: 'uploaded',
    media_id: null,
    metadata: { ...rest, rf_guest, rf_partner, rf_tag },
    key,
    createdMs: nowMs,
    updatedMs: nowMs,
    listedFromMs: nowMs + Math.max(lagSec, modes.listLagSec) * 1000,
    nextMs: null,
    fate,
  };
  scheduleMove(world, record, nowMs);
  return record;
}

/**
 * service-api.md, Vault media upload status: queued again from `uploaded` and `processed`, and a second retry
 * changes nothing. Everything else is an error.
 */
export function retryUpload(world: World, { params }: Call<'vault.upload-retry'>): object {
  const { records } = settleVault(world, accountOf(world, params.account_id));
  const record = records.find(({ id }) => id === params.upload_id);
  if (record === undefined) throw notFound('Upload');
  if (record.status !== 'uploaded' && record.status !== 'processed')
    throw conflict(`an upload that is ${record.status} cannot be retried`);
  if (record.fate === `stuck_${record.status}`) record.fate = null;
  if (record.nextMs === null) scheduleMove(world, record, world.nowMs);
  return readRecord(world, record);
}
