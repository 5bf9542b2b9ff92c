import { accountOf } from '../access.ts';
import type { Call } from '../call.ts';
import { listLagMs } from '../paging.ts';
import { conflict, invalid, type Refusal } from '../refusal.ts';
import type { World } from '../world.ts';
import { isSameTag, objectTag } from './e-tags.ts';
import { uploadOf } from './find-upload.ts';
import { emitEvent } from '../webhooks/emit.ts';
import { scheduleMove, uploadPayload } from './lifecycle.ts';
import type { Upload, UploadRecord } from './state.ts';
import { readRecord } from './read-record.ts';
import { newUuid } from './uuid.ts';

type ExportBody = Call<'vault.upload-export'>['body'];

/**
 * Exports an upload. It repeats the data of start, and the address exactly (VAULT-10). Assumed: an address that
 * expired after the upload does no harm.
 */
export function exportUpload(world: World, { params, body, effects }: Call<'vault.upload-export'>): object {
  const account = accountOf(world, params.account_id);
  const upload = uploadOf(account, body.key);
  requireExportable(world, upload, body);
  const { vault } = account;
  const earlier = vault.records.some(({ key }) => key === upload.key);
  if (earlier && world.modes.exportAgain === 'refuse')
    throw conflict('this upload has been exported already');
  const record = newRecord(world, upload, body, {
    id: earlier ? newUuid(world) : upload.id,
    listedFromMs: world.nowMs + listLagMs(world, effects),
  });
  scheduleMove(world, account, record, world.nowMs);
  vault.records.push(record);
  emitEvent(world, account, 'vault.media_upload.created', uploadPayload(world, record));
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
  { id, listedFromMs }: Pick<UploadRecord, 'id' | 'listedFromMs'>,
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
    listedFromMs,
    nextMs: null,
    fate,
  };
  return record;
}
