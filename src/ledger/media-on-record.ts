import * as z from 'zod';
import { isFileAttachment, mediaKey, NO_MEDIA, type MediaOnRecord } from '../domain/media.ts';
import { actsOf } from './acts.ts';
import type { IntentLine, LedgerLine } from './lines.ts';

const EXPORT = 'vault.upload-export';

/** Aimed at nobody, or of before purposes were written down. */
const forAll = z.looseObject({ purpose: z.looseObject({ fan_id: z.null() }).optional() });

/** What the uploads on record brought into the vaults: the bytes behind each media that is aimed at no single fan. */
export function mediaOnRecord(lines: readonly LedgerLine[]): MediaOnRecord {
  if (!lines.some((line) => line.type === 'act' && line.operation === EXPORT)) return NO_MEDIA;
  return new Map(
    actsOf(lines).flatMap(({ operation, accountId, liveId, subject, details }) =>
      operation === EXPORT && liveId !== null && forAll.safeParse(details).success
        ? [[mediaKey(accountId, liveId), subject] as const]
        : [],
    ),
  );
}

/** The files that a create showed, by the ids that it sent for them; null where the ledger does not say. */
export function sentMedia({ wanted }: Pick<IntentLine, 'wanted'>): Readonly<Record<string, string>> | null {
  if (wanted === null) return null;
  const sent: Record<string, string> = {};
  for (const { attachments } of wanted.content.messages)
    for (const attachment of attachments ?? [])
      if (!isFileAttachment(attachment) && typeof attachment.file?.digest === 'string')
        sent[attachment.id] = attachment.file.digest;
  return sent;
}
