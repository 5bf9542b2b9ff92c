import { isoTime } from '../records.ts';
import type { World } from '../world.ts';
import type { UploadRecord } from './state.ts';

/** One upload as in answers. */
export function readRecord({ modes }: Pick<World, 'modes'>, record: UploadRecord): object {
  const { id, status, media_id, metadata, createdMs, updatedMs } = record;
  return {
    id,
    status,
    media_id,
    metadata,
    created_at: isoTime(createdMs),
    updated_at: isoTime(updatedMs),
    ...(modes.extraFields ? { revision: 1 } : {}),
  };
}
